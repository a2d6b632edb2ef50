import type { TextAnswer } from "./answer.ts";
import { estimatedTokens } from "./estimated_tokens.ts";

/**
 * The form of an answer that a client gives its model: the structured answer, its text, or one that is not known. Each of them
 * alone is complete.
 */
export type AnswerShape = "both" | "structured" | "text";

/** The limit of one answer. */
export interface AnswerLimit {
  readonly shape: AnswerShape;
  /** Estimated tokens of the form that the model sees; of the longer one where that is not known. */
  readonly maxTokens: number;
}

/** Estimated tokens that a model sees of an answer in a shape. */
export function sentTokens({ text, ...answer }: TextAnswer<unknown>, shape: AnswerShape): number {
  const structured = shape === "text" ? 0 : estimatedTokens(JSON.stringify(answer));
  return Math.max(structured, shape === "structured" ? 0 : estimatedTokens(text));
}
