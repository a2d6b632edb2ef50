/**
 * Reads an index file by blocks that are checked once.
 */
import { timingSafeEqual } from "node:crypto";
import {
  type BlobSection,
  BLOCK_BYTES,
  DamagedIndexError,
  decodeHeader,
  GROUP_BLOCKS,
  hashOf,
  type Header,
  HEADER_BYTES,
  type IndexKey,
  isInTable,
} from "./format.ts";
import { eachPaged, MissingBytes } from "./missing.ts";
import {
  type NumberArray,
  type NumberKind,
  numbersIn,
  PagedBytes,
  PagedNumbers,
  SourceBytes,
  SourceNumbers,
  type StoredBytes,
  type StoredNumbers,
  WIDTHS,
} from "./pages.ts";
import { reasonOf } from "#foundation/errors.ts";

/** Options of {@linkcode BlobReader.open}. */
interface BlobOptions {
  /** The key that the blob must have been written with. */
  readonly key: IndexKey;
}

/** An open blob. Its file stays open, so that a replaced blob can be read until it is closed. */
export class BlobReader {
  readonly #blocks: Blocks;
  /** The buffer of the latest pieces, and its bytes that are in use. */
  #shared = new ArrayBuffer(0);
  #used = 0;

  private constructor(blocks: Blocks) {
    this.#blocks = blocks;
  }

  /**
   * Takes over a file that is open for reading, and checks its header and block table. Throws {@linkcode DamagedIndexError},
   * `OutdatedIndexError` or `ForeignIndexError`; the file is closed then, but not for {@linkcode MissingBytes}.
   */
  static open(file: BlobFile, { key }: BlobOptions): BlobReader {
    try {
      return new BlobReader(new Blocks(file, key));
    } catch (error) {
      if (!(error instanceof MissingBytes)) file.close();
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

  /** Whether bytes may have to be fetched first: see {@linkcode BlobFile.fetched}. Nothing is kept of such a blob beyond a limit. */
  get isRemote(): boolean {
    return this.#blocks.isRemote;
  }

  /**
   * Throws `MissingBytes` if any byte of the sections is missing, with a note of all of them. Sections that do not exist are left out.
   * `isOnce`: they are read once.
   */
  expect(names: readonly string[], isOnce: boolean): void {
    if (!this.isRemote) return;
    eachPaged(names.filter((name) => this.has(name)), (name) => {
      const { offset, length } = this.#find(name);
      this.#blocks.expect(offset, offset + length, isOnce);
    });
  }

  /** Like {@linkcode expect}, for bytes `from` to `to` (exclusive) of a section. */
  expectRange(name: string, from: number, to: number): void {
    const { offset, length } = this.#find(name);
    this.#blocks.expect(offset + from, offset + Math.min(to, length));
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

  /** Fills a buffer with the bytes of a section, from a byte on. */
  readInto(name: string, from: number, target: Uint8Array): void {
    this.#blocks.readInto(this.#placeOf(name, from, from + target.length), target);
  }

  /** Returns a section that is read in parts when they are needed. `isSparse`: see {@linkcode numbers}. */
  pages(name: string, isSparse = false): StoredBytes {
    return this.#isKept(name, isSparse)
      ? this.#pagesOf(name)
      : new SourceBytes(this.length(name), this.#sourceOf(name));
  }

  /**
   * Returns a section of numbers that is read in parts when they are needed, and kept. `isSparse`: a search reads a few numbers anywhere in
   * the section, and most are never read. Of a large section like that, only the blocks that were used last are kept.
   */
  numbers(name: string, kind: "u32", isSparse?: boolean): StoredNumbers<Uint32Array>;
  numbers(name: string, kind: "f32", isSparse?: boolean): StoredNumbers<Float32Array>;
  numbers(name: string, kind: "f64", isSparse?: boolean): StoredNumbers<Float64Array>;
  numbers(name: string, kind: NumberKind, isSparse = false): StoredNumbers<NumberArray> {
    const length = this.length(name) / WIDTHS[kind];
    if (!Number.isInteger(length)) throw this.damaged(`length of section ${name}`);
    if (!this.#isKept(name, isSparse)) return new SourceNumbers(length, kind, this.#sourceOf(name));
    const pages = this.#pagesOf(name);
    return new PagedNumbers<NumberArray>(pages, numbersIn(pages.bytes.buffer, kind));
  }

  #isKept(name: string, isSparse: boolean): boolean {
    return !this.isRemote && !(isSparse && this.length(name) > MOST_KEPT_BYTES);
  }

  #pagesOf(name: string): PagedBytes {
    const section = this.#find(name);
    return new PagedBytes(section, (from, target) => this.#blocks.readInto(section.offset + from, target));
  }

  #sourceOf(name: string): ConstructorParameters<typeof SourceBytes>[1] {
    const { offset } = this.#find(name);
    return {
      range: (from, to) => this.range(name, from, to, to - from < BLOCK_BYTES),
      blockWith: (at, into) => this.#blocks.blockWith(offset + at, into) - offset,
    };
  }

  /** Returns bytes `from` to `to` (exclusive) of a section in a new buffer. `keep`: see {@linkcode Blocks.readInto}. */
  range(name: string, from: number, to: number, keep = false): Uint8Array<ArrayBuffer> {
    const at = this.#placeOf(name, from, to);
    const bytes = new Uint8Array(to - from);
    this.#blocks.readInto(at, bytes, keep);
    return bytes;
  }

  /** Like {@linkcode range}, with `keep`, in a buffer that other pieces share: a search reads hundreds, and buffers are expensive. */
  piece(name: string, from: number, to: number): Uint8Array<ArrayBuffer> {
    const at = this.#placeOf(name, from, to), length = to - from;
    if (this.#used + length > this.#shared.byteLength) {
      this.#shared = new ArrayBuffer(Math.max(SHARED_BYTES, length));
      this.#used = 0;
    }
    const bytes = new Uint8Array(this.#shared, this.#used, length);
    this.#blocks.readInto(at, bytes, true);
    // Not before, so that a piece that has to be fetched first takes no room.
    this.#used += length;
    return bytes;
  }

  /** Returns the offset in the file of bytes `from` to `to` (exclusive) of a section. */
  #placeOf(name: string, from: number, to: number): number {
    const { offset, length } = this.#find(name);
    // This form of the condition also rejects NaN.
    if (!(from >= 0 && to >= from && to <= length)) throw this.damaged(`range outside of section ${name}`);
    return offset + from;
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
      this.verifyPiece(from, from + bytes);
      yield;
    }
  }

  /** Reads and checks the blocks with bytes `from` to `to` (exclusive) of the file. */
  verifyPiece(from: number, to: number): void {
    this.#blocks.verify(Math.max(from, HEADER_BYTES), Math.min(to, this.#blocks.end));
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

/** Bytes of a buffer that pieces share. */
const SHARED_BYTES = 64 * 1024;
/** Bytes of the largest sparse section that is kept. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;
/** Blocks kept in memory at most: 4 MiB. */
const MAX_KEPT = 1024;
/** Blocks read at once: 1 MiB. */
const BLOCKS_A_READ = 16 * GROUP_BLOCKS;
const TOO_SHORT = "the file ends too early";

/** The file of a blob as far as it is read: a `Deno.FsFile`, or a `MemoryFile`. */
export interface BlobFile {
  /** Fills `into` from the current offset on. Returns the number of bytes, or `null` at the end of the file. */
  readSync(into: Uint8Array): number | null;
  /** Sets the offset. `whence`: 0, the offset counts from the start of the file. */
  seekSync(offset: number, whence: number): number;
  statSync(): { readonly size: number };
  /** Present for a file of which bytes may have to be fetched: then `readSync` and its methods throw `MissingBytes`. */
  readonly fetched?: FetchedPages;
  close(): void;
}

/** The pages of a file of which bytes may have to be fetched. Each is as long as a block; the last one may be shorter. */
export interface FetchedPages {
  /** Throws if any of the bytes `from` to `to` (exclusive) is missing, with a note of all of them. `isOnce`: they are not needed again. */
  expect(from: number, to: number, isOnce?: boolean): void;
  /** The page at an offset, which is a multiple of its size: always the same bytes as long as they are at hand. */
  page(at: number): Uint8Array<ArrayBuffer>;
}

/** Reads the bytes of an open blob and checks them against the block table. */
class Blocks {
  readonly #file: BlobFile;
  readonly #table: Uint8Array;
  /** Offset of the end of the blocks, and their number. */
  readonly #end: number;
  readonly #count: number;
  #kept: KeptBlocks | undefined;
  /** The fetched pages that were compared with the table. */
  readonly #sound = new WeakSet<Uint8Array>();
  #scratch: Uint8Array<ArrayBuffer> | undefined;
  #damage: string | undefined;
  readonly header: Header;

  /** Offset of the end of the blocks. */
  get end(): number {
    return this.#end;
  }

  /** Whether bytes may have to be fetched. */
  get isRemote(): boolean {
    return this.#file.fetched !== undefined;
  }

  /**
   * Takes over a file that is open for reading and reads its header and block table; see {@linkcode decodeHeader}. The file
   * stays open if this throws.
   */
  constructor(file: BlobFile, key: IndexKey) {
    this.#file = file;
    const size = this.#trying(() => file.statSync().size);
    if (size < HEADER_BYTES) throw this.damaged(`${size} bytes are too few for a header`);
    this.header = decodeHeader(this.#read(0, new Uint8Array(HEADER_BYTES)), size, key);
    const { tableAt, tableHash } = this.header;
    this.#end = tableAt;
    this.#count = Math.ceil((tableAt - HEADER_BYTES) / BLOCK_BYTES);
    this.#table = this.#read(tableAt, new Uint8Array(size - tableAt));
    if (!timingSafeEqual(hashOf(this.#table), tableHash)) {
      throw this.damaged("checksum of the block table");
    }
  }

  /** Damage found since it was opened, in English. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Notes damage and returns the error to throw. */
  damaged(problem: string, cause?: unknown): DamagedIndexError {
    this.#damage ??= problem;
    return new DamagedIndexError(problem, cause === undefined ? {} : { cause });
  }

  /**
   * Fills `target` with the bytes of the file from `from` on, within the sections. With `keep`, the latest blocks stay in
   * memory, for data that is read again and again in small pieces. Throws {@linkcode DamagedIndexError}.
   */
  readInto(from: number, target: Uint8Array, keep = false): void {
    this.#visit(from, from + target.length, keep, (bytes, at) => {
      const part = bytes.subarray(Math.max(0, -at), target.length - at);
      target.set(part, Math.max(0, at));
    });
  }

  /** Reads and checks all blocks, or the blocks with bytes `from` to `to`. Throws {@linkcode DamagedIndexError}. */
  verify(from = HEADER_BYTES, to: number = this.#end): void {
    this.#visit(from, to, false, () => {});
  }

  /** Passes on the blocks with bytes `from` to `to`, piece by piece, each with its offset relative to `from`. */
  #visit(from: number, to: number, keep: boolean, show: (bytes: Uint8Array, at: number) => void): void {
    if (to <= from) return;
    if (this.isRemote) this.expect(from, to);
    const end = blockAt(to - 1) + 1, isSingle = keep || this.isRemote;
    for (let block = blockAt(from); block < end;) {
      const next = isSingle ? block + 1 : pieceEnd(block, end, this.#count);
      show(isSingle ? this.#keeping(block) : this.#checked(block, next, this.#room), placeOf(block) - from);
      block = next;
    }
  }

  /** Throws `MissingBytes` if any of the bytes is missing that {@linkcode readInto} would read, with a note of all of them. */
  expect(from: number, to: number, isOnce = false): void {
    if (to > from) this.#file.fetched?.expect(from, to, isOnce);
  }

  /** Copies the block with a byte of the file, checked, and returns its offset. */
  blockWith(at: number, into: Uint8Array): number {
    const block = blockAt(at);
    into.set(this.#keeping(block));
    return placeOf(block);
  }

  /** Returns bytes of the file without checking them, for copying a verified file. */
  raw(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#read(from, new Uint8Array(to - from));
  }

  close(): void {
    this.#file.close();
  }

  get #room(): Uint8Array<ArrayBuffer> {
    return this.#scratch ??= new Uint8Array(BLOCKS_A_READ * BLOCK_BYTES);
  }

  /** Returns the checked bytes of a block; valid until the next call. */
  #keeping(block: number): Uint8Array<ArrayBuffer> {
    if (this.#file.fetched !== undefined) return this.#fetched(this.#file.fetched, block);
    this.#kept ??= new KeptBlocks(Math.min(MAX_KEPT, this.#count));
    return this.#kept.get(block, (room) => this.#checked(block, block + 1, room));
  }

  /** The bytes of a block in the page that was fetched, which is compared with the table once. */
  #fetched(pages: FetchedPages, block: number): Uint8Array<ArrayBuffer> {
    const at = placeOf(block), page = pages.page(at);
    const bytes = at + page.length > this.#end ? page.subarray(0, this.#end - at) : page;
    if (this.#sound.has(page)) return bytes;
    if (!isInTable(this.#table, bytes, block, false)) {
      throw this.damaged(`checksum of bytes ${at} to ${at + bytes.length}`);
    }
    this.#sound.add(page);
    return bytes;
  }

  /** Reads blocks `first` to `end` (exclusive) into `room` and compares them with the table. */
  #checked(first: number, end: number, room: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const from = placeOf(first);
    const bytes = this.#read(from, room.subarray(0, Math.min(placeOf(end), this.#end) - from));
    const isGroups = first % GROUP_BLOCKS === 0 && (end - first >= GROUP_BLOCKS || end === this.#count);
    const step = isGroups ? GROUP_BLOCKS : 1;
    for (let block = first; block < end; block += step) {
      const at = placeOf(block) - from;
      const part = end - first === step ? bytes : bytes.subarray(at, at + step * BLOCK_BYTES);
      if (isInTable(this.#table, part, block, isGroups)) continue;
      throw this.damaged(`checksum of bytes ${from + at} to ${from + at + part.length}`);
    }
    return bytes;
  }

  /** Fills `bytes` from the file, from `from` on, unchecked. */
  #read(from: number, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    this.#trying(() => {
      this.#file.seekSync(from, 0);
      for (let at = 0; at < bytes.length;) {
        const count = this.#file.readSync(at === 0 ? bytes : bytes.subarray(at));
        if (count === null) throw this.damaged(TOO_SHORT);
        at += count;
      }
    });
    return bytes;
  }

  /** A system error while reading (a disk that fails, a network drive that is gone) counts as damage too. */
  #trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof DamagedIndexError || error instanceof MissingBytes) throw error;
      throw this.damaged(reasonOf(error), error);
    }
  }
}

/**
 * The blocks that were used last, in one buffer. With a buffer for each, those that were dropped took up to 10 MB more until the next full
 * collection of garbage.
 */
class KeptBlocks {
  readonly #room: Uint8Array<ArrayBuffer>;
  readonly #scratch = new Uint8Array(BLOCK_BYTES);
  /** By number the place in the room and the length, the least recently used first. */
  readonly #places = new Map<number, { readonly place: number; readonly length: number }>();
  readonly #most: number;

  /** `most`: number of blocks that it keeps. */
  constructor(most: number) {
    this.#most = most;
    this.#room = new Uint8Array(most * BLOCK_BYTES);
  }

  /** Returns the bytes of a block; valid until the next call. `read` fills a buffer with them if they are not here. */
  get(block: number, read: (into: Uint8Array<ArrayBuffer>) => Uint8Array): Uint8Array<ArrayBuffer> {
    let kept = this.#places.get(block);
    if (kept !== undefined) this.#places.delete(block);
    else {
      const bytes = read(this.#scratch);
      kept = { place: this.#freePlace(), length: bytes.length };
      this.#room.set(bytes, kept.place);
    }
    this.#places.set(block, kept);
    return this.#room.subarray(kept.place, kept.place + kept.length);
  }

  #freePlace(): number {
    if (this.#places.size < this.#most) return this.#places.size * BLOCK_BYTES;
    const [block, { place }] = this.#places.entries().next().value!;
    this.#places.delete(block);
    return place;
  }
}

/**
 * End of the piece of blocks to read and check at once: whole groups up to a megabyte, or single blocks up to the next
 * group. `count`: number of all blocks; the last group may be short.
 */
function pieceEnd(block: number, end: number, count: number): number {
  const group = block - block % GROUP_BLOCKS;
  const whole = end === count ? end : end - end % GROUP_BLOCKS;
  if (block === group && whole > block) return Math.min(whole, block + BLOCKS_A_READ);
  return Math.min(end, group + GROUP_BLOCKS);
}

function blockAt(byte: number): number {
  return Math.floor((byte - HEADER_BYTES) / BLOCK_BYTES);
}

function placeOf(block: number): number {
  return HEADER_BYTES + block * BLOCK_BYTES;
}
