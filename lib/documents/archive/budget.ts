/** An entry of an archive, the limits within which it is unpacked, and bytes that grow within them. */
import { DocumentError } from "../types.ts";

/** A file in an archive as the archive describes it. */
export interface RawEntry {
  /** With either separator. */
  readonly name: Uint8Array;
  /** The encoding of the name, where the archive says it. */
  readonly encoding?: "utf-8" | "utf-16le";
  /** Bytes, as the archive claims. */
  readonly size: number;
  readonly mtimeMs?: number;
  /** Why it cannot be read, if that is known. */
  readonly problem?: DocumentError;
  /**
   * Returns the content. Files of 7z in one block are unpacked once if they are read one after the other. Throws {@linkcode
   * DocumentError}. Absent with a problem.
   */
  readonly read?: () => Uint8Array;
}

/** Limits for one archive with all the archives in it. */
export interface ArchiveLimits {
  /** Entries, folders included. */
  readonly entries: number;
  /** Bytes that may be unpacked while the archive is listed or read once. */
  readonly bytes: number;
  /** Bytes of one compressed stream in memory: a `tar.gz` unpacked, or a block of a 7z. */
  readonly stream: number;
  /** Bytes unpacked for each compressed byte, for more than 16 MB. */
  readonly ratio: number;
  /** Archives in archives: 1 is an archive in the one that is a file. */
  readonly depth: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 20_000,
  bytes: 2_000_000_000,
  stream: 400_000_000,
  ratio: 300,
  depth: 3,
};

/** Bytes up to which the ratio is not checked. */
const SMALL = 16_000_000;

/** Counts what is unpacked of an archive. Its methods throw {@linkcode DocumentError} `too_complex` with the limit. */
export class Budget {
  #bytes = 0;
  #entries = 0;

  readonly limits: ArchiveLimits;

  constructor(limits: ArchiveLimits = ARCHIVE_LIMITS) {
    this.limits = limits;
  }

  countEntry(): void {
    if (++this.#entries > this.limits.entries) {
      throw tooComplex(`the archive has more than ${this.limits.entries} entries`);
    }
  }

  /** Counts `more` unpacked bytes of a stream that has `size` so far, from `compressed` ones. */
  count(more: number, size: number, compressed: number): void {
    const { bytes, ratio } = this.limits;
    this.#bytes += more;
    if (this.#bytes > bytes) throw tooComplex(`the archive unpacks to more than ${bytes / 1e6} MB`);
    if (size > SMALL && size > compressed * ratio) {
      throw tooComplex(`the archive unpacks to more than ${ratio} times its size`);
    }
  }
}

export function tooComplex(message: string): DocumentError {
  return new DocumentError("too_complex", message);
}

export function cutOff(): DocumentError {
  return new DocumentError("damaged", "the archive is cut off or broken");
}

/** Unpacked bytes, which take no more memory than twice their number. */
export class GrowingBytes {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1 << 16);
  length = 0;
  readonly #most: number;
  readonly #compressed: number;
  readonly #budget: Budget;

  /** `compressed`: bytes that it is unpacked from. `most`: bytes that it may have; `limit` names them in the error. */
  constructor(compressed: number, budget: Budget, most: number = budget.limits.stream) {
    this.#compressed = compressed;
    this.#budget = budget;
    this.#most = Math.min(most, budget.limits.stream);
  }

  /** The bytes so far. */
  get taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
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

  /** Appends `count` bytes that lie `distance` back; they may overlap. */
  repeat(distance: number, count: number): void {
    const end = this.length + count;
    if (end > this.bytes.length) this.#grow(end);
    const { bytes } = this;
    if (distance >= count) {
      bytes.copyWithin(this.length, this.length - distance, this.length - distance + count);
    } else for (let at = this.length; at < end; at++) bytes[at] = bytes[at - distance]!;
    this.length = end;
  }

  /** Room for `size` bytes. What it grows by is counted, so the limits are looked at a few times only. */
  #grow(size: number): void {
    if (size > this.#most) throw tooComplex(`it unpacks to more than ${Math.ceil(this.#most / 1e6)} MB`);
    const room = Math.min(this.#most, Math.max(size, this.bytes.length * 2));
    this.#budget.count(room - this.bytes.length, this.length, this.#compressed);
    const grown = new Uint8Array(room);
    grown.set(this.taken);
    this.bytes = grown;
  }
}
