/**
 * Bytes of stdin that are read ahead of the worker. The end of stdin is noticed within them, even while the worker is stuck.
 * Further bytes are not read, so that a client cannot fill the memory.
 */
const AHEAD = 64 * 1024 * 1024;

const CHUNK = 64 * 1024;

/** Reads stdin for a worker that may get stuck and would then not notice the end of stdin. */
export class InputHander {
  #ahead = 0;
  #onTaken: (() => void) | undefined;

  /** Call it with the number of bytes that the worker has read. */
  taken(bytes: number): void {
    this.#ahead -= bytes;
    this.#onTaken?.();
  }

  /** Passes all of stdin to `hand`, and null at its end. Resolves when stdin has ended or cannot be read. */
  async run(hand: (chunk: Uint8Array<ArrayBuffer> | null) => void): Promise<void> {
    const buffer = new Uint8Array(CHUNK);
    for (;;) {
      while (this.#ahead > AHEAD) await new Promise<void>((resolve) => this.#onTaken = resolve);
      // An error counts as the end, because no bytes will follow.
      const count = await Deno.stdin.read(buffer).catch(() => null);
      if (count === null) return hand(null);
      this.#ahead += count;
      hand(buffer.slice(0, count));
    }
  }
}
