/**
 * The vectors of neural models beside the index of a folder: a file for each model, read while another process appends to it.
 */
import { UserError } from "#foundation/errors.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import {
  isSameFile,
  type OwnFolder,
  type ReadableFile,
  unwritable,
  writeAll,
  writeAllSync,
} from "#foundation/boundary/mod.ts";
import type { ContentVector, VectorModel, VectorReader, VectorStore, VectorWriter } from "../store.ts";
import { HashSlots, TableReader } from "../vector_table.ts";
import {
  BLOCK_RECORDS,
  dimensionsIn,
  HEADER_BYTES,
  isLocalVectorFile,
  NEW_END,
  openBlocks,
  readBlocks,
  VectorBlocks,
  vectorFileName,
} from "./vector_file.ts";

/** The files `neural-<16 hex>.vec`, and `server-<16 hex>.vec` for models on servers, in a data folder. */
export class FolderVectors implements VectorStore {
  readonly #folder: OwnFolder;
  readonly #key: IndexKey;

  constructor(folder: OwnFolder, key: IndexKey) {
    this.#folder = folder;
    this.#key = key;
  }

  dimensions(model: string): Promise<number | undefined> {
    return Promise.try(() =>
      dimensionsIn(
        this.#folder,
        vectorFileName(model),
        (dimensions) => new VectorBlocks(dimensions, model, this.#key),
      )
    );
  }

  read(model: VectorModel): VectorReader {
    return new FileVectorReader(this.#folder, model, this.#key);
  }

  write(model: VectorModel, { fresh = false } = {}): Promise<VectorWriter> {
    return Promise.try(() => new FileVectorWriter(this.#folder, model, this.#key, fresh));
  }

  keepOnly(models: readonly string[]): Promise<void> {
    return Promise.try(() => {
      const kept = new Set(models.map(vectorFileName));
      for (const name of this.#folder.names()) {
        if (!isLocalVectorFile(name) || kept.has(name)) continue;
        try {
          this.#folder.remove(name);
        } catch {
          // The next call tries again.
        }
      }
    });
  }
}

/**
 * The vectors of a model, in memory and on the disk as int8 numbers. The file grows while it is read. Each sound block is used;
 * whatever follows a block that is torn or was not written by this installation is ignored.
 */
class FileVectorReader extends TableReader {
  readonly #folder: OwnFolder;
  readonly #name: string;
  readonly #layout: VectorBlocks;
  #file: ReadableFile | undefined;
  /** Offset after the last sound block, and the size of the file when it was read. */
  #end = HEADER_BYTES;
  #seen = 0;

  constructor(folder: OwnFolder, model: VectorModel, key: IndexKey) {
    super(model.dimensions);
    this.#folder = folder;
    this.#name = vectorFileName(model.id);
    this.#layout = new VectorBlocks(model.dimensions, model.id, key);
  }

  override refresh(): Promise<boolean> {
    return Promise.try(() => {
      const known = this.size > 0;
      const isNew = this.#file === undefined || !this.#isStillThere();
      if (isNew) this.forget();
      this.#file ??= openBlocks(this.#folder, this.#name, this.#layout, "read");
      if (this.#file === undefined) return !known;
      const { size } = this.#file.statSync();
      if (size !== this.#seen) {
        this.#end = readBlocks(this.#file, this.#layout, this.#end, ({ count, hash, row, scale }) => {
          for (let record = 0; record < count; record++) {
            this.table.add(hash(record), row(record), scale(record));
          }
        });
        this.#seen = size;
      }
      return !(isNew && known);
    });
  }

  #isStillThere(): boolean {
    const now = this.#folder.look(this.#name);
    return now !== undefined && isSameFile(now, this.#file!.statSync());
  }

  protected override forget(): void {
    this.#file?.close();
    this.#file = undefined;
    super.forget();
    this.#end = HEADER_BYTES;
    this.#seen = 0;
  }
}

/** Appends vectors to the file of a model, or to a fresh one. Nothing is written before the first of them. */
class FileVectorWriter implements VectorWriter {
  readonly #folder: OwnFolder;
  #name: string;
  readonly #layout: VectorBlocks;
  #slots = new HashSlots();
  #file: Deno.FsFile | undefined;
  #end = HEADER_BYTES;
  /** Name of the file that a fresh one takes the place of. */
  #replaced: string | undefined;

  constructor(folder: OwnFolder, model: VectorModel, key: IndexKey, fresh: boolean) {
    this.#folder = folder;
    this.#name = vectorFileName(model.id);
    this.#layout = new VectorBlocks(model.dimensions, model.id, key);
    if (fresh) {
      this.#replaced = this.#name;
      this.#name += NEW_END;
    } else this.#trying(() => this.#load());
  }

  get dimensions(): number {
    return this.#layout.dimensions;
  }

  get size(): number {
    return this.#slots.size;
  }

  has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    return Promise.resolve(hashes.map((hash) => this.#slots.get(hash) !== undefined));
  }

  /** Writes whole blocks. Of a block, either all or no vectors are written. */
  append(entries: readonly ContentVector[]): Promise<void> {
    return Promise.try(() => {
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
    });
  }

  flush(): Promise<void> {
    return Promise.try(() => this.#flush());
  }

  hasChanged(): Promise<boolean> {
    return Promise.try(() => {
      using now = openBlocks(this.#folder, this.#name, this.#layout, "read");
      if (now === undefined || this.#file === undefined) return now !== this.#file;
      const { size } = now.statSync();
      return size !== this.#end || !isSameFile(now.statSync(), this.#file.statSync());
    });
  }

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
      this.#close();
      this.#slots = new HashSlots();
      this.#load();
    }
  }

  async finish(): Promise<void> {
    const name = this.#replaced;
    if (name === undefined || this.#file === undefined) return;
    this.#flush();
    this.#close();
    await this.#folder.rename(this.#name, name).catch((error) => {
      throw this.#unwritable(error);
    });
    this.#name = name;
    this.#replaced = undefined;
    this.#load();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.try(() => {
      const isUnfinished = this.#replaced !== undefined && this.#file !== undefined;
      this.#close();
      if (!isUnfinished) return;
      try {
        this.#folder.remove(this.#name);
      } catch {
        // The next fresh file takes its place.
      }
    });
  }

  #flush(): void {
    this.#trying(() => this.#file?.syncDataSync());
  }

  #close(): void {
    this.#file?.close();
    this.#file = undefined;
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

  #trying(step: () => void): void {
    try {
      step();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  #unwritable(error: unknown): UserError {
    return error instanceof UserError ? error : unwritable(error, this.#folder.at(this.#name));
  }
}
