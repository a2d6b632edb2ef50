/** Rewrites questions with the language model of the configuration. It is loaded when one is asked. */
import * as z from "zod";
import type { UserError } from "#foundation/errors.ts";
import { languageOfText } from "#foundation/messages/mod.ts";
import type { GeneratedTask, Generator } from "#library/generate/mod.ts";
import { plainWords, type Rewriter, type Rewriting } from "./added_words.ts";

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
  readonly #failure: () => UserError | undefined;

  /** `failure`: returns the last failure of the generator. */
  constructor(generator: Generator, timeoutSeconds: number, failure: () => UserError | undefined) {
    this.#generator = generator;
    this.#failure = failure;
    this.id = generator.model.id;
    this.timeoutSeconds = timeoutSeconds;
  }

  get failure(): UserError | undefined {
    return this.#failure();
  }

  rewrite(question: string, history: readonly string[], signal: AbortSignal): Promise<Rewriting | undefined> {
    return this.#generator.make(REWRITE, { question, history }, languageOfText(question), signal);
  }
}
