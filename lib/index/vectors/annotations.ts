import { ByteBuffer } from "../bytes.ts";

/** Collects bytes for chunks in any order, and returns them in the order of the chunks. */
export class Annotations {
  readonly #bytes = new ByteBuffer();
  #starts = new Float64Array(1024);
  #lengths = new Uint32Array(1024);

  /** Keeps the bytes of a chunk. */
  set(chunk: number, bytes: Uint8Array): void {
    this.#reserve(chunk + 1);
    this.#starts[chunk] = this.#bytes.length;
    this.#lengths[chunk] = bytes.length;
    this.#bytes.append(bytes);
  }

  /** Returns the offsets (count + 1) of the first `count` chunks in the bytes of {@linkcode all}. */
  offsets(count: number): Float64Array<ArrayBuffer> {
    this.#reserve(count);
    const offsets = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + this.#lengths[i]!;
    return offsets;
  }

  /** Returns the bytes of the first `count` chunks, in their order. */
  *all(count: number): Generator<Uint8Array> {
    this.#reserve(count);
    const bytes = this.#bytes.view();
    for (let i = 0; i < count; i++) {
      if (this.#lengths[i]! > 0) {
        yield bytes.subarray(this.#starts[i]!, this.#starts[i]! + this.#lengths[i]!);
      }
    }
  }

  #reserve(count: number): void {
    if (count <= this.#starts.length) return;
    const room = Math.max(count, this.#starts.length * 2);
    const starts = new Float64Array(room);
    starts.set(this.#starts);
    this.#starts = starts;
    const lengths = new Uint32Array(room);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}
