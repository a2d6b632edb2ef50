/** Wall-clock and CPU times, or other values, of one figure and program, in the order in which they were measured. */
interface Values {
  readonly found: number[];
  readonly cpu: number[];
}

/** Returns the value below which a share of the values lies; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/**
 * A figure of one program beside that of the program before; NaN where something was not measured. Values are medians. CPU times are
 * means, because one is known in steps of ten milliseconds only.
 */
export interface Compared {
  readonly now: number;
  readonly cpu: number;
  readonly before: number;
  readonly cpuBefore: number;
  /** The median ratio of pairs that were measured one after the other. */
  readonly ratio: number;
  /** The ratio of the means. */
  readonly cpuRatio: number;
}

/** Samples of figures, by their names, of one program or of two that take turns. */
export class Samples {
  readonly #figures = new Map<string, Values[]>();

  /** Adds a value of a figure. `side`: number of the program; `cpu`: CPU time in the same unit. */
  add(figure: string, side: number, found: number, cpu = NaN): void {
    let sides = this.#figures.get(figure);
    if (sides === undefined) this.#figures.set(figure, sides = []);
    const values = sides[side] ??= { found: [], cpu: [] };
    values.found.push(found);
    if (!Number.isNaN(cpu)) values.cpu.push(cpu);
  }

  /** The names of the figures, in the order in which they were first measured. */
  get names(): string[] {
    return [...this.#figures.keys()];
  }

  /** Compares the last of `count` programs with the one before it. */
  compared(figure: string, count: number): Compared {
    const values = this.#figures.get(figure) ?? [];
    const now = values[count - 1], before = count > 1 ? values[count - 2] : undefined;
    const cpu = mean(now?.cpu ?? []), cpuBefore = mean(before?.cpu ?? []);
    return {
      now: median(now?.found ?? []),
      cpu,
      before: median(before?.found ?? []),
      cpuBefore,
      ratio: ratioOf(before?.found ?? [], now?.found ?? []),
      cpuRatio: cpu / cpuBefore,
    };
  }
}

/** NaN if there are none. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function ratioOf(before: readonly number[], now: readonly number[]): number {
  return median(before.slice(0, now.length).map((value, i) => now[i]! / value));
}
