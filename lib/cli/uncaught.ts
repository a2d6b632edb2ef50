import { Interrupted } from "./context.ts";

/**
 * Does `work` and gives its exit code; where an error turns up in this thread that nobody catches, that of `onUncaught`,
 * which is called for the first alone: those that follow are its consequences. The runtime would print such an error as it
 * is, with whatever secrets and control characters it holds.
 */
export function untilUncaught(
  work: () => Promise<number>,
  onUncaught: (error: unknown) => Promise<number>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const fail = (event: Event, error: unknown) => {
      event.preventDefault();
      // these are no faults, and the work ends by them in an orderly way
      const isOrderly = error instanceof Interrupted || error instanceof Deno.errors.BrokenPipe;
      if (failed || isOrderly) return;
      failed = true;
      resolve(onUncaught(error));
    };
    globalThis.addEventListener("error", (event) => fail(event, event.error ?? event.message));
    globalThis.addEventListener("unhandledrejection", (event) => fail(event, event.reason));
    // the first to come counts: not resolve(work()), which would leave no choice
    work().then(resolve, reject);
  });
}
