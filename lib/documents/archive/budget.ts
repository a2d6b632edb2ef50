/** An entry of an archive, and the limits within which it is unpacked. */
import { GrowingBytes } from "../bytes.ts";
import { DocumentError } from "../types.ts";

/** A file in an archive as the archive describes it. */
export interface RawEntry {
  /** The path as the archive stores it, with `/` or `\` between its parts. */
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
  /** Archives inside archives. 1: an archive inside the file itself. */
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

/** Returns how many bytes `compressed` ones may unpack to by the ratio. */
export function mostUnpacked(compressed: number, { ratio }: ArchiveLimits = ARCHIVE_LIMITS): number {
  return Math.max(SMALL, compressed * ratio);
}

/** Counts what is unpacked of an archive. Its methods throw {@linkcode DocumentError} `too_complex` with the limit. */
export class UnpackBudget {
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
    if (size > mostUnpacked(compressed, this.limits)) {
      throw tooComplex(`the archive unpacks to more than ${ratio} times its size`);
    }
  }

  /** Returns a place for what `compressed` bytes unpack to, at most `most`. What it grows by is counted. */
  unpacked(compressed: number, most: number = this.limits.stream): GrowingBytes {
    return new GrowingBytes(
      Math.min(most, this.limits.stream),
      (more, length) => this.count(more, length, compressed),
    );
  }
}

export function tooComplex(message: string): DocumentError {
  return new DocumentError("too_complex", message);
}

export function cutOff(): DocumentError {
  return new DocumentError("damaged", "the archive is cut off or broken");
}
