/**
 * Whether the sentences of an answer are supported by passages, without a model: each sentence is compared with the sentences of the
 * passages that say most of it, word by word and value by value.
 */
import type { Table, WordFinder } from "#models/embedding/mod.ts";
import {
  type Difference,
  negationDifference,
  orderDifference,
  placeDifference,
  valueDifference,
} from "./differences.ts";
import {
  coverage,
  evidenceFor,
  isChinese,
  type Item,
  Passages,
  type Sentence,
  sentenceOf,
  type Source,
} from "./passages.ts";
import { nameOfAnother } from "./roles.ts";
import { plainStatement, type Span } from "./sentences.ts";
import { statementsOf } from "./statements.ts";
import { Words } from "./words.ts";

export type Verdict = "supported" | "conflicting" | "not_found";

/** The reason of a verdict: a difference, or how much of the sentence the passages have. */
export type SupportReason = Difference["kind"] | "coverage";

/** A sentence of an answer and what the passages say about it. Its place is in the answer, in UTF-16 units. */
export interface CheckedSentence extends Span {
  readonly text: string;
  readonly verdict: Verdict;
  /** 0 to 1: orders sentences by how surely the passages say the same. It is no probability. */
  readonly score: number;
  readonly reason: SupportReason;
  /** Words of the sentence that the reason is about, and what the evidence has in their place. */
  readonly claimed?: string;
  readonly found?: string;
  /** A name that no passage has. A sentence with one is never supported. */
  readonly foreignName?: string;
  /** The sentence of a passage that has most of it; `undefined` if none has any. */
  readonly evidence?: Evidence;
}

/** A sentence of a passage. Its place is in the passage, in UTF-16 units. */
export interface Evidence extends Span {
  /** Number of the passage, from 0. */
  readonly passage: number;
  readonly quote: string;
}

/**
 * Least score of a supported sentence. Of 1,805 claims of four public sets that their passages do not support, 83 get this verdict; of the
 * 1,376 supported claims 63 % do.
 */
const SUPPORTED = 0.8;
/** The same for evidence in the other language: a translation never counts in full. */
const SUPPORTED_ACROSS = 0.7;
/** Least share of a sentence that its evidence has in a conflict: with less, the passages speak of something else. */
const SAME_TOPIC = 0.4;
/** Lists of passages that stay prepared, and UTF-16 units of one of them at most. */
const KEPT = 2, MOST_KEPT = 40_000;
/** Factor of the score if a value stands in no passage, or not in the best sentence of another language: it may be about another thing. */
const ABSENT = 0.7;
/** Factor of the score for each difference. A value that differs is missing in the coverage already. */
const LEFT: Readonly<Record<Difference["kind"], number>> = {
  number: 1,
  date: 1,
  unit: 1,
  name: 0.8,
  word: 0.9,
  negation: 0.4,
  opposite: 0.6,
};

/**
 * Checks answers against passages. Keeps state between calls: use one for each thread.
 *
 * ```ts
 * import { SupportChecker } from "./support.ts";
 * import { loadTable, WordFinder } from "#models/embedding/mod.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * const table = loadTable();
 * const checker = new SupportChecker(table, new WordFinder(table));
 * const [sentence] = checker.check("桥长 3.2 公里。", ["这座桥全长3200米，2019年建成。"]);
 * deepEqual(sentence!.verdict, "supported");
 * const [other] = checker.check("The bridge opened in 2018.", ["The bridge opened in May 2019."]);
 * deepEqual([other!.verdict, other!.reason, other!.found], ["conflicting", "date", "May 2019"]);
 * ```
 */
export class SupportChecker {
  readonly #words: Words;
  /** The passages of the last calls: an answer that is being written is checked sentence by sentence. */
  readonly #known: { readonly passages: readonly string[]; readonly prepared: Passages }[] = [];

  /** `finder`: of the same table. */
  constructor(table: Table, finder: WordFinder) {
    this.#words = new Words(table, finder);
  }

  /** Checks each sentence of an answer that states something. See `statements.ts` for what is left out. */
  check(answer: string, passages: readonly string[]): CheckedSentence[] {
    return finished(this.steps(answer, passages));
  }

  /** The same in steps of a sentence each, between which the caller may do other things. */
  *steps(answer: string, passages: readonly string[]): Generator<undefined, CheckedSentence[]> {
    const prepared = this.#knownFor(passages) ?? (yield* Passages.prepare(this.#words, passages));
    this.#keep(passages, prepared);
    const found: CheckedSentence[] = [];
    for (const { start, end } of statementsOf(answer)) {
      const text = answer.slice(start, end);
      const judged = this.#judge(text, prepared);
      yield;
      if (judged === undefined) continue;
      const { evidence, ...others } = judged;
      const quoted = evidence && { evidence: quote(evidence, passages) };
      found.push({ text, start, end, ...others, ...quoted });
    }
    return found;
  }

  #knownFor(passages: readonly string[]): Passages | undefined {
    return this.#known.find((known) =>
      known.passages.length === passages.length && known.passages.every((text, i) => text === passages[i])
    )?.prepared;
  }

  #keep(passages: readonly string[], prepared: Passages): void {
    const at = this.#known.findIndex((known) => known.prepared === prepared);
    if (at >= 0) this.#known.splice(at, 1);
    if (passages.reduce((sum, { length }) => sum + length, 0) > MOST_KEPT) return;
    this.#known.unshift({ passages: [...passages], prepared });
    this.#known.length = Math.min(this.#known.length, KEPT);
  }

  /** Returns how surely passages say the same as one statement of any length, 0 to 1. */
  score(claim: string, passages: readonly string[]): number {
    return this.#judge(claim, finished(Passages.prepare(this.#words, passages)))?.score ?? 0;
  }

  /**
   * Whether a text may say the same as a statement in other words: it has all values of the statement, and no sentence of it denies something
   * where the statement does not, or the other way round.
   */
  mayMeanSame(statement: string, text: string): boolean {
    const claim = sentenceOf(plainStatement(statement), this.#words);
    const passages = finished(Passages.prepare(this.#words, [text]));
    return passages.sources.every((source) => isNegated(source) === isNegated(claim)) &&
      passages.itemsOf(claim).every(({ value, covers }) => value === undefined || covers.size > 0);
  }

  /** Whether one of two texts denies something and the other does not. */
  areContrary(a: string, b: string): boolean {
    const [first, second] = [a, b].map((text) => isNegated(sentenceOf(plainStatement(text), this.#words)));
    return first !== second;
  }

  /** Returns `undefined` for a text without words and values that say something: there is nothing to compare. */
  #judge(text: string, passages: Passages): Judged | undefined {
    const claim = sentenceOf(plainStatement(text), this.#words);
    const items = passages.itemsOf(claim);
    if (items.length === 0) return undefined;
    const { sources } = passages;
    const chosen = evidenceFor(items, sources.length);
    const foreignName = items.find(({ name, covers }) => name !== undefined && covers.size === 0)?.name;
    const foreign = foreignName === undefined ? {} : { foreignName };
    if (chosen.length === 0) return { verdict: "not_found", score: 0, reason: "coverage", ...foreign };
    const total = items.reduce((sum, { weight }) => sum + weight, 0);
    const covered = items.reduce((sum, item) => sum + item.weight * coverage(item, chosen), 0) / total;
    const evidence = sources[chosen[0]!]!;
    const difference = valueDifference(claim, items, sources, chosen) ??
      negationDifference(claim, evidence) ??
      orderDifference(claim, evidence, this.#words) ??
      certain(
        placeDifference(claim, evidence, this.#words, chosen.slice(1).map((i) => sources[i]!)),
        () => nameOfAnother(claim, items, sources, chosen, this.#words),
      );
    const isAcross = isChinese(claim) !== isChinese(evidence);
    const isAbsent = (item: Item) =>
      item.isAbsent || isAcross && item.value !== undefined && coverage(item, chosen.slice(0, 1)) === 0;
    const score = covered * (items.some(isAbsent) ? ABSENT : 1) *
      (difference === undefined ? 1 : LEFT[difference.kind]);
    if (!difference?.isCertain) {
      const least = isAcross ? SUPPORTED_ACROSS : SUPPORTED;
      const verdict = score >= least && foreignName === undefined ? "supported" : "not_found";
      return { verdict, score, reason: "coverage", ...foreign, evidence };
    }
    const { kind, claimed, found } = difference;
    // A negation may have nothing in its place, a value must have another one.
    const isConflict = covered >= SAME_TOPIC && (found !== undefined || kind === "negation");
    const verdict = isConflict ? "conflicting" : "not_found";
    const instead = found === undefined ? {} : { found };
    return { verdict, score, reason: kind, claimed, ...instead, ...foreign, evidence };
  }
}

type Judged = Omit<CheckedSentence, keyof Span | "text" | "evidence"> & { readonly evidence?: Source };

function finished<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Returns a difference, or one that decides the verdict in its place. */
function certain(
  difference: Difference | undefined,
  decisive: () => Difference | undefined,
): Difference | undefined {
  return difference?.isCertain ? difference : decisive() ?? difference;
}

function isNegated({ words }: Sentence): boolean {
  return words.some(({ isNegation }) => isNegation);
}

function quote({ passage, start, end }: Source, passages: readonly string[]): Evidence {
  return { passage, start, end, quote: passages[passage]!.slice(start, end) };
}
