import type { TextAnswer } from "./answer.ts";
import { estimatedTokens, lengthWithin } from "./estimated_tokens.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";

/** A part of a long text never gets shorter than so many UTF-16 units, so that reading on comes to an end. */
const MIN_CHARS = 200;

const TRIES = 5;

/**
 * Returns the answer with a part of a text that has at most `limit.maxTokens`. `make(chars)` returns the answer with a part
 * of at most so many UTF-16 units, and `textOf(answer)` the text of that part.
 */
export function fittedText<Answer extends TextAnswer<unknown>>(
  make: (chars: number) => Answer,
  textOf: (answer: Answer) => string,
  maxChars: number,
  { shape, maxTokens }: AnswerLimit,
): Answer {
  let answer = make(maxChars);
  // The estimate of a whole file of many megabytes takes seconds.
  if (maxTokens === Infinity) return answer;
  // In JSON each line end is a token more, so that the answer grows faster than the text in it.
  let before = { tokens: 0, sent: 0 };
  for (let i = 0; i < TRIES; i++) {
    const text = textOf(answer);
    const now = { tokens: estimatedTokens(text), sent: sentTokens(answer, shape) };
    if (now.sent <= maxTokens || text.length <= MIN_CHARS) return answer;
    const slope = Math.max(1, (before.sent - now.sent) / Math.max(1, before.tokens - now.tokens));
    const wanted = i === 0 || now.tokens === before.tokens
      ? now.tokens * maxTokens / now.sent
      : now.tokens - (now.sent - maxTokens) / slope;
    before = now;
    answer = make(Math.max(MIN_CHARS, lengthWithin(text, Math.min(wanted, now.tokens * 0.97))));
  }
  return answer;
}
