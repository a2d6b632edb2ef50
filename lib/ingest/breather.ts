/** How long the program computes without looking up, unless told otherwise, in milliseconds. */
const SPELL_MS = 50;

/** Lets long work look up now and then: for signals, timers and the progress display. */
export class Breather {
  #last = performance.now();

  constructor(
    readonly signal: AbortSignal | undefined,
    readonly onBreath: () => void = () => {},
    readonly spellMs: number = SPELL_MS,
  ) {}

  /** Cheap to call often. Throws the signal's reason once it is aborted. */
  readonly pause = async (): Promise<void> => {
    this.signal?.throwIfAborted();
    const now = performance.now();
    if (now - this.#last < this.spellMs) return;
    this.onBreath();
    // a microtask would not let the event loop turn
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#last = performance.now();
    this.signal?.throwIfAborted();
  };
}
