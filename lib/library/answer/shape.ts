/** The envelope of every answer, its forms, and answers that are fitted into a number of tokens. */
import { estimatedTokens, lengthWithin } from "./estimated_tokens.ts";

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

/** Whether an answer has at most the tokens of its limit. No text has more tokens than UTF-16 units, so a short one is not looked at. */
export function isWithin(
  { text, ...answer }: TextAnswer<unknown>,
  { shape, maxTokens }: AnswerLimit,
): boolean {
  const fits = (sent: string) => sent.length <= maxTokens || estimatedTokens(sent) <= maxTokens;
  return (shape === "structured" || fits(text)) && (shape === "text" || fits(JSON.stringify(answer)));
}

/** A successful answer of the contract: what an MCP tool returns as structured content, and `--json` prints. */
export interface Answer<Data> {
  readonly code: 200;
  /** One sentence, in the user's language. */
  readonly message: string;
  readonly data: Data;
}

/** An answer together with its text for a model. */
export interface TextAnswer<Data> extends Answer<Data> {
  /** Everything quoted from files, file names or the query is marked; see `quotedAnswer()`. */
  readonly text: string;
}

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

/** The place of an answer in a list. */
export interface Page {
  readonly limit: AnswerLimit;
  /** Number of entries in earlier answers. */
  readonly offset: number;
  /** Makes the argument `cursor` for the entries after the first `shown` of this answer. */
  readonly cursorAfter: (shown: number) => string;
}

/**
 * The answer that `make` makes of entries and of the cursor for those after them: of as many as fit the limit, at least one. `total`:
 * number of entries of the whole list.
 */
export function fittedPage<Entry, Answer extends TextAnswer<unknown>>(
  entries: readonly Entry[],
  total: number,
  { limit, offset, cursorAfter }: Page,
  make: (shown: readonly Entry[], cursor: string | undefined) => Answer,
): Answer {
  for (let count = entries.length;; count = Math.max(1, Math.floor(count * 0.8))) {
    const answer = make(entries.slice(0, count), offset + count < total ? cursorAfter(count) : undefined);
    if (count <= 1 || isWithin(answer, limit)) return answer;
  }
}
