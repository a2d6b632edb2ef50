/**
 * Verdicts on answers without a model: statements are sentences, the checker of answers compares their words and values with the passages,
 * and the built-in vectors give similarities.
 */
import { setImmediate } from "node:timers";
import { statementsOf, SupportChecker } from "#engine/support/mod.ts";
import { BuiltinProvider, LazyTable, WordFinder } from "#models/embedding/mod.ts";
import { type AnswerJudge, type Values, valuesOf, type Verdicts } from "./answers.ts";
import { cosine, type StatementCounts } from "./answer_metrics.ts";

/** Its name in tables and in runs that are kept. */
export const OFFLINE = "offline";

/** Returns the judge that needs no model. */
export function offlineJudge(table: LazyTable = new LazyTable()): AnswerJudge {
  return {
    name: OFFLINE,
    async measure(samples, { signal, onDone = () => {} }) {
      const verdicts = new OfflineVerdicts(table);
      const values: Values[] = [];
      for (const sample of samples) {
        // So that Ctrl-C is heard.
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        values.push(await valuesOf(sample, verdicts));
        onDone(values.length);
      }
      return values;
    },
  };
}

/** See the head of this file. */
export class OfflineVerdicts implements Verdicts {
  readonly #checker: SupportChecker;
  readonly #vectors: BuiltinProvider;

  constructor(table: LazyTable) {
    this.#checker = new SupportChecker(table.get(), new WordFinder(table.get()));
    this.#vectors = new BuiltinProvider(table.get());
  }

  supported(text: string, passages: readonly string[]): boolean[] {
    return this.#checker.check(text, passages).map(({ verdict }) => verdict === "supported");
  }

  /** A passage is useful if it alone supports a statement of the answer. */
  useful(answer: string, passages: readonly string[]): boolean[] {
    return passages.map((passage) => this.supported(answer, [passage]).includes(true));
  }

  /** The answer itself is compared. It is noncommittal if it states nothing: "The documents do not say that." */
  async relevancy(question: string, answer: string) {
    const similarity = await this.similarity(question, answer);
    return [{ similarity, isNoncommittal: statementsOf(answer).length === 0 }];
  }

  compare(answer: string, reference: string, question: string): StatementCounts {
    const ofAnswer = this.supported(answer, [inContext(reference, question)]);
    const ofReference = this.supported(reference, [inContext(answer, question)]);
    const count = (verdicts: readonly boolean[], wanted: boolean) =>
      verdicts.filter((verdict) => verdict === wanted).length;
    return {
      both: count(ofAnswer, true),
      answerOnly: count(ofAnswer, false),
      referenceOnly: count(ofReference, false),
    };
  }

  async similarity(a: string, b: string): Promise<number> {
    const [first, second] = await this.#vectors.embed([a, b], "document");
    return cosine(first!, second!);
  }
}

/** A short text answers in the words of its question: "2008" to "When was the bridge opened?". Values must not come from there. */
function inContext(text: string, question: string): string {
  return text.length < question.length ? `${question.replace(/[\p{N}?？]+/gu, " ")}: ${text}` : text;
}
