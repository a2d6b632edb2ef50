/**
 * Answers of a language model to questions, from passages, each sentence compared with them.
 * @module
 */
export {
  type AnswerModel,
  ask,
  type AskedAnswer,
  type AskOptions,
  type AskRequest,
  type Usage,
} from "./ask.ts";
export type { AskPrompt, EarlierTurn } from "./ask_prompt.ts";
export type { AskedSentence } from "./checked_piece.ts";
