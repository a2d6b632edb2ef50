import type { TextAnswer } from "./answer.ts";
import { estimatedTokens } from "./estimated_tokens.ts";

/** The forms in which an answer is sent: the structured answer, its text, or both. Each of them alone is complete. */
export type AnswerShape = "both" | "structured" | "text";

/** The limit of one answer. */
export interface AnswerLimit {
  readonly shape: AnswerShape;
  /** Estimated tokens of all that is sent. */
  readonly maxTokens: number;
}

/** How often an answer of a shape holds a quoted text. */
export function copiesOf(shape: AnswerShape): number {
  return shape === "both" ? 2 : 1;
}

/** Estimated tokens of an answer in a shape. */
export function sentTokens({ text, ...answer }: TextAnswer<unknown>, shape: AnswerShape): number {
  const structured = shape === "text" ? 0 : estimatedTokens(JSON.stringify(answer));
  return structured + (shape === "structured" ? 0 : estimatedTokens(text));
}
