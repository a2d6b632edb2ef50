/**
 * Verdicts on answers by a language model, as in ragas: it splits texts into statements and judges them. Its answers are kept, so that
 * the same answers are judged once.
 */
import * as z from "zod";
import { type Language, languageOfText } from "#foundation/messages/mod.ts";
import type { GeneratedTask, Generator } from "#library/generate/mod.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { type AnswerJudge, type Values, valuesOf, type Verdicts } from "./answers.ts";
import type { StatementCounts } from "./answer_metrics.ts";
import { OfflineVerdicts } from "./offline_judge.ts";

/** Statements of a text at most, and questions that stand for an answer. */
const MOST_STATEMENTS = 60;
const MOST_QUESTIONS = 5;

/** The task of all requests. */
const JUDGE = { name: "judge", version: 1 } as const;

const STATEMENTS: GeneratedTask<{ question: string; answer: string }, { statements: string[] }> = {
  ...JUDGE,
  schema: z.object({ statements: z.array(z.string()) }),
  maxOutputTokens: 1500,
  kind: () => "statements",
  values: (input) => input,
  checked: ({ statements }) => ({
    statements: statements.map((text) => text.trim()).filter((text) => text !== "").slice(0, MOST_STATEMENTS),
  }),
};

const VERDICT = z.int().min(0).max(1);

interface StatementsInput {
  readonly kind: "faithfulness" | "recall";
  readonly passages: readonly string[];
  readonly statements: readonly string[];
}

const SUPPORTED: GeneratedTask<StatementsInput, { verdicts: { statement: number; verdict: number }[] }> = {
  ...JUDGE,
  schema: z.object({ verdicts: z.array(z.object({ statement: z.int(), verdict: VERDICT })) }),
  maxOutputTokens: 1500,
  kind: ({ kind }) => kind,
  values: ({ passages, statements }) => ({ passages, statements }),
  checked: (value, { statements }) =>
    isOfEach(value.verdicts.map(({ statement }) => statement), statements.length) ? value : undefined,
};

interface PassagesInput {
  readonly question: string;
  readonly reference: string;
  readonly passages: readonly string[];
}

const USEFUL: GeneratedTask<PassagesInput, { verdicts: { passage: number; verdict: number }[] }> = {
  ...JUDGE,
  schema: z.object({ verdicts: z.array(z.object({ passage: z.int(), verdict: VERDICT })) }),
  maxOutputTokens: 1000,
  kind: () => "precision",
  values: ({ question, reference, passages }) => ({ question, reference, passages }),
  checked: (value, { passages }) =>
    isOfEach(value.verdicts.map(({ passage }) => passage), passages.length) ? value : undefined,
};

const RELEVANCY: GeneratedTask<{ answer: string }, { questions: string[]; noncommittal: number }> = {
  ...JUDGE,
  schema: z.object({ questions: z.array(z.string()), noncommittal: VERDICT }),
  maxOutputTokens: 500,
  kind: () => "relevancy",
  values: (input) => input,
  checked: ({ questions, noncommittal }) => ({
    questions: questions.filter((question) => question.trim() !== "").slice(0, MOST_QUESTIONS),
    noncommittal,
  }),
};

interface ComparisonInput {
  readonly question: string;
  readonly statements: readonly string[];
  readonly reference: readonly string[];
}

const COMPARISON: GeneratedTask<ComparisonInput, { tp: number[]; fp: number[]; fn: number[] }> = {
  ...JUDGE,
  schema: z.object({ tp: z.array(z.int()), fp: z.array(z.int()), fn: z.array(z.int()) }),
  maxOutputTokens: 800,
  kind: () => "correctness",
  values: ({ question, statements, reference }) => ({ question, statements, reference }),
  checked: (value, { statements, reference }) => {
    const isOfReference = value.fn.every((number) => number >= 1 && number <= reference.length);
    const isOnce = new Set(value.fn).size === value.fn.length;
    const isRight = isOfEach([...value.tp, ...value.fp], statements.length) && isOfReference && isOnce;
    return isRight ? value : undefined;
  },
};

/** Whether numbers are those from 1 to `count`, each once, in any order. */
function isOfEach(numbers: readonly number[], count: number): boolean {
  return numbers.length === count && new Set(numbers).size === count &&
    numbers.every((number) => number >= 1 && number <= count);
}

/** Returns the judge that a model is. A verdict that it did not give makes a value that could not be computed. */
export function modelJudge(generator: Generator, table: LazyTable = new LazyTable()): AnswerJudge {
  return {
    name: generator.model.id,
    async measure(samples, { signal, onDone = () => {} }) {
      const values: Values[] = [];
      const offline = new OfflineVerdicts(table);
      const left = samples.entries();
      let done = 0;
      const work = async () => {
        for (const [i, sample] of left) {
          signal?.throwIfAborted();
          values[i] = await valuesOf(
            sample,
            new ModelVerdicts(generator, offline, languageOfText(sample.question), signal),
          );
          onDone(++done);
        }
      };
      await Promise.all(Array.from({ length: Math.min(generator.model.concurrency, samples.length) }, work));
      return values;
    },
  };
}

class ModelVerdicts implements Verdicts {
  readonly #generator: Generator;
  readonly #offline: OfflineVerdicts;
  readonly #language: Language;
  readonly #signal: AbortSignal | undefined;

  /** `offline`: its vectors compare questions and texts. */
  constructor(
    generator: Generator,
    offline: OfflineVerdicts,
    language: Language,
    signal: AbortSignal | undefined,
  ) {
    this.#generator = generator;
    this.#offline = offline;
    this.#language = language;
    this.#signal = signal;
  }

  async supported(
    text: string,
    passages: readonly string[],
    question: string,
    kind: "faithfulness" | "recall",
  ): Promise<boolean[] | undefined> {
    const statements = await this.#statements(text, question);
    if (statements === undefined || statements.length === 0) return statements === undefined ? undefined : [];
    if (passages.length === 0) return statements.map(() => false);
    const given = await this.#make(SUPPORTED, { kind, passages, statements });
    return given?.verdicts.toSorted((a, b) => a.statement - b.statement).map(({ verdict }) => verdict === 1);
  }

  async useful(
    reference: string,
    passages: readonly string[],
    question: string,
  ): Promise<boolean[] | undefined> {
    if (passages.length === 0) return [];
    const given = await this.#make(USEFUL, { question, reference, passages });
    return given?.verdicts.toSorted((a, b) => a.passage - b.passage).map(({ verdict }) => verdict === 1);
  }

  async relevancy(question: string, answer: string) {
    const given = await this.#make(RELEVANCY, { answer });
    if (given === undefined) return undefined;
    const isNoncommittal = given.noncommittal === 1;
    return await Promise.all(given.questions.map(async (generated) => {
      return { similarity: await this.#offline.similarity(question, generated), isNoncommittal };
    }));
  }

  async compare(answer: string, reference: string, question: string): Promise<StatementCounts | undefined> {
    const statements = await this.#statements(answer, question);
    const ofReference = await this.#statements(reference, question);
    if (statements === undefined || ofReference === undefined) return undefined;
    // There is nothing to compare, and nothing is asked.
    if (statements.length === 0 || ofReference.length === 0) {
      return { both: 0, answerOnly: statements.length, referenceOnly: ofReference.length };
    }
    const given = await this.#make(COMPARISON, { question, statements, reference: ofReference });
    return given && { both: given.tp.length, answerOnly: given.fp.length, referenceOnly: given.fn.length };
  }

  similarity(answer: string, reference: string): Promise<number> {
    return this.#offline.similarity(answer, reference);
  }

  async #statements(answer: string, question: string): Promise<readonly string[] | undefined> {
    return (await this.#make(STATEMENTS, { question, answer }))?.statements;
  }

  #make<Input, Value>(task: GeneratedTask<Input, Value>, input: Input): Promise<Value | undefined> {
    return this.#generator.make(task, input, this.#language, this.#signal);
  }
}

/** UTF-16 units of a drafted question. */
const LONGEST_QUESTION = 300;

const DRAFT: GeneratedTask<{ passage: string }, { questions: { question: string; answer: string }[] }> = {
  ...JUDGE,
  schema: z.object({ questions: z.array(z.object({ question: z.string(), answer: z.string() })) }),
  maxOutputTokens: 600,
  kind: () => "draft",
  values: ({ passage }) => ({ passages: passage }),
  // The answer must stand in the passage.
  checked: ({ questions }, { passage }) => {
    const plain = (text: string) => text.replace(/\s+/g, " ").trim();
    const kept = questions.map(({ question, answer }) => ({
      question: plain(question),
      answer: plain(answer),
    }))
      .filter(({ question, answer }) =>
        question !== "" && question.length <= LONGEST_QUESTION && answer !== "" &&
        plain(passage).includes(answer)
      );
    return kept.length === 0 ? undefined : { questions: kept };
  },
};

/** Returns questions that a model asks about a passage, with answers that stand in it; empty if it has none. */
export async function askedAbout(
  generator: Generator,
  passage: string,
  language: Language,
  signal?: AbortSignal,
): Promise<readonly { readonly question: string; readonly answer: string }[]> {
  return (await generator.make(DRAFT, { passage }, language, signal))?.questions ?? [];
}
