/**
 * Stdin for a thread that does not read it itself: another thread reads it and hands the bytes over, so that it notices the
 * end of stdin even while this thread is stuck.
 */
export class HandedInput {
  /** The bytes in their order. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly #chunks: (Uint8Array | null)[] = [];
  #onChunk: (() => void) | undefined;

  /** `onTaken` is called with the number of bytes of each chunk when it has been read from the stream. */
  constructor(onTaken: (bytes: number) => void) {
    this.readable = new ReadableStream({
      pull: async (controller) => {
        const chunk = await this.#next();
        if (chunk === null) {
          // as after a read of stdin itself: what was asked before it has had its turn
          await new Promise((resolve) => setTimeout(resolve));
          return controller.close();
        }
        controller.enqueue(chunk);
        onTaken(chunk.length);
      },
    }, { highWaterMark: 0 });
  }

  /** Takes the next bytes; null: stdin has ended. */
  hand(chunk: Uint8Array | null): void {
    this.#chunks.push(chunk);
    this.#onChunk?.();
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#chunks.length === 0) await new Promise<void>((resolve) => this.#onChunk = resolve);
    return this.#chunks.shift()!;
  }
}
