/**
 * Arrays that grow at their end, and bytes in hexadecimal.
 */

/** A byte array that grows at its end. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    this.bytes = copiedInto(new Uint8Array(Math.max(needed, this.bytes.length * 2)), this.view());
  }

  /** Appends `bytes`. */
  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends a byte. */
  push(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** The bytes appended so far; valid until the next change. */
  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}

type NumberArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Copies an array to the start of a longer one, and returns that. */
export function copiedInto<T extends NumberArray>(longer: T, array: T): T {
  longer.set(array);
  return longer;
}

/** A typed array that grows at its end. */
export class Column<T extends NumberArray> {
  readonly #make: (length: number) => T;
  #array: T;
  length = 0;

  constructor(make: (length: number) => T, capacity = 1024) {
    this.#make = make;
    this.#array = make(capacity);
  }

  /** Appends one value. */
  push(value: number): void {
    if (this.length === this.#array.length) {
      this.#array = copiedInto(this.#make(this.length * 2), this.#array);
    }
    this.#array[this.length++] = value;
  }

  /** The value at an index below {@linkcode length}. */
  at(index: number): number {
    return this.#array[index]!;
  }

  /** The values; valid until the next change. */
  view(): T {
    return this.#array.subarray(0, this.length) as T;
  }
}

/** A column of unsigned 32-bit numbers. */
export const u32 = (): Column<Uint32Array<ArrayBuffer>> => new Column((length) => new Uint32Array(length));
/** A column of 32-bit floats. */
export const f32 = (): Column<Float32Array<ArrayBuffer>> => new Column((length) => new Float32Array(length));
/** A column of 64-bit floats, for offsets past 4 GiB. */
export const f64 = (): Column<Float64Array<ArrayBuffer>> => new Column((length) => new Float64Array(length));

/** Returns bytes in hexadecimal, as `Uint8Array.toHex` does, which Node 24 lacks. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
