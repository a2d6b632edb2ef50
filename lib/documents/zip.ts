/**
 * Reads the entries of a ZIP archive within limits. The sizes that an archive claims are not believed:
 * inflating stops at the limit, so that a small hostile file cannot fill the memory.
 */
import { Inflate } from "fflate";
import { joinedBytes } from "./bytes.ts";
import { DocumentError } from "./types.ts";
import { compressedBytes, damaged, readDirectory, type ZipEntry } from "./zip_directory.ts";

/** Limits for one ZIP archive, counted over all reads. */
export interface ZipLimits {
  /** Entries in the directory. */
  readonly entries: number;
  /** Bytes that may be inflated. */
  readonly size: number;
  /** Bytes inflated per compressed byte, for entries that inflate to more than 16 MB. */
  readonly ratio: number;
}

export const ZIP_LIMITS: ZipLimits = { entries: 100_000, size: 1_000_000_000, ratio: 300 };

/** Bytes up to which the ratio of an entry is not checked. */
const SMALL = 16_000_000;
/** Compressed bytes given to the inflater at once. They inflate to at most 17 MB. */
const STEP = 16_384;

/**
 * Reads a ZIP archive in memory. Inflates only the entries that are read, and never beyond the limits, whatever sizes the
 * archive claims.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { strToU8, zipSync } from "fflate";
 *
 * const zip = new Zip(zipSync({ "word/document.xml": strToU8("<w:document/>") }));
 * equal(zip.read("word/document.xml")?.length, 13);
 * equal(zip.read("word/styles.xml"), undefined);
 * ```
 */
export class Zip {
  readonly #bytes: Uint8Array;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #limits: ZipLimits;
  /** Names in lower case: some writers use another case in the references to a part than in its name. */
  readonly #folded = new Map<string, ZipEntry>();
  #inflated = 0;

  /** Reads the directory. Throws {@linkcode DocumentError} `damaged` or `too_complex`. */
  constructor(bytes: Uint8Array, limits: ZipLimits = ZIP_LIMITS) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#entries = readDirectory(bytes, limits.entries);
    for (const [name, entry] of this.#entries) this.#folded.set(name.toLowerCase(), entry);
  }

  /** Names of the entries, including folders (`a/`). */
  get names(): Iterable<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /**
   * Yields the bytes of an entry in pieces while they are inflated; nothing if there is no such entry. Throws {@linkcode
   * DocumentError}: `encrypted`, `damaged`, `unsupported` or `too_complex`.
   */
  *pieces(name: string): Generator<Uint8Array, void, undefined> {
    const entry = this.#find(name);
    if (entry === undefined) return;
    if (entry.encrypted) throw new DocumentError("encrypted", `${name} is encrypted`);
    const compressed = compressedBytes(this.#bytes, entry);
    if (entry.method === 0) {
      this.#count(compressed.length, compressed.length, compressed.length);
      yield compressed;
    } else if (entry.method === 8) yield* this.#inflate(compressed);
    else throw new DocumentError("unsupported", `${name} is compressed by method ${entry.method}`);
  }

  /** Returns the bytes of an entry, or `undefined` if there is none of this name. Throws like {@linkcode pieces}. */
  read(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (!this.has(name)) return undefined;
    return joinedBytes([...this.pieces(name)]);
  }

  *#inflate(compressed: Uint8Array): Generator<Uint8Array, void, undefined> {
    let size = 0;
    for (const piece of inflate(compressed)) {
      size += piece.length;
      this.#count(piece.length, size, compressed.length);
      if (piece.length > 0) yield piece;
    }
  }

  #count(more: number, size: number, compressed: number): void {
    this.#inflated += more;
    const tooDense = size > SMALL && size > compressed * this.#limits.ratio;
    if (tooDense || this.#inflated > this.#limits.size) {
      throw new DocumentError("too_complex", "the ZIP archive inflates to more than the limit");
    }
  }

  #find(name: string): ZipEntry | undefined {
    return this.#entries.get(name) ?? this.#folded.get(name.toLowerCase());
  }
}

/** Yields what compressed bytes (RFC 1951) inflate to, at most 17 MB at once. The caller counts them. Throws `damaged`. */
export function* inflate(compressed: Uint8Array): Generator<Uint8Array, void, undefined> {
  if (compressed.length === 0) return;
  const ready: Uint8Array[] = [];
  let finished = false;
  const stream = new Inflate((piece, final) => {
    ready.push(piece);
    finished = final;
  });
  for (let at = 0; at < compressed.length && !finished; at += STEP) {
    const end = Math.min(at + STEP, compressed.length);
    try {
      stream.push(compressed.subarray(at, end), end === compressed.length);
    } catch (error) {
      throw new DocumentError("damaged", "the compressed bytes are broken", {
        cause: error,
      });
    }
    yield* ready.splice(0);
  }
  if (!finished) throw damaged();
}
