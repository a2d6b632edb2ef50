import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import type { IndexKey } from "../index/mod.ts";
import { fileError, fillSync, type OwnFolder, unwritable, writeAllSync } from "../sandbox/mod.ts";
import { dataFolder } from "./data_folder.ts";
import { HashSlots } from "./hash_slots.ts";
import { type CacheEntry, HEADER_BYTES, VectorRecords } from "./vector_records.ts";

/** Approximate number of bytes read at once when a cache is opened. */
const PIECE_BYTES = 1 << 22;

/**
 * Keeps the vectors that a run has paid for until they are in an index, so that the next run after an interrupted one
 * continues with them. Each provider has a file, `.muxue_rag/vectors-<16 hex>.cache` ({@linkcode VectorRecords}), to which
 * only the holder of the writer lock appends. Incomplete records and records with another key are left out. A link, or a
 * file that is no cache of the provider, is deleted. Only hashes and record numbers are in memory.
 */
export class VectorCache implements Disposable {
  readonly #folder: OwnFolder;
  readonly #name: string;
  readonly #provider: Uint8Array;
  readonly #key: IndexKey;
  #slots = new HashSlots();
  #file: Deno.FsFile | undefined;
  /** The layout of the file, known from its first vector on. */
  #layout: VectorRecords | undefined;
  /** Records in the file, sound or not. */
  #records = 0;

  private constructor(folder: OwnFolder, provider: Uint8Array, key: IndexKey) {
    this.#folder = folder;
    this.#name = `vectors-${provider.toHex().slice(0, 16)}.cache`;
    this.#provider = provider;
    this.#key = key;
  }

  /**
   * Opens the cache of a provider in `root`, whose data folder must exist. Nothing is written before the first append.
   * Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
   */
  static open(root: string, providerId: string, key: IndexKey, elsewhere?: string): VectorCache {
    const cache = VectorCache.#of(root, providerId, key, elsewhere);
    cache.#load();
    return cache;
  }

  /** Deletes the cache of a provider in `root`, if there is one. Throws `data_folder_unsafe` or `data_folder_unwritable`. */
  static remove(root: string, providerId: string, key: IndexKey, elsewhere?: string): void {
    VectorCache.#of(root, providerId, key, elsewhere).remove();
  }

  static #of(root: string, providerId: string, key: IndexKey, elsewhere?: string): VectorCache {
    return new VectorCache(
      dataFolder(root, elsewhere),
      createHash("sha256").update(providerId).digest(),
      key,
    );
  }

  /** Numbers in a vector; `undefined` while there is none. */
  get dimensions(): number | undefined {
    return this.#layout?.dimensions;
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
    if (record === undefined || this.#layout === undefined || this.#file === undefined) return undefined;
    const bytes = new Uint8Array(this.#layout.size);
    try {
      this.#file.seekSync(this.#layout.offsetOf(record), Deno.SeekMode.Start);
      // The file may have changed since it was checked.
      const isSound = fillSync(this.#file, bytes) === bytes.length && this.#layout.isSound(bytes);
      return isSound ? this.#layout.vectorOf(bytes) : undefined;
    } catch (error) {
      throw fileError(error, this.#path);
    }
  }

  /**
   * Appends vectors. They outlive the process from then on, and a power cut after {@linkcode flush}. All must have as many
   * dimensions as those in the cache. Throws `disk_full` or `data_folder_unwritable`, and leaves the cache as it was.
   */
  append(entries: readonly CacheEntry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    const layout = this.#layout ?? new VectorRecords(first.vector.length, this.#provider, this.#key);
    const bytes = layout.encode(entries);
    try {
      this.#file ??= this.#create(layout);
      this.#layout = layout;
      this.#file.seekSync(layout.offsetOf(this.#records), Deno.SeekMode.Start);
      writeAllSync(this.#file, bytes);
    } catch (error) {
      this.#cutTail();
      throw this.#unwritable(error);
    }
    for (const { hash } of entries) this.#slots.set(hash, this.#records++);
  }

  /** Forces the appended vectors to the disk. */
  flush(): void {
    try {
      this.#file?.syncDataSync();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** Closes the file and deletes it, when its vectors are in an index. */
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
    this.#layout = undefined;
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

  /** Opens the file if it is a cache of the provider, and removes anything else in its place. */
  #load(): void {
    const info = this.#look();
    if (info === undefined) return;
    // The file may have a second name in another folder.
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

  /** Opens the file and reads its contents. Returns false if it is not a cache of this provider. */
  #openSound(): boolean {
    let file: Deno.FsFile;
    try {
      file = this.#folder.open(this.#name, "write");
    } catch (error) {
      throw this.#unwritable(error);
    }
    const header = new Uint8Array(HEADER_BYTES);
    const isWhole = fillSync(file, header) === HEADER_BYTES;
    const layout = isWhole ? VectorRecords.of(header, this.#provider, this.#key) : undefined;
    if (layout === undefined) {
      file.close();
      return false;
    }
    this.#file = file;
    this.#layout = layout;
    this.#readRecords(file, layout);
    this.#cutTail();
    return true;
  }

  #readRecords(file: Deno.FsFile, layout: VectorRecords): void {
    const piece = new Uint8Array(Math.max(1, Math.floor(PIECE_BYTES / layout.size)) * layout.size);
    for (let filled = piece.length; filled === piece.length;) {
      filled = fillSync(file, piece);
      for (const hash of layout.hashesIn(piece.subarray(0, filled))) {
        if (hash !== undefined) this.#slots.set(hash, this.#records);
        this.#records++;
      }
    }
  }

  /** Cuts off the bytes after the last whole record. */
  #cutTail(): void {
    try {
      if (this.#layout !== undefined) this.#file?.truncateSync(this.#layout.offsetOf(this.#records));
    } catch {
      // The next append overwrites it.
    }
  }

  #create(layout: VectorRecords): Deno.FsFile {
    const file = this.#folder.create(this.#name);
    try {
      writeAllSync(file, layout.header);
      return file;
    } catch (error) {
      file.close();
      this.#folder.remove(this.#name);
      throw error;
    }
  }

  get #path(): string {
    return this.#folder.at(this.#name);
  }

  /** The error to show for a file that could not be written. */
  #unwritable(error: unknown): UserError {
    return error instanceof UserError ? error : unwritable(error, this.#path);
  }
}
