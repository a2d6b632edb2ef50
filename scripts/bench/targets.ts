import type { Compared, Samples } from "./samples.ts";

/** The folder, language and mode that figures belong to; absent where they do not depend on them. */
export interface Measured {
  readonly chunks?: number;
  readonly language?: string;
  readonly mode?: string;
}

/** Limits that a figure should keep. */
interface Target extends Measured {
  readonly figure: string;
  readonly most?: number;
  readonly least?: number;
  /** Most CPU time, in the unit of the figure. */
  readonly mostCpu?: number;
}

const K100 = 100_000, M1 = 1_000_000;
const KEYWORD = { mode: "keyword" }, HYBRID = { mode: "hybrid" };

/** The targets that the program is measured against. */
const TARGETS: readonly Target[] = [
  { figure: "initialize : bare runtime", most: 3.7 },
  { figure: "initialize ms", most: 110 },
  { figure: "idle MB", most: 90 },
  { figure: "executable MB", most: 120 },
  { figure: "100 MB file s", most: 7, mostCpu: 10 },
  { figure: "100 MB file, peak MB", most: 600 },
  { figure: "one search in 3,400 files s", most: 0.8 },
  { figure: "local models, chunks/s", least: 30 },
  { figure: "index MB/s", chunks: K100, ...KEYWORD, least: 20 },
  { figure: "index MB/s", chunks: K100, ...HYBRID, least: 10 },
  { figure: "search without server p50 ms", chunks: K100, ...HYBRID, most: 5 },
  { figure: "search without server p95 ms", chunks: K100, ...HYBRID, most: 10 },
  { figure: "search without server p50 ms", chunks: M1, ...HYBRID, most: 20 },
  { figure: "search without server p50 ms", chunks: M1, ...KEYWORD, most: 3 },
  { figure: "server adds p50 ms", chunks: K100, most: 4 },
  { figure: "ten hits : three hits", chunks: K100, most: 1.5 },
  { figure: "serving MB", chunks: K100, ...KEYWORD, most: 180 },
  { figure: "serving MB", chunks: K100, ...HYBRID, most: 260 },
  { figure: "serving MB", chunks: M1, most: 600 },
  // The memory after a search differs by some percent from one second to the next.
  { figure: "MB after 10,000 searches : before", most: 1.1 },
  { figure: "update ms", chunks: K100, ...KEYWORD, most: 25 },
  { figure: "update ms", chunks: K100, ...HYBRID, most: 150 },
  { figure: "update ms", chunks: M1, most: 2000 },
  { figure: "peak of indexing MB", chunks: M1, most: 4000 },
  { figure: "first filter ms", chunks: K100, most: 2 },
];

export type Row = Record<string, string | number>;

/** Values of other programs by their names and, of each, by the figure. */
export type Others = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** Returns a row for each figure: both programs, if there are two, others beside them, and the target. */
export function rowsOf(samples: Samples, count: number, measured: Measured, others: Others): Row[] {
  return samples.names.map((figure) => {
    const found = samples.compared(figure, count);
    const target = TARGETS.find((target) =>
      target.figure === figure && (target.chunks ?? measured.chunks) === measured.chunks &&
      (target.mode ?? measured.mode) === measured.mode
    );
    return {
      figure,
      ...measured,
      ...(count > 1 ? { before: shown(found.before) } : {}),
      now: shown(found.now),
      ...(count > 1 ? { ratio: shown(found.ratio, 3), "CPU before": shown(found.cpuBefore) } : {}),
      CPU: shown(found.cpu),
      ...(count > 1 ? { "CPU ratio": shown(found.cpuRatio, 3) } : {}),
      ...Object.fromEntries([...others].map(([name, figures]) => [name, shown(figures[figure] ?? NaN)])),
      ...judged(target, found),
    };
  });
}

function judged(target: Target | undefined, { now, cpu }: Compared): Row {
  if (target === undefined || Number.isNaN(now)) return { target: "", verdict: "" };
  const { most, least, mostCpu } = target;
  const isMet = now <= (most ?? Infinity) && now >= (least ?? -Infinity) && !(cpu > (mostCpu ?? Infinity));
  const limit = most === undefined ? `>= ${least}` : `<= ${most}`;
  return {
    target: mostCpu === undefined ? limit : `${limit}, CPU ${mostCpu}`,
    verdict: isMet ? "met" : "missed",
  };
}

/** Three digits or more, and nothing for what was not measured. */
function shown(value: number, digits = value < 10 ? 2 : value < 100 ? 1 : 0): string {
  return Number.isNaN(value) ? "" : value.toFixed(digits);
}
