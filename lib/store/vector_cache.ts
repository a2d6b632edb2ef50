import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { UserError } from "../errors.ts";
import { HASH_BYTES, MAX_DIMENSIONS } from "../index/mod.ts";
import { dataFolder, isRealFolder } from "./data_folder.ts";
import { HashSlots } from "./hash_slots.ts";
import { unwritable } from "./unwritable.ts";

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
  readonly #path: string;
  readonly #provider: Uint8Array;
  #slots = new HashSlots();
  #file: Deno.FsFile | undefined;
  #dimensions: number | undefined;
  /** Records in the file, sound or not. */
  #records = 0;

  private constructor(path: string, provider: Uint8Array) {
    this.#path = path;
    this.#provider = provider;
  }

  /**
   * Opens the cache of a provider in `root`, whose data folder must be there. Nothing is written before the first append.
   * Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
   */
  static async open(root: string, providerId: string): Promise<VectorCache> {
    await isRealFolder(dataFolder(root));
    const cache = VectorCache.#of(root, providerId);
    await cache.#load();
    return cache;
  }

  /** Deletes the cache of a provider in `root`, if there is one. Throws `data_folder_unwritable`. */
  static async remove(root: string, providerId: string): Promise<void> {
    await VectorCache.#of(root, providerId).remove();
  }

  static #of(root: string, providerId: string): VectorCache {
    const id = createHash("sha256").update(providerId).digest();
    return new VectorCache(join(dataFolder(root), `vectors-${id.toHex().slice(0, 16)}.cache`), id);
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
      throw unwritable(error, this.#path);
    }
    for (const { hash } of entries) this.#slots.set(hash, this.#records++);
  }

  /** Forces what was appended to the disk. */
  flush(): void {
    try {
      this.#file?.syncDataSync();
    } catch (error) {
      throw unwritable(error, this.#path);
    }
  }

  /** Closes the file and deletes it: what is in it lies in an index now. */
  async remove(): Promise<void> {
    this.close();
    await Deno.remove(this.#path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw unwritable(error, this.#path);
    });
  }

  /** Forgets every vector. */
  async clear(): Promise<void> {
    await this.remove();
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
  async #load(): Promise<void> {
    const info = await lstat(this.#path);
    if (info === undefined) return;
    // a second name of the file could be anybody's
    const ordinary = info.isFile && (info.nlink ?? 1) <= 1;
    if (ordinary && await this.#openSound(info)) return;
    try {
      await Deno.remove(this.#path);
    } catch (error) {
      if (info.isDirectory) throw new UserError("data_folder_unsafe", { path: this.#path });
      throw unwritable(error, this.#path);
    }
  }

  /** Opens the file and reads what is in it; false if that is not a cache of this provider. */
  async #openSound(info: Deno.FileInfo): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = await Deno.open(this.#path, { read: true, write: true });
    } catch (error) {
      throw unwritable(error, this.#path);
    }
    const opened = await file.stat();
    const dimensions = info.ino === opened.ino ? this.#dimensionsIn(file) : undefined;
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
    const file = Deno.openSync(this.#path, { createNew: true, read: true, write: true, mode: 0o600 });
    try {
      writeAll(file, this.#header(dimensions));
      return file;
    } catch (error) {
      file.close();
      Deno.removeSync(this.#path);
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

  #offset(record: number): number {
    return HEADER_BYTES + record * recordBytes(this.#dimensions!);
  }
}

function recordBytes(dimensions: number): number {
  return HASH_BYTES + dimensions * 4 + CRC_BYTES;
}

async function lstat(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unwritable(error, path);
  }
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
