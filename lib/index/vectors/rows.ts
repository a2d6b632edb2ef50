import { quantizeRow, strideOf } from "./quantize.ts";

/** Collects the int8 rows of an index that is being written, one for each chunk, in any order. Default: zeros. */
export class VectorRows {
  readonly #stride: number;
  #rows: Int8Array<ArrayBuffer>;
  #scales: Float32Array<ArrayBuffer>;

  constructor(readonly dimensions: number) {
    this.#stride = strideOf(dimensions);
    this.#rows = new Int8Array(1024 * this.#stride);
    this.#scales = new Float32Array(1024);
  }

  /** Quantises the vector of a chunk. */
  set(chunk: number, vector: Float32Array): void {
    this.#reserve(chunk + 1);
    this.#scales[chunk] = quantizeRow(vector, this.#rows, chunk * this.#stride);
  }

  /** Copies a row that is already quantised. */
  copy(chunk: number, row: Int8Array, scale: number): void {
    this.#reserve(chunk + 1);
    this.#rows.set(row, chunk * this.#stride);
    this.#scales[chunk] = scale;
  }

  /** Returns the rows of the first `count` chunks and their scales. */
  view(count: number): { rows: Int8Array<ArrayBuffer>; scales: Float32Array<ArrayBuffer> } {
    this.#reserve(count);
    return { rows: this.#rows.subarray(0, count * this.#stride), scales: this.#scales.subarray(0, count) };
  }

  #reserve(count: number): void {
    const room = this.#scales.length;
    if (count <= room) return;
    const grown = Math.max(count, Math.ceil(room * 1.5));
    const rows = new Int8Array(grown * this.#stride);
    rows.set(this.#rows);
    this.#rows = rows;
    const scales = new Float32Array(grown);
    scales.set(this.#scales);
    this.#scales = scales;
  }
}
