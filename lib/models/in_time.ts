/** The error of work that took too long. */
export class TooLate extends Error {
  override readonly name = "TooLate";
}

/**
 * The result of `work`, or its error. Rejects with {@linkcode TooLate} after `milliseconds`, and with the signal's reason as
 * soon as it aborts. The work is not waited for then: a runtime that does not end it must not hold up the program.
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new TooLate()), milliseconds);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  // Nobody looks at the result of work that comes too late.
  work.catch(() => {});
  try {
    return await Promise.race([ended, work]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
