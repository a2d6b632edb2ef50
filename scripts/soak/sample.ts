/** Figures of the servers at one time. */
export interface Sample {
  /** Seconds since the start. */
  readonly at: number;
  /** Resident memory in MB of each server that is never restarted. */
  readonly memory: readonly number[];
  /** Open handles of each of them. */
  readonly handles: readonly number[];
  /** Milliseconds of the requests since the sample before, of all servers; absent if there were none. */
  readonly p50?: number;
  readonly p95?: number;
  readonly requests: number;
}

/** Returns the resident memory of a process in MB. Only on Linux. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024 / 1e6;
}

/** Returns the number of open handles of a process. Only on Linux. */
export function handlesOf(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Returns the value below which a share of the values lies; `undefined` for no values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

/**
 * Compares the second quarter of a run with the last: the first quarter is warm-up. Returns both medians over all servers; equal
 * ones mean no growth.
 */
export function growth(
  samples: readonly Sample[],
  of: (sample: Sample) => readonly number[],
): { readonly early: number; readonly late: number } {
  const quarter = Math.floor(samples.length / 4);
  const median = (some: readonly Sample[]) => quantile(some.flatMap(of), 0.5) ?? NaN;
  return {
    early: median(samples.slice(quarter, 2 * quarter)),
    late: median(samples.slice(-Math.max(1, quarter))),
  };
}
