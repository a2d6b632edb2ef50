/** Bytes as several formats need them: compared, joined, as characters, growing, and as numbers of 7 bits a byte. */
import { DocumentError } from "./types.ts";

/** Whether bytes begin with a signature, which has one character per byte. `at`: where it is looked for. */
export function beginsWith(bytes: Uint8Array, signature: string, at = 0): boolean {
  for (let i = 0; i < signature.length; i++) if (bytes[at + i] !== signature.charCodeAt(i)) return false;
  return true;
}

/** Returns the parts one behind the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns a text with one character per byte. WHATWG's `latin1` is another encoding. */
export function charactersOf(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return parts.join("");
}

/** Returns the bytes of a text with one character per byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Bytes that something is unpacked to. They take no more memory than twice their number. */
export class GrowingBytes {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1 << 16);
  length = 0;
  readonly #most: number;
  readonly #onGrow: ((more: number, length: number) => void) | undefined;

  /**
   * `most`: bytes that it may have. More throw {@linkcode DocumentError} `too_complex`. `onGrow`: called with the bytes of room
   * that it grows by, and its length, before it grows; it may throw.
   */
  constructor(most: number, onGrow?: (more: number, length: number) => void) {
    this.#most = most;
    this.#onGrow = onGrow;
  }

  /** The bytes so far. */
  get taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  /** How many more bytes it may have. */
  get room(): number {
    return this.#most - this.length;
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.#grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  append(piece: Uint8Array): void {
    if (this.length + piece.length > this.bytes.length) this.#grow(this.length + piece.length);
    this.bytes.set(piece, this.length);
    this.length += piece.length;
  }

  /** Appends `count` bytes that lie `distance` back; they may overlap those that are written. */
  repeat(distance: number, count: number): void {
    const end = this.length + count;
    if (end > this.bytes.length) this.#grow(end);
    const { bytes } = this;
    if (distance >= count) {
      bytes.copyWithin(this.length, this.length - distance, this.length - distance + count);
    } else for (let at = this.length; at < end; at++) bytes[at] = bytes[at - distance]!;
    this.length = end;
  }

  #grow(size: number): void {
    if (size > this.#most) {
      throw new DocumentError("too_complex", `it unpacks to more than ${Math.ceil(this.#most / 1e6)} MB`);
    }
    const room = Math.min(this.#most, Math.max(size, this.bytes.length * 2));
    this.#onGrow?.(room - this.bytes.length, this.length);
    const grown = new Uint8Array(room);
    grown.set(this.taken);
    this.bytes = grown;
  }
}

/** A place in bytes from which numbers are read that have 7 bits in each byte. The highest bit marks their last byte. */
export class NumberReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reads a number with its lowest bits first; `undefined` if it is cut off or has more than ten bytes. */
  lowFirst(): number | undefined {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) return undefined;
      value += (byte & 0x7f) * 128 ** i;
      if (byte < 0x80) return value;
    }
    return undefined;
  }

  /**
   * Reads a number with its highest bits first; a ninth byte has 8 of them. One that is cut off ends there. `last`: the highest
   * bit of the last byte.
   */
  highFirst(last: 0 | 0x80 = 0): number {
    let value = 0;
    for (let i = 0; i < 9 && this.at < this.bytes.length; i++) {
      const byte = this.bytes[this.at++]!;
      if (i === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if ((byte & 0x80) === last) break;
    }
    return value;
  }
}
