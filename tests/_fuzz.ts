import * as fc from "fast-check";

/** `FUZZ_SECONDS`: how long each property is tried, instead of a number of times. */
const SECONDS = Number(Deno.env.get("FUZZ_SECONDS") ?? "0");
/** `FUZZ_SEED`: the seed that a failure printed. */
const SEED = Deno.env.get("FUZZ_SEED");

/** Parameters of a synchronous property: `runs` tries in the suite. */
export function fuzz<T>(runs: number): fc.Parameters<T> {
  return {
    ...(SECONDS > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: SECONDS * 1000 } : { numRuns: runs }),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  };
}

/**
 * Asserts an asynchronous property in `runs` tries, and again until the time is over. No try is interrupted, as it would go on
 * beside the next test.
 */
export async function assertFuzzed<T>(property: fc.IAsyncProperty<T>, runs: number): Promise<void> {
  const end = performance.now() + SECONDS * 1000;
  do {
    await fc.assert(property, { numRuns: runs, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
  } while (performance.now() < end);
}
