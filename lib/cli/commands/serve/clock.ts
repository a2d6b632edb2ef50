/** The time, for what has to be done later. */
export interface Clock {
  /** Milliseconds since any fixed time. It never goes back, and may stand still while the machine sleeps. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** The time of the machine. */
export const CLOCK: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause(ms, signal) {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
    });
  },
};
