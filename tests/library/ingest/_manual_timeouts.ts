/**
 * Stops the clock of time-outs of `seconds`: they expire when {@linkcode expire} is called. A machine under load then
 * cannot make other requests expire.
 */
export class ManualTimeouts implements Disposable {
  readonly #setTimeout = globalThis.setTimeout;
  readonly #pending = new Set<() => void>();

  constructor(seconds = 60) {
    const set = this.#setTimeout, pending = this.#pending;
    globalThis.setTimeout = ((callback: () => void, delay?: number) => {
      if (delay !== seconds * 1000) return set(callback, delay);
      pending.add(callback);
      // the caller clears it, so it must be a timer
      return set(() => {}, delay);
    }) as typeof setTimeout;
  }

  /** Lets every time-out expire that was set so far. One that was cleared may run again, which aborts nothing. */
  expire(): void {
    for (const callback of this.#pending) callback();
    this.#pending.clear();
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#setTimeout;
  }
}
