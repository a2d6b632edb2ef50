/**
 * Answers of a language model to questions, from passages, each sentence compared with them.
 * @module
 */
export { type AnswerModel, ask, type AskedAnswer, type AskOptions, type AskRequest } from "./ask.ts";
export type { EarlierTurn } from "./ask_prompt.ts";
export type { AskedSentence } from "./checked_piece.ts";
export {
  answerText,
  ASKED_DATA,
  askedAnswer,
  askedData,
  askRemarks,
  askSummary,
  behindText,
  citesPassages,
  sourceLines,
} from "./asked_answer.ts";
