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
    this.bytes = grown(Uint8Array, this.bytes, Math.max(needed, this.bytes.length * 2));
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

/** The constructor of typed arrays. */
interface ArrayType<T extends NumberArray> {
  new (buffer: ArrayBuffer): T;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * Returns a longer array with the numbers of `array`, which is empty afterwards, as are its views: its memory is free at once, and not only
 * when garbage is collected. `array` must be all of its buffer.
 */
export function grown<T extends NumberArray>(type: ArrayType<T>, array: T, length: number): T {
  return new type((array.buffer as ArrayBuffer).transfer(length * type.BYTES_PER_ELEMENT));
}

/** Frees the memory of an array, unless that is done. It is empty afterwards, as are its views. */
export function release(array: NumberArray): void {
  if (array.byteLength > 0) (array.buffer as ArrayBuffer).transfer(0);
}

/** A typed array that grows at its end. */
export class Column<T extends NumberArray> {
  readonly #type: ArrayType<T>;
  #array: T;
  length = 0;

  constructor(type: ArrayType<T>, capacity = 1024) {
    this.#type = type;
    this.#array = new type(new ArrayBuffer(capacity * type.BYTES_PER_ELEMENT));
  }

  /** Appends one value. */
  push(value: number): void {
    if (this.length === this.#array.length) {
      this.#array = grown(this.#type, this.#array, Math.max(1024, this.length * 2));
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
export const u32 = (capacity?: number): Column<Uint32Array<ArrayBuffer>> =>
  new Column(Uint32Array<ArrayBuffer>, capacity);
/** A column of 32-bit floats. */
export const f32 = (capacity?: number): Column<Float32Array<ArrayBuffer>> =>
  new Column(Float32Array<ArrayBuffer>, capacity);
/** A column of 64-bit floats, for offsets past 4 GiB. */
export const f64 = (): Column<Float64Array<ArrayBuffer>> => new Column(Float64Array<ArrayBuffer>);

/** Returns bytes in hexadecimal, as `Uint8Array.toHex` does, which Node 24 lacks. */
export function hexOf(bytes: Uint8Array): string {
  return bytes.toHex?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
