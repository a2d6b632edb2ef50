/**
 * Judged claims: how well the check of an answer tells those that passages support from the others. AUC, balanced accuracy, precision and
 * recall.
 */
import { basename } from "node:path";
import { setImmediate } from "node:timers";
import { UsageError } from "#foundation/errors.ts";
import { SupportChecker } from "#engine/support/mod.ts";
import { LazyTable, WordFinder } from "#models/embedding/mod.ts";
import { jsonLines } from "./questions.ts";

/** A claim with passages, and whether they support the whole of it. */
interface JudgedClaim {
  readonly claim: string;
  readonly passages: readonly string[];
  readonly isSupported: boolean;
}

export interface ClaimSet {
  readonly name: string;
  /** At least one. */
  readonly claims: readonly JudgedClaim[];
}

const EXPECTED = '{"claim": "…", "passages": ["…", …], "label": "supported" | "…"}';

/**
 * Reads claims from a file of JSON lines: `claim`, `passages`, and `label`, which is `supported` for a claim that the passages support as a
 * whole. Returns `undefined` if the first line has no `claim`, or is no JSON. Throws `UsageError` `eval_unreadable`, `eval_not_json` and
 * `eval_bad_line`.
 */
export async function readClaims(path: string): Promise<ClaimSet | undefined> {
  const claims: JudgedClaim[] = [];
  try {
    for await (const { line, value } of jsonLines(path)) {
      const { claim, passages, label } = value;
      if (claims.length === 0 && claim === undefined) return undefined;
      const areTexts = Array.isArray(passages) && passages.every((text) => typeof text === "string");
      if (typeof claim !== "string" || claim.trim() === "" || !areTexts || typeof label !== "string") {
        throw new UsageError("eval_bad_line", { path, line, expected: EXPECTED });
      }
      claims.push({ claim, passages, isSupported: label === "supported" });
    }
  } catch (error) {
    // The reader of questions looks at such a file next, and says what is wrong with it.
    if (claims.length === 0 && error instanceof UsageError && error.key !== "eval_bad_line") return undefined;
    throw error;
  }
  return claims.length === 0 ? undefined : { name: basename(path), claims };
}

/** The figures in the order in which they are shown, from 0 to 1. Precision and recall are those of claims without support. */
export const SUPPORT_METRICS = ["auc", "accuracy", "precision", "recall"] as const;

type SupportMetric = typeof SUPPORT_METRICS[number];

/** The figures of a set. A figure is null where it does not exist: without claims of both kinds, or without a claim that was found unsupported. */
export interface SupportResult extends Readonly<Record<SupportMetric, number | null>> {
  readonly name: string;
  readonly claims: number;
  /** Claims that their passages support. */
  readonly supported: number;
  /** Mean wall-clock time of a claim. */
  readonly milliseconds: number;
}

/** Checks the claims of a set. A claim counts as supported if each of its sentences is. */
export async function evaluateSupport(
  { name, claims }: ClaimSet,
  { signal, table = new LazyTable() }: { readonly signal?: AbortSignal; readonly table?: LazyTable } = {},
): Promise<SupportResult> {
  const checker = new SupportChecker(table.get(), new WordFinder(table.get()));
  const began = performance.now();
  const judged: { score: number; isFound: boolean; isSupported: boolean }[] = [];
  for (const { claim, passages, isSupported } of claims) {
    // So that Ctrl-C is heard.
    if (judged.length % 20 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const sentences = checker.check(claim, passages);
    const isFound = sentences.length > 0 && sentences.every(({ verdict }) => verdict === "supported");
    judged.push({ score: checker.score(claim, passages), isFound, isSupported });
  }
  const count = (isSupported: boolean, isFound: boolean) =>
    judged.filter((each) => each.isSupported === isSupported && each.isFound === isFound).length;
  const [kept, lost, missed, caught] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  const recall = ratio(caught, caught + missed);
  const keptShare = ratio(kept, kept + lost);
  return {
    name,
    claims: claims.length,
    supported: kept + lost,
    auc: areaUnderCurve(judged),
    accuracy: recall === null || keptShare === null ? null : (recall + keptShare) / 2,
    precision: ratio(caught, caught + lost),
    recall,
    milliseconds: (performance.now() - began) / claims.length,
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/**
 * The probability that a supported claim has a higher score than another one, with ties as one half (Mann, Whitney 1947); null without claims
 * of both kinds.
 */
function areaUnderCurve(judged: readonly { readonly score: number; readonly isSupported: boolean }[]) {
  const sorted = judged.toSorted((a, b) => a.score - b.score);
  let ranks = 0;
  for (let first = 0; first < sorted.length;) {
    let end = first + 1;
    while (end < sorted.length && sorted[end]!.score === sorted[first]!.score) end++;
    const rank = (first + 1 + end) / 2;
    ranks += rank * sorted.slice(first, end).filter(({ isSupported }) => isSupported).length;
    first = end;
  }
  const supported = judged.filter(({ isSupported }) => isSupported).length;
  return ratio(ranks - supported * (supported + 1) / 2, supported * (judged.length - supported));
}

/** The least value of a figure. */
export interface SupportThreshold {
  readonly metric: SupportMetric;
  readonly value: number;
}

/** Parses `METRIC=VALUE`, such as `auc=0.8`. Throws `UsageError` `eval_bad_support_min`. */
export function parseSupportThreshold(text: string): SupportThreshold {
  const [, name, number] = /^(\w+)=(\d*\.?\d+|\d+\.)$/.exec(text.trim()) ?? [];
  const metric = SUPPORT_METRICS.find((each) => each === name?.toLowerCase());
  const value = Number(number);
  if (metric === undefined || !(value <= 1)) {
    throw new UsageError("eval_bad_support_min", { value: text, metrics: SUPPORT_METRICS.join(", ") });
  }
  return { metric, value };
}

/** Returns the thresholds that a result does not reach. A figure that does not exist reaches none. */
export function supportShortfalls(thresholds: readonly SupportThreshold[], result: SupportResult) {
  return thresholds.flatMap(({ metric, value }) => {
    const reached = result[metric];
    return reached !== null && reached >= value ? [] : [{ name: result.name, metric, value, reached }];
  });
}
