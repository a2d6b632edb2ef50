/**
 * Words beside those of a question: of the earlier questions that it follows on from, and of a model that rewrites it, in a limited time. The
 * question itself stays as it was typed.
 */
import type { AddedWords, ParsedQuery } from "#engine/query/mod.ts";
import type { UserError } from "#foundation/errors.ts";
import type { Phrase } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";

/** A question as a model adds to it. */
export interface Rewriting {
  /** The question in a form that can be understood without those before it. */
  readonly question: string;
  /** Words that documents about it would use. */
  readonly terms: readonly string[];
}

/** A model that rewrites questions. */
export interface Rewriter {
  readonly id: string;
  /** Seconds that a search waits for it. */
  readonly timeoutSeconds: number;
  /** Returns `undefined` after a failure, which {@linkcode failure} may name. */
  rewrite(
    question: string,
    history: readonly string[],
    signal: AbortSignal,
  ): Promise<Rewriting | undefined>;
  /** The last failure. */
  readonly failure?: UserError | undefined;
}

/** Words beside those of a question, for the ranking and for its explanation. */
export interface Added {
  readonly words: readonly AddedWords[];
  /** Id of the model that was asked. Absent without one. */
  readonly model?: string;
  /** The model gave nothing that can be used in its time. */
  readonly hasFailed?: true;
  /** Why it gave nothing, where that is known. */
  readonly problem?: Phrase;
}

/** Earlier questions that count, and UTF-16 units of one. */
const QUESTIONS = 3, QUESTION_CHARS = 500;

/**
 * Returns the words to add to a question; `undefined` without any, and for a boolean query, which says itself what is wanted. Throws only the
 * reason of `signal`. `share`: the part of its time that the model gets.
 */
export async function addedWords(
  { text, expression }: ParsedQuery,
  earlier: readonly string[],
  rewriter: Rewriter | undefined,
  signal: AbortSignal | undefined,
  share = 1,
): Promise<Added | undefined> {
  if (expression !== undefined) return undefined;
  const history = earlier.slice(-QUESTIONS).map((question) => plainWords(question.slice(0, QUESTION_CHARS)));
  const { rewriting, problem } = rewriter === undefined
    ? {}
    : await inTime(rewriter, text, history, { signal, share });
  const typed = history.join(" ");
  const words: AddedWords[] = [];
  if (rewriting !== undefined && history.length > 0) {
    // The stand-alone form says which of the earlier words are meant.
    words.push({ text: wordsIn(rewriting.question, typed), by: "history" });
  } else if (history.length > 0) words.push({ text: history.at(-1)!, by: "history" });
  if (rewriting !== undefined) words.push({ text: rewriting.terms.join(" "), by: "model" });
  const said = words.filter(({ text }) => text.trim() !== "");
  if (said.length === 0 && rewriter === undefined) return undefined;
  return present({
    words: said,
    model: rewriter?.id,
    hasFailed: rewriter !== undefined && rewriting === undefined ? true as const : undefined,
    problem,
  });
}

async function inTime(
  rewriter: Rewriter,
  question: string,
  history: readonly string[],
  { signal, share }: { readonly signal: AbortSignal | undefined; readonly share: number },
): Promise<{ readonly rewriting?: Rewriting | undefined; readonly problem?: Phrase | undefined }> {
  const seconds = Math.round(rewriter.timeoutSeconds * share * 10) / 10;
  const patience = AbortSignal.timeout(seconds * 1000);
  const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(either.reason);
  either.addEventListener("abort", abort, { once: true });
  try {
    const rewriting = await Promise.race([rewriter.rewrite(question, history, either), aborted.promise]);
    const { failure } = rewriter;
    if (rewriting !== undefined || failure === undefined) return { rewriting };
    const { key, params } = failure;
    return { problem: { key: "query_not_rewritten", params: { problem: { key, params } } } };
  } catch {
    signal?.throwIfAborted();
    if (!patience.aborted) return {};
    const params = { model: rewriter.id, seconds };
    return { problem: { key: "query_rewritten_late", params } };
  } finally {
    either.removeEventListener("abort", abort);
  }
}

/** Returns a text without the marks that a search takes as operators. */
export function plainWords(text: string): string {
  return text.replace(
    /\b(?:path|type|lang|after|before|title|heading|tag|author|created|meta\.[\w-]+):\S+/gi,
    " ",
  )
    .replace(/[^\p{L}\p{M}\p{N}\s.'’-]+/gu, " ").replace(/\s+/g, " ").trim();
}

/** Returns the words of a text that another one has, and all Chinese characters that both have. */
function wordsIn(text: string, other: string): string {
  const known = new Set(wordsOf(other));
  return wordsOf(text).filter((word) => known.has(word)).join(" ");
}

function wordsOf(text: string): string[] {
  return Array.from(
    new Intl.Segmenter("zh", { granularity: "word" }).segment(text.normalize("NFKC").toLowerCase()),
    ({ segment }) => segment,
  ).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
