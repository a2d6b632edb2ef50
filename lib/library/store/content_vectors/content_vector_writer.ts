import { UserError } from "#foundation/errors.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import { isSameFile, type OwnFolder, unwritable, writeAll, writeAllSync } from "#foundation/boundary/mod.ts";
import { dataFolder, WriterLock } from "../data_folder.ts";
import { HashSlots } from "../hash_slots.ts";
import {
  BLOCK_RECORDS,
  type ContentVector,
  HEADER_BYTES,
  isLocalVectorFile,
  NEW_END,
  openBlocks,
  readBlocks,
  VectorBlocks,
  vectorFileName,
} from "./block_file.ts";
import type { VectorModel } from "./content_vectors.ts";

/** The lock of the process that makes neural vectors. The index itself can be written meanwhile. */
const LOCK_FILE = "neural.lock";

/**
 * Takes the right to make the neural vectors of `root`, whose data folder must exist. Throws `vectors_busy`, and otherwise as
 * {@linkcode WriterLock.take}.
 */
export async function lockContentVectors(root: string, elsewhere?: string): Promise<Disposable> {
  try {
    return await WriterLock.take(root, dataFolder(root, elsewhere), LOCK_FILE);
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "index_busy") throw error;
    throw new UserError("vectors_busy", error.params);
  }
}

/** Appends vectors to the file of a model. The caller holds the lock of {@linkcode lockContentVectors}. */
export class ContentVectorWriter implements Disposable {
  readonly #folder: OwnFolder;
  #name: string;
  readonly #layout: VectorBlocks;
  #slots = new HashSlots();
  #file: Deno.FsFile | undefined;
  #end = HEADER_BYTES;
  /** Name of the file that a fresh one takes the place of. */
  #replaced: string | undefined;

  private constructor(folder: OwnFolder, model: VectorModel, key: IndexKey) {
    this.#folder = folder;
    this.#name = vectorFileName(model.id);
    this.#layout = new VectorBlocks(model.dimensions, model.id, key);
  }

  /**
   * Opens the file of a model in the data folder of `root`. Nothing is written before the first append. A file that cannot
   * be used is removed then. Throws `data_folder_unsafe` and `data_folder_unwritable`.
   */
  static open(root: string, model: VectorModel, key: IndexKey, elsewhere?: string): ContentVectorWriter {
    const writer = new ContentVectorWriter(dataFolder(root, elsewhere), model, key);
    try {
      writer.#load();
    } catch (error) {
      throw writer.#unwritable(error);
    }
    return writer;
  }

  /**
   * Begins a file that takes the place of the model's file with {@linkcode finish}. Without that, it is removed when the writer
   * is disposed of.
   */
  static fresh(root: string, model: VectorModel, key: IndexKey, elsewhere?: string): ContentVectorWriter {
    const writer = new ContentVectorWriter(dataFolder(root, elsewhere), model, key);
    writer.#replaced = writer.#name;
    writer.#name += NEW_END;
    return writer;
  }

  /** Puts a fresh file in the place of the model's file, which stays if nothing was appended. */
  finish(): void {
    const name = this.#replaced;
    if (name === undefined || this.#file === undefined) return;
    this.flush();
    this.close();
    try {
      this.#folder.rename(this.#name, name);
    } catch (error) {
      throw this.#unwritable(error);
    }
    this.#name = name;
    this.#replaced = undefined;
    this.#load();
  }

  /** Numbers in a vector. */
  get dimensions(): number {
    return this.#layout.dimensions;
  }

  /** Number of vectors. */
  get size(): number {
    return this.#slots.size;
  }

  /** Whether there is a vector for a content hash. */
  has(hash: Uint8Array): boolean {
    return this.#slots.get(hash) !== undefined;
  }

  /**
   * Appends vectors, which are on the disk when it returns. Of a block, either all or no vectors are written. Throws
   * `disk_full` or `data_folder_unwritable`.
   */
  append(entries: readonly ContentVector[]): void {
    for (let from = 0; from < entries.length; from += BLOCK_RECORDS) {
      const some = entries.slice(from, from + BLOCK_RECORDS);
      const bytes = this.#layout.encode(some);
      try {
        this.#file ??= this.#create();
        this.#file.seekSync(this.#end, Deno.SeekMode.Start);
        writeAllSync(this.#file, bytes);
      } catch (error) {
        this.#cutTail();
        throw this.#unwritable(error);
      }
      this.#end += bytes.length;
      for (const { hash } of some) this.#slots.set(hash, this.#slots.size);
    }
  }

  /** Returns whether another writer has changed or replaced the file since it was opened. */
  hasChanged(): boolean {
    using now = openBlocks(this.#folder, this.#name, this.#layout, "read");
    if (now === undefined || this.#file === undefined) return now !== this.#file;
    const { size } = now.statSync();
    return size !== this.#end || !isSameFile(now.statSync(), this.#file.statSync());
  }

  /** Forces the appended vectors to the disk. */
  flush(): void {
    try {
      this.#file?.syncDataSync();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** Replaces the file by one with only those vectors whose hash `keeps` accepts. */
  async compact(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    if (this.#file === undefined) return;
    const kept: Uint8Array[] = [this.#layout.header];
    const slots = new HashSlots();
    this.#end = HEADER_BYTES;
    readBlocks(this.#file, this.#layout, HEADER_BYTES, (block) => {
      const records: number[] = [];
      for (let record = 0; record < block.count; record++) {
        const hash = block.hash(record);
        if (!keeps(hash) || slots.get(hash) !== undefined) continue;
        slots.set(hash, slots.size);
        records.push(record);
      }
      if (records.length > 0) kept.push(this.#layout.copy(block, records));
    });
    try {
      await this.#folder.replace(this.#name, async (file) => {
        for (const bytes of kept) await writeAll(file, bytes);
      });
    } catch (error) {
      throw this.#unwritable(error);
    } finally {
      this.close();
      this.#slots = new HashSlots();
      this.#load();
    }
  }

  /** Closes the file. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  [Symbol.dispose](): void {
    const isUnfinished = this.#replaced !== undefined && this.#file !== undefined;
    this.close();
    if (!isUnfinished) return;
    try {
      this.#folder.remove(this.#name);
    } catch {
      // The next fresh file takes its place.
    }
  }

  #load(): void {
    const file = openBlocks(this.#folder, this.#name, this.#layout, "write") as Deno.FsFile | undefined;
    if (file === undefined) return;
    this.#file = file;
    this.#end = readBlocks(file, this.#layout, HEADER_BYTES, (block) => {
      for (let record = 0; record < block.count; record++) {
        this.#slots.set(block.hash(record), this.#slots.size);
      }
    });
    this.#cutTail();
  }

  /** Removes the bytes after the last whole block, so that a part of an interrupted write does not hide what follows. */
  #cutTail(): void {
    try {
      this.#file?.truncateSync(this.#end);
    } catch {
      // The next append overwrites it.
    }
  }

  /** Creates the file, in the place of one that cannot be used. */
  #create(): Deno.FsFile {
    if (this.#folder.look(this.#name) !== undefined) this.#folder.remove(this.#name);
    const file = this.#folder.create(this.#name);
    try {
      writeAllSync(file, this.#layout.header);
      return file;
    } catch (error) {
      file.close();
      this.#folder.remove(this.#name);
      throw error;
    }
  }

  #unwritable(error: unknown): UserError {
    if (error instanceof UserError) return error;
    return unwritable(error, this.#folder.at(this.#name));
  }
}

/**
 * Removes the files with vectors of all local models but the given ones from the data folder of `root`, as far as possible. The
 * caller holds the lock.
 */
export function removeOtherVectors(root: string, models: readonly string[], elsewhere?: string): void {
  const folder = dataFolder(root, elsewhere);
  const kept = new Set(models.map(vectorFileName));
  for (const name of folder.names()) {
    if (!isLocalVectorFile(name) || kept.has(name)) continue;
    try {
      folder.remove(name);
    } catch {
      // The next call tries again.
    }
  }
}
