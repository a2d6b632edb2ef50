/**
 * Words beside those of a question: of the earlier questions that it follows on from, and of a model that rewrites it, in a limited time. The
 * question itself stays as it was typed.
 */
import * as z from "zod";
import type { AddedWords, ParsedQuery } from "#engine/query/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { GeneratedTask, Generator } from "#library/generate/mod.ts";

/** What a model makes of a question. */
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
  /** Returns `undefined` after a failure. */
  rewrite(
    question: string,
    history: readonly string[],
    signal: AbortSignal,
  ): Promise<Rewriting | undefined>;
}

/** Words beside those of a question, for the ranking and for its explanation. */
export interface Added {
  readonly words: readonly AddedWords[];
  /** Id of the model that was asked. Absent without one. */
  readonly model?: string;
  /** The model gave nothing that can be used in its time. */
  readonly hasFailed?: true;
}

/** Earlier questions that count, and UTF-16 units of one. */
const QUESTIONS = 3, QUESTION_CHARS = 500;

/**
 * Returns the words to add to a question; `undefined` without any, and for a boolean query, which says itself what is wanted. Throws only the
 * reason of `signal`.
 */
export async function addedWords(
  { text, expression }: ParsedQuery,
  earlier: readonly string[],
  rewriter: Rewriter | undefined,
  signal: AbortSignal | undefined,
): Promise<Added | undefined> {
  if (expression !== undefined) return undefined;
  const history = earlier.slice(-QUESTIONS).map((question) => plainWords(question.slice(0, QUESTION_CHARS)));
  const rewriting = rewriter && await inTime(rewriter, text, history, signal);
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
  });
}

async function inTime(
  rewriter: Rewriter,
  question: string,
  history: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Rewriting | undefined> {
  const patience = AbortSignal.timeout(rewriter.timeoutSeconds * 1000);
  const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(either.reason);
  either.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([rewriter.rewrite(question, history, either), aborted.promise]);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  } finally {
    either.removeEventListener("abort", abort);
  }
}

/** A text without the marks that a search takes as operators. */
function plainWords(text: string): string {
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

/** Further terms, and UTF-16 units of one. */
const TERMS = 6, TERM_CHARS = 60;

/** Rewrites a question. A term with a number that the user has not written is left out. */
const REWRITE: GeneratedTask<{ readonly question: string; readonly history: readonly string[] }, Rewriting> =
  {
    name: "rewrite",
    version: 1,
    schema: z.object({ question: z.string().max(4000), terms: z.array(z.string().max(400)).max(50) }),
    maxOutputTokens: 300,
    values: ({ question, history }) => ({ question, history: history.join("\n") }),
    checked({ question, terms }, input) {
      const typed = [input.question, ...input.history].join(" ").normalize("NFKC");
      const isTyped = (number: string) => typed.includes(number);
      const numbersIn = (text: string) => text.normalize("NFKC").match(/\d+/g) ?? [];
      return {
        question: plainWords(question),
        terms: terms.map((term) => plainWords(term.slice(0, TERM_CHARS)))
          .filter((term) => term !== "" && numbersIn(term).every(isTyped)).slice(0, TERMS),
      };
    },
  };

/** Rewrites questions with the language model of the configuration, and keeps what it has made. */
export class ModelRewriter implements Rewriter {
  readonly id: string;
  readonly timeoutSeconds: number;
  readonly #generator: Generator;

  constructor(generator: Generator, timeoutSeconds: number) {
    this.#generator = generator;
    this.id = generator.model.id;
    this.timeoutSeconds = timeoutSeconds;
  }

  rewrite(question: string, history: readonly string[], signal: AbortSignal): Promise<Rewriting | undefined> {
    const language: Language = /\p{Script=Han}/u.test(question) ? "zh" : "en";
    return this.#generator.make(REWRITE, { question, history }, language, signal);
  }
}
