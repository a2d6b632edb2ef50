import type { TextAnswer } from "./answer.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";

/** The place of an answer in a list. */
export interface Page {
  readonly limit: AnswerLimit;
  /** Number of entries in earlier answers. */
  readonly offset: number;
  /** Makes the argument `cursor` for the entries after the first `shown` of this answer. */
  readonly cursorAfter: (shown: number) => string;
}

/** The answer that `make` makes of the entries after the offset: as many as fit the limit, at least one. */
export function fittedPage<Entry, Answer extends TextAnswer<unknown>>(
  entries: readonly Entry[],
  { limit, offset, cursorAfter }: Page,
  make: (shown: readonly Entry[], cursor: string | undefined) => Answer,
): Answer {
  const rest = entries.slice(offset);
  for (let count = rest.length;; count = Math.max(1, Math.floor(count * 0.8))) {
    const answer = make(rest.slice(0, count), count < rest.length ? cursorAfter(count) : undefined);
    if (count <= 1 || sentTokens(answer, limit.shape) <= limit.maxTokens) return answer;
  }
}
