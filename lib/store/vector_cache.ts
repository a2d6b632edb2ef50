import { unwritable } from "../sandbox/mod.ts";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { UserError } from "../errors.ts";
import { HASH_BYTES, MAX_DIMENSIONS } from "../index/mod.ts";
import type { OwnFolder } from "../sandbox/mod.ts";
import { dataFolder } from "./data_folder.ts";
import { HashSlots } from "./hash_slots.ts";

const MAGIC = "MUXUEVEC";
/** Changes whenever the layout does. */
const VERSION = 1;
const HEADER_BYTES = 64;
const CRC_BYTES = 4;
/** Records are read in pieces of about this size when a cache is opened. */
const PIECE_BYTES = 1 << 22;

/** A content hash of {@linkcode HASH_BYTES} bytes or more (what follows is left out), and its vector. */
export interface CacheEntry {
  readonly hash: Uint8Array;
  readonly vector: Float32Array;
}

/**
 * The vectors that a run has paid for, until they are in an index: a run that is stopped goes on with them next time. One
 * file for each provider, `.muxue_rag/vectors-<16 hex>.cache`, appended to by the holder of the writer lock alone:
 *
 * ```
 * 0   header, 64 bytes: magic "MUXUEVEC", u32 version, u32 dimensions, SHA-256 of the provider's id, u32 CRC-32 of these 48
 *     bytes, zeros
 * 64  records: 16 bytes of the content hash, the vector in float32, u32 CRC-32 of both
 * ```
 * Numbers are little-endian, as is every machine that the program runs on. A record that is not whole is left out; a file
 * that is not ours, or a link, is deleted. In memory are hashes and record numbers only.
 */
export class VectorCache implements Disposable {
  readonly #folder: OwnFolder;
  readonly #name: string;
  readonly #provider: Uint8Array;
  #slots = new HashSlots();
  #file: Deno.FsFile | undefined;
  #dimensions: number | undefined;
  /** Records in the file, sound or not. */
  #records = 0;

  private constructor(folder: OwnFolder, provider: Uint8Array) {
    this.#folder = folder;
    this.#name = `vectors-${provider.toHex().slice(0, 16)}.cache`;
    this.#provider = provider;
  }

  /**
   * Opens the cache of a provider in `root`, whose data folder must be there. Nothing is written before the first append.
   * Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
   */
  static open(root: string, providerId: string): VectorCache {
    const cache = VectorCache.#of(root, providerId);
    cache.#load();
    return cache;
  }

  /** Deletes the cache of a provider in `root`, if there is one. Throws `data_folder_unsafe` or `data_folder_unwritable`. */
  static remove(root: string, providerId: string): void {
    VectorCache.#of(root, providerId).remove();
  }

  static #of(root: string, providerId: string): VectorCache {
    return new VectorCache(dataFolder(root), createHash("sha256").update(providerId).digest());
  }

  /** Numbers in a vector; `undefined` while there is none. */
  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  /** How many vectors there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** Whether there is a vector for a content hash. */
  has(hash: Uint8Array): boolean {
    return this.#slots.get(hash) !== undefined;
  }

  /** The vector of a content hash, read from the disk; `undefined` if there is none. */
  get(hash: Uint8Array): Float32Array<ArrayBuffer> | undefined {
    const record = this.#slots.get(hash);
    if (record === undefined) return undefined;
    const bytes = new Uint8Array(this.#dimensions! * 4);
    this.#file!.seekSync(this.#offset(record) + HASH_BYTES, Deno.SeekMode.Start);
    return readAll(this.#file!, bytes) === bytes.length ? new Float32Array(bytes.buffer) : undefined;
  }

  /**
   * Appends vectors, which are safe from the end of the process then, and from that of the machine after {@linkcode flush}.
   * All must have as many numbers as those that are there. Throws `disk_full` or `data_folder_unwritable`; the cache stays
   * as it was before.
   */
  append(entries: readonly CacheEntry[]): void {
    if (entries.length === 0) return;
    const dimensions = this.#dimensions ?? entries[0]!.vector.length;
    const size = recordBytes(dimensions);
    const bytes = new Uint8Array(entries.length * size);
    for (const [i, { hash, vector }] of entries.entries()) {
      if (hash.length < HASH_BYTES || vector.length !== dimensions) {
        throw new RangeError("no entry of this cache");
      }
      const record = bytes.subarray(i * size, (i + 1) * size);
      record.set(hash.subarray(0, HASH_BYTES));
      record.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), HASH_BYTES);
      new DataView(record.buffer, record.byteOffset).setUint32(
        size - CRC_BYTES,
        crc32(record.subarray(0, size - CRC_BYTES)),
        true,
      );
    }
    try {
      this.#file ??= this.#create(dimensions);
      this.#dimensions = dimensions;
      this.#file.seekSync(this.#offset(this.#records), Deno.SeekMode.Start);
      writeAll(this.#file, bytes);
    } catch (error) {
      this.#cutTail();
      throw this.#unwritable(error);
    }
    for (const { hash } of entries) this.#slots.set(hash, this.#records++);
  }

  /** Forces what was appended to the disk. */
  flush(): void {
    try {
      this.#file?.syncDataSync();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** Closes the file and deletes it: what is in it lies in an index now. */
  remove(): void {
    this.close();
    try {
      this.#folder.remove(this.#name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw this.#unwritable(error);
    }
  }

  /** Forgets every vector. */
  clear(): void {
    this.remove();
    this.#slots = new HashSlots();
    this.#dimensions = undefined;
    this.#records = 0;
  }

  /** Closes the file. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Opens the file if it is one of ours; anything else in its place is removed. */
  #load(): void {
    const info = this.#look();
    if (info === undefined) return;
    // a second name of the file could be anybody's
    const ordinary = info.isFile && (info.nlink ?? 1) <= 1;
    if (ordinary && this.#openSound()) return;
    try {
      this.#folder.remove(this.#name);
    } catch (error) {
      if (info.isDirectory) throw new UserError("data_folder_unsafe", { path: this.#path });
      throw this.#unwritable(error);
    }
  }

  #look(): Deno.FileInfo | undefined {
    try {
      return this.#folder.exists() ? this.#folder.look(this.#name) : undefined;
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** Opens the file and reads what is in it; false if that is not a cache of this provider. */
  #openSound(): boolean {
    let file: Deno.FsFile;
    try {
      file = this.#folder.open(this.#name, "write");
    } catch (error) {
      throw this.#unwritable(error);
    }
    const dimensions = this.#dimensionsIn(file);
    if (dimensions === undefined) {
      file.close();
      return false;
    }
    this.#file = file;
    this.#dimensions = dimensions;
    this.#readRecords(file, recordBytes(dimensions));
    this.#cutTail();
    return true;
  }

  /** What the header says; `undefined` if it is not one of ours. */
  #dimensionsIn(file: Deno.FsFile): number | undefined {
    const header = new Uint8Array(HEADER_BYTES);
    if (readAll(file, header) < HEADER_BYTES) return undefined;
    const dimensions = new DataView(header.buffer).getUint32(12, true);
    // a header that says so is not ours
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined;
    const expected = this.#header(dimensions);
    return header.every((byte, at) => byte === expected[at]) ? dimensions : undefined;
  }

  #readRecords(file: Deno.FsFile, size: number): void {
    const piece = new Uint8Array(Math.max(1, Math.floor(PIECE_BYTES / size)) * size);
    const view = new DataView(piece.buffer);
    for (let filled = piece.length; filled === piece.length;) {
      filled = readAll(file, piece);
      for (let at = 0; at + size <= filled; at += size) {
        const end = at + size - CRC_BYTES;
        const isSound = crc32(piece.subarray(at, end)) === view.getUint32(end, true);
        if (isSound) this.#slots.set(piece.subarray(at, at + HASH_BYTES), this.#records);
        this.#records++;
      }
    }
  }

  /** Cuts off what is after the last whole record. */
  #cutTail(): void {
    try {
      if (this.#dimensions !== undefined) this.#file?.truncateSync(this.#offset(this.#records));
    } catch {
      // the next append writes over it
    }
  }

  #create(dimensions: number): Deno.FsFile {
    const file = this.#folder.create(this.#name);
    try {
      writeAll(file, this.#header(dimensions));
      return file;
    } catch (error) {
      file.close();
      this.#folder.remove(this.#name);
      throw error;
    }
  }

  #header(dimensions: number): Uint8Array<ArrayBuffer> {
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    new TextEncoder().encodeInto(MAGIC, header);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, dimensions, true);
    header.set(this.#provider, 16);
    view.setUint32(48, crc32(header.subarray(0, 48)), true);
    return header;
  }

  get #path(): string {
    return this.#folder.at(this.#name);
  }

  /** Why the file could not be written, for people. */
  #unwritable(error: unknown): UserError {
    return error instanceof UserError ? error : unwritable(error, this.#path);
  }

  #offset(record: number): number {
    return HEADER_BYTES + record * recordBytes(this.#dimensions!);
  }
}

function recordBytes(dimensions: number): number {
  return HASH_BYTES + dimensions * 4 + CRC_BYTES;
}

/** Fills `bytes` as far as the file goes; gives how far. */
function readAll(file: Deno.FsFile, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
