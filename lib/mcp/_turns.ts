import { setImmediate } from "node:timers";

/**
 * Lets calls begin one in each turn of the event loop. A search of a small index computes without waiting for anything, and many of
 * them in one turn would delay all that comes from outside: cancellations, the end of stdin, the signal to end.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves in a turn in which no other call has begun: at once if there is none. */
  next(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve));
    this.#take();
    return Promise.resolve();
  }

  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#take();
      first();
    });
  }
}
