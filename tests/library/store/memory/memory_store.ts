// deno-lint-ignore-file require-await -- all of the data is at hand, only the interface waits
import { deserialize, serialize } from "node:v8";
import { UserError } from "#foundation/errors.ts";
import { DamagedIndexError } from "#engine/index/mod.ts";
import type { ReadableFile } from "#foundation/boundary/mod.ts";
import {
  type IndexStore,
  type IndexWriter,
  isMadeFor,
  isPathInside,
  type LoadedIndex,
  movedFrom,
  type OpenIndex,
  type StoreLock,
  type WriteOptions,
} from "#library/store/mod.ts";
import { type MemoryData, MemoryIndex } from "./memory_index.ts";
import { MemoryWriter } from "./memory_writer.ts";

/** The index of a folder in memory. */
export class MemoryStore implements IndexStore {
  #index: MemoryIndex | undefined;
  #version = 0;
  #isLocked = false;

  constructor(readonly root: string) {}

  get location(): string {
    return "memory";
  }

  async open({ forUpdate = false } = {}): Promise<LoadedIndex> {
    const index = this.#index;
    if (index === undefined) return { state: "missing" };
    if (!index.files.every(({ path }) => isPathInside(path))) {
      return { state: "damaged", problem: "path of a file" };
    }
    if (forUpdate || isMadeFor(index, this.root)) return { state: "ready", index };
    return { state: "moved", problem: movedFrom(index) };
  }

  async version(): Promise<string | undefined> {
    return this.#index && String(this.#version);
  }

  async isLocked(): Promise<boolean> {
    return this.#isLocked;
  }

  async lock(): Promise<StoreLock> {
    if (this.#isLocked) throw new UserError("index_busy", { pid: "?", path: this.root });
    this.#isLocked = true;
    return { takenAway: [], [Symbol.dispose]: () => this.#isLocked = false };
  }

  async replace<T>(
    { previous, vectors }: WriteOptions,
    write: (writer: IndexWriter) => Promise<T>,
  ): Promise<T> {
    const writer = new MemoryWriter(previous as MemoryIndex | undefined, vectors);
    const result = await write(writer);
    this.#put(writer.data);
    return result;
  }

  async backUp(index: OpenIndex, file: Deno.FsFile): Promise<number> {
    return file.writeSync(serialize((index as MemoryIndex).data));
  }

  async openBackup(file: ReadableFile): Promise<OpenIndex> {
    using _ = file;
    try {
      const bytes = new Uint8Array(file.statSync().size);
      file.readSync(bytes);
      return new MemoryIndex(deserialize(bytes));
    } catch (error) {
      throw new DamagedIndexError(String(error));
    }
  }

  async restore(backup: OpenIndex): Promise<void> {
    this.#put((backup as MemoryIndex).data);
  }

  #put(data: MemoryData): void {
    this.#index = new MemoryIndex(data);
    this.#version++;
  }
}
