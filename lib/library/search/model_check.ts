/**
 * The check of an answer by a language model. The check without a model comes first and has the last word on numbers, dates, units, names and
 * negations; the model decides on sentences that say the same, or something else, in other words.
 */
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { type Language, languageOfText, message } from "#foundation/messages/mod.ts";
import {
  type CheckedSentence,
  type Evidence,
  sentencesOf,
  type Span,
  type SupportChecker,
} from "#engine/support/mod.ts";
import { cleaned, type GeneratedTask, Generator, type Grounding } from "#library/generate/mod.ts";
import type { LanguageModel } from "#models/language/mod.ts";
import type { ModelCheckedSentence } from "./types.ts";

const VERDICTS = ["supported", "conflicting", "not_found"] as const;
/** Sentences of a request, and of an answer that a model judges; further ones are checked without it. */
const EACH = 10, MOST = 100;
/** UTF-16 units of passages of which all are sent. Of more, only those that the check without a model has quoted are. */
const MOST_PASSAGES = 40_000;

interface Asked {
  readonly sentences: readonly string[];
  readonly passages: readonly string[];
}

const JUDGED = z.object({
  statements: z.array(z.object({
    text: z.string().max(4000),
    sentence: z.int(),
    verdict: z.enum(VERDICTS),
    passage: z.int().nullable(),
    quote: z.string().max(4000).nullable(),
  })).max(200),
});

type Statement = z.infer<typeof JUDGED>["statements"][number];

/** Splits sentences into statements and compares each with the passages. */
const VERIFY: GeneratedTask<Asked, z.infer<typeof JUDGED>> = {
  name: "verify",
  version: 1,
  schema: JUDGED,
  maxOutputTokens: 2000,
  values: ({ sentences, passages }) => ({ answer: sentences, passages }),
};

/** Asks a model about a draft. Nothing is kept: a draft is checked once. */
export class ModelCheck {
  readonly #generator: Generator;
  readonly #failures: unknown[] = [];

  /** `prompts`: folder of the user's prompts. */
  constructor(model: LanguageModel, prompts: string | null) {
    const nothing = { get: () => Promise.resolve(undefined), set: () => Promise.resolve() };
    this.#generator = new Generator(nothing, model, {
      prompts,
      onFailure: (failure) => this.#failures.push(failure),
    });
  }

  /** Why sentences have the verdict of the check without a model. */
  notices(language: Language): string[] {
    const [failure] = this.#failures;
    if (failure === undefined) return [];
    const reason = failure instanceof UserError
      ? message(language, failure.key, failure.params)
      : message(language, "llm_failed");
    return [message(language, "llm_check_failed", { reason })];
  }

  /**
   * Returns the sentences of a check with the verdicts of the model, where it has quoted a passage for
   * them and the checks without a model do not object.
   */
  async judged(
    sentences: readonly CheckedSentence[],
    passages: readonly string[],
    checks: Checks,
    signal?: AbortSignal,
  ): Promise<readonly ModelCheckedSentence[]> {
    const groups = Array.from(
      { length: Math.ceil(Math.min(sentences.length, MOST) / EACH) },
      (_, i) => sentences.slice(i * EACH, Math.min(MOST, (i + 1) * EACH)),
    );
    const judged = await Promise.all(groups.map(async (group) => {
      const texts = group.map(({ text }) => text);
      const numbers = sentTo(group, passages);
      const sent = numbers.map((number) => passages[number]!);
      const language = languageOfText(texts.join());
      const made = await this.#generator.make(VERIFY, { sentences: texts, passages: sent }, language, signal);
      return group.map((sentence, i) => {
        const own = made?.statements.filter((statement) => statement.sentence === i + 1) ?? [];
        return decided(sentence, own, { passages, numbers, checks });
      });
    }));
    return [...judged.flat(), ...sentences.slice(MOST)];
  }
}

/** The checks without a model, which have the last word on what a model supports. */
interface Checks {
  readonly checker: Pick<SupportChecker, "check" | "mayMeanSame" | "areContrary">;
  readonly grounding: Grounding;
}

/** Returns the numbers of the passages that a model gets. */
function sentTo(group: readonly CheckedSentence[], passages: readonly string[]): readonly number[] {
  const length = passages.reduce((sum, text) => sum + text.length, 0);
  if (length <= MOST_PASSAGES) return [...passages.keys()];
  return [...new Set(group.flatMap(({ evidence }) => evidence === undefined ? [] : [evidence.passage]))];
}

/** Returns a sentence with the verdict of its statements; as it is where these decide nothing. */
function decided(
  sentence: CheckedSentence,
  statements: readonly Statement[],
  { passages, numbers, checks }: {
    readonly passages: readonly string[];
    readonly numbers: readonly number[];
    readonly checks: Checks;
  },
): ModelCheckedSentence {
  if (statements.length === 0 || sentence.reason !== "coverage" || sentence.score >= VERBATIM) {
    return sentence;
  }
  const quoted = statements.map((statement) => {
    const passage = numbers[(statement.passage ?? 0) - 1];
    const evidence = passage === undefined ? undefined : evidenceOf(statement.quote ?? "", passages, passage);
    return { statement, evidence };
  });
  const unquoted = ({ statement, evidence }: typeof quoted[number]) =>
    statement.verdict !== "not_found" && evidence === undefined;
  if (quoted.some(unquoted)) return sentence;
  const rank = (verdict: string) => ["conflicting", "not_found", "supported"].indexOf(verdict);
  const [worst] = quoted.toSorted((a, b) => rank(a.statement.verdict) - rank(b.statement.verdict));
  const { verdict } = worst!.statement;
  if (verdict === "supported") {
    const quotes = quoted.flatMap(({ evidence }) => evidence === undefined ? [] : [evidence]);
    if (!isConfirmed(sentence, quotes, passages, checks)) return sentence;
  }
  const evidence = worst!.evidence ?? sentence.evidence;
  const parts = statements.length < 2 ? {} : {
    statements: quoted.map(({ statement: { text, verdict }, evidence }) => ({
      text: cleaned(text, LONGEST),
      verdict,
      ...(evidence !== undefined && { quote: evidence.quote }),
    })),
  };
  return { ...sentence, verdict, reason: "model", ...parts, ...(evidence !== undefined && { evidence }) };
}

/** Score of a sentence that stands in a passage: no model has to judge it. */
const VERBATIM = 0.99;
/** UTF-16 units of a statement that is shown. */
const LONGEST = 500;

/** Returns the place of a quotation in a passage; `undefined` if it does not stand there word for word. */
function evidenceOf(quote: string, passages: readonly string[], passage: number): Evidence | undefined {
  const words = quote.trim().split(/\s+/);
  if (!/[\p{L}\p{N}]/u.test(quote)) return undefined;
  const pattern = words.map((word) => word.replace(/[$.*+?^()[\]{}|\\/-]/g, "\\$&")).join("\\s+");
  const found = new RegExp(pattern, "u").exec(passages[passage]!);
  if (found === null) return undefined;
  const { index: start, 0: text } = found;
  return { passage, start, end: start + text.length, quote: text };
}

/** Sentences that a quotation may be part of: one of a whole passage has some number for every claim. */
const MOST_QUOTED = 2;

/**
 * Whether the sentences that a model has quoted have the values and names of a sentence, and differ from it in nothing that is certain. Names
 * may also stand in the first line of the passage. A sentence that a closer one denies is not confirmed by others.
 */
function isConfirmed(
  { text, foreignName, evidence }: CheckedSentence,
  quotes: readonly Evidence[],
  passages: readonly string[],
  { checker, grounding }: Checks,
): boolean {
  const around = quotes.map((quote) => quotedSentences(quote, passages));
  if (foreignName !== undefined || around.some(({ length }) => length > MOST_QUOTED)) return false;
  if (evidence !== undefined && checker.areContrary(text, evidence.quote)) return false;
  const texts = around.map((sentences) => sentences.join("\n"));
  const headings = quotes.map(({ passage }) => /^(.*)\n/.exec(passages[passage]!)?.[1] ?? "");
  return checker.mayMeanSame(text, texts.join("\n\n")) &&
    grounding.of([...headings, ...texts].join("\n\n")).hasNames(text) &&
    checker.check(text, texts).every(({ reason }) => reason === "coverage");
}

/** Returns the sentences that a quotation is part of. */
function quotedSentences({ passage, start, end }: Evidence, passages: readonly string[]): string[] {
  const text = passages[passage]!;
  return sentencesOf(text).filter((span: Span) => span.start < end && start < span.end)
    .map((span) => text.slice(span.start, span.end));
}
