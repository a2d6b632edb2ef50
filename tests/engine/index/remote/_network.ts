import { PART_BYTES, type PartRange, type RemoteBytes } from "#engine/index/remote/mod.ts";

/** A place far away that counts how often it is asked. What is asked for in one turn of the event loop is one trip. */
export class Network {
  trips = 0;
  /** Bytes that it has sent. */
  bytes = 0;
  /** Ranges asked for, as `part:from-to`, one list for each reading of a blob. */
  readonly asked: string[][] = [];
  /** Awaited before an answer. */
  delay: (signal: AbortSignal | undefined) => Promise<void> = () => Promise.resolve();
  closed = 0;
  #isTurn = false;

  /** A blob that lies there. */
  remote(blob: Uint8Array): RemoteBytes {
    return {
      size: blob.length,
      read: async (ranges, signal) => {
        this.#count(ranges);
        await this.delay(signal);
        return ranges.map(({ part, from, to }) => {
          const bytes = blob.slice(part * PART_BYTES + from, part * PART_BYTES + to);
          this.bytes += bytes.length;
          return bytes;
        });
      },
      close: () => void this.closed++,
    };
  }

  #count(ranges: readonly PartRange[]): void {
    this.asked.push(ranges.map(({ part, from, to }) => `${part}:${from}-${to}`));
    if (this.#isTurn) return;
    this.#isTurn = true;
    this.trips++;
    queueMicrotask(() => this.#isTurn = false);
  }

  /** Does work and returns the trips that it took. */
  async tripsOf(work: () => Promise<unknown>): Promise<number> {
    const before = this.trips;
    await work();
    return this.trips - before;
  }
}
