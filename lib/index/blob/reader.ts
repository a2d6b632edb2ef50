import { type BlobFile, Blocks } from "./blocks.ts";
import { type BlobSection, DamagedIndexError, HEADER_BYTES } from "./format.ts";
import { PagedBytes, PagedNumbers } from "./pages.ts";
import type { IndexKey } from "./seal.ts";

/** Options of {@linkcode BlobReader.open}. */
export interface BlobOptions {
  /** The key that the blob must have been written with. */
  readonly key: IndexKey;
}

/** An open blob. Its file stays open, so that a replaced blob can be read until it is closed. */
export class BlobReader {
  readonly #blocks: Blocks;

  private constructor(blocks: Blocks) {
    this.#blocks = blocks;
  }

  /**
   * Takes over a file that is open for reading, and checks its header and block table. Throws {@linkcode DamagedIndexError},
   * `OutdatedIndexError` or `ForeignIndexError`; the file is closed then.
   */
  static open(file: BlobFile, { key }: BlobOptions): BlobReader {
    try {
      return new BlobReader(new Blocks(file, key));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Damage found since it was opened, in English. */
  get damage(): string | undefined {
    return this.#blocks.damage;
  }

  /** Notes damage and returns the error to throw. */
  readonly damaged = (problem: string): DamagedIndexError => this.#blocks.damaged(problem);

  /** The seal in hexadecimal. Only copies of a blob have the same. */
  get id(): string {
    return this.#blocks.header.seal;
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#blocks.header.size;
  }

  /** The sections in the order of the file. */
  get sections(): Iterable<BlobSection> {
    return this.#blocks.header.sections.values();
  }

  /** Returns whether a section with this name exists. */
  has(name: string): boolean {
    return this.#blocks.header.sections.has(name);
  }

  /** Bytes of a section. */
  length(name: string): number {
    return this.#find(name).length;
  }

  // All methods below throw DamagedIndexError if the bytes differ from those that were written.

  /** A whole section in a new buffer. Throws if it has more than `limit` bytes. */
  section(name: string, limit = Infinity): Uint8Array<ArrayBuffer> {
    const { length } = this.#find(name);
    if (length > limit) throw this.damaged(`${length} bytes in section ${name}`);
    return this.range(name, 0, length);
  }

  /** Reads a whole section into `target`, which has its length. */
  sectionInto(name: string, target: Uint8Array): void {
    const { offset, length } = this.#find(name);
    if (length !== target.length) throw this.damaged(`length of section ${name}`);
    this.#blocks.readInto(offset, target);
  }

  /** Returns a section that is read in parts when they are needed. */
  pages(name: string): PagedBytes {
    const section = this.#find(name);
    return new PagedBytes(section, (from, target) => this.#blocks.readInto(section.offset + from, target));
  }

  /** Returns a section of numbers that is read in parts when they are needed. */
  numbers(name: string, width: 4): PagedNumbers<Uint32Array>;
  numbers(name: string, width: 8): PagedNumbers<Float64Array>;
  numbers(name: string, width: 4 | 8): PagedNumbers<Uint32Array | Float64Array> {
    const pages = this.pages(name);
    if (pages.length % width !== 0) throw this.damaged(`length of section ${name}`);
    const { buffer } = pages.bytes;
    return new PagedNumbers(pages, width === 4 ? new Uint32Array(buffer) : new Float64Array(buffer));
  }

  /** Returns bytes `from` to `to` (exclusive) of a section in a new buffer. `keep`: see {@linkcode Blocks.readInto}. */
  range(name: string, from: number, to: number, keep = false): Uint8Array<ArrayBuffer> {
    const { offset, length } = this.#find(name);
    // This form of the condition also rejects NaN.
    if (!(from >= 0 && to >= from && to <= length)) throw this.damaged(`range outside of section ${name}`);
    const bytes = new Uint8Array(to - from);
    this.#blocks.readInto(offset + from, bytes, keep);
    return bytes;
  }

  /** Returns bytes `from` to `to` (exclusive) of the file without checking them, for copying a verified blob. */
  bytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#blocks.raw(from, to);
  }

  /** Reads and checks everything. */
  verify(): void {
    this.#blocks.verify();
  }

  /** Reads and checks everything, in pieces of at most `bytes`. Yields after each. */
  *verifyPieces(bytes: number): Generator<void> {
    for (let from = HEADER_BYTES; from < this.size; from += bytes) {
      this.#blocks.verify(from, Math.min(from + bytes, this.#blocks.end));
      yield;
    }
  }

  close(): void {
    this.#blocks.close();
  }

  #find(name: string): BlobSection {
    const section = this.#blocks.header.sections.get(name);
    if (section === undefined) throw this.damaged(`section ${name} is missing`);
    return section;
  }
}
