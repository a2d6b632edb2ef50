/**
 * Whether passages support what an answer says, without a model.
 * @module
 */
export { sentencesOf, type Span } from "./sentences.ts";
export { statementsOf } from "./statements.ts";
export {
  type CheckedSentence,
  type Evidence,
  SupportChecker,
  type SupportReason,
  type Verdict,
} from "./support.ts";
export { relation, type WrittenValue } from "./values.ts";
export { type Word, Words } from "./words.ts";
export { valuesIn } from "./written.ts";
