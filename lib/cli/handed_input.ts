/**
 * Stdin for a thread that does not read it itself. The launcher reads it and hands the bytes over, so that it notices the
 * end of stdin even while this thread is stuck.
 */
export class HandedInput {
  /** The bytes of stdin. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly #chunks: (Uint8Array | null)[] = [];
  #onChunk: (() => void) | undefined;

  /** `onTaken` is called with the length of each chunk when that has been read from the stream. */
  constructor(onTaken: (bytes: number) => void) {
    this.readable = new ReadableStream({
      pull: async (controller) => {
        const chunk = await this.#next();
        if (chunk === null) {
          // A read of stdin would also let pending tasks run before the end is seen.
          await new Promise((resolve) => setTimeout(resolve));
          return controller.close();
        }
        controller.enqueue(chunk);
        onTaken(chunk.length);
      },
    }, { highWaterMark: 0 });
  }

  /** Adds the next bytes to the stream; null closes it. */
  hand(chunk: Uint8Array | null): void {
    this.#chunks.push(chunk);
    this.#onChunk?.();
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#chunks.length === 0) await new Promise<void>((resolve) => this.#onChunk = resolve);
    return this.#chunks.shift()!;
  }
}
