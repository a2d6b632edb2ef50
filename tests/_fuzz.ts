import type * as fc from "fast-check";

/**
 * Parameters of a property test: `runs` tries in the suite. `FUZZ_SECONDS=600` tries for that long instead, and `FUZZ_SEED` repeats
 * the seed that a failure printed.
 */
export function fuzz<T>(runs: number): fc.Parameters<T> {
  const seconds = Number(Deno.env.get("FUZZ_SECONDS") ?? "0");
  const seed = Deno.env.get("FUZZ_SEED");
  return {
    ...(seconds > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000 } : { numRuns: runs }),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
