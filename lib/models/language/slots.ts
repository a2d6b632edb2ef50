/** A limit of the calls to a model that run at the same time. */

/** Lets a number of calls run at the same time; the others wait in their order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot, which is free again when the result is disposed of. Throws the reason of an aborted signal. */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#release() };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
