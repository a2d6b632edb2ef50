/**
 * Bytes that are read ahead of the worker. Within them the end of stdin is noticed while the worker is stuck; beyond, stdin
 * is left unread, so that a client that floods does not fill the memory.
 */
const AHEAD = 64 * 1024 * 1024;

const CHUNK = 64 * 1024;

/** Reads stdin and hands it over, for a worker that may be stuck, in which case it would not notice stdin's end. */
export class InputHander {
  #ahead = 0;
  #onTaken: (() => void) | undefined;

  /** The worker has taken so many bytes. */
  taken(bytes: number): void {
    this.#ahead -= bytes;
    this.#onTaken?.();
  }

  /** Hands over all of stdin by `hand`; resolves when it has ended, or cannot be read. */
  async run(hand: (chunk: Uint8Array<ArrayBuffer> | null) => void): Promise<void> {
    const buffer = new Uint8Array(CHUNK);
    for (;;) {
      while (this.#ahead > AHEAD) await new Promise<void>((resolve) => this.#onTaken = resolve);
      // the end, too, for whoever reads it: there is nothing more to come
      const count = await Deno.stdin.read(buffer).catch(() => null);
      if (count === null) return hand(null);
      this.#ahead += count;
      hand(buffer.slice(0, count));
    }
  }
}
