// deno-lint-ignore-file require-await -- all of the data is at hand, only the interface waits
import { deserialize, serialize } from "node:v8";
import { UserError } from "#foundation/errors.ts";
import { DamagedIndexError, FieldTables } from "#engine/index/mod.ts";
import {
  type ByteSink,
  type ByteSource,
  type EvaluationRuns,
  type GeneratedTexts,
  type IndexWriter,
  isMadeFor,
  isPathInside,
  type LoadedIndex,
  movedFrom,
  type OpenIndex,
  type OpenOptions,
  pictureKey,
  type RecognisedPages,
  type RecognisedTexts,
  type RemovedFiles,
  RUN_LIMITS,
  type Store,
  type StoreLock,
  type StoreWork,
  UNUSED_DAYS,
  type WriteOptions,
} from "#library/store/mod.ts";
import { type MemoryData, MemoryIndex } from "./memory_index.ts";
import { MemoryVectors } from "./memory_vectors.ts";
import { MemoryWriter } from "./memory_writer.ts";

/** Everything of a folder in memory. */
export class MemoryStore implements Store {
  readonly location = "memory";
  readonly indexLocation = "memory";
  #exists = false;
  #index: MemoryIndex | undefined;
  #version = 0;
  readonly #held = new Set<StoreWork>();
  readonly vectors = new MemoryVectors();
  readonly #texts = new Map<string, RecognisedPages>();
  readonly #results = new Map<string, string>();
  /** Time since which a result is not used. */
  readonly #unusedSince = new Map<string, number>();
  readonly #runs = new Map<string, string>();
  #removed: ReadonlySet<string> = new Set();

  constructor(readonly root: string) {}

  async exists(): Promise<boolean> {
    return this.#exists;
  }

  async bytes(): Promise<number> {
    return this.#index === undefined ? 0 : serialize(this.#index.data).length;
  }

  async remove(): Promise<boolean> {
    if (!this.#exists) return false;
    await using _lock = await this.lock();
    this.#exists = false;
    this.#index = undefined;
    this.vectors.clear();
    this.#texts.clear();
    this.#results.clear();
    this.#runs.clear();
    this.#removed = new Set();
    return true;
  }

  async open({ forUpdate = false, shows }: OpenOptions = {}): Promise<LoadedIndex> {
    const index = this.#index;
    if (index === undefined) return { state: "missing" };
    if (!index.files.every(({ path }) => isPathInside(path))) {
      return { state: "damaged", problem: "path of a file" };
    }
    if (forUpdate || isMadeFor(index, this.root)) {
      return { state: "ready", index: shows === undefined ? index : limited(index, shows) };
    }
    return { state: "moved", problem: movedFrom(index) };
  }

  async version(): Promise<string | undefined> {
    return this.#index && String(this.#version);
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

  async lock(work: StoreWork = "index"): Promise<StoreLock> {
    const busy = work === "vectors" ? "vectors_busy" : "index_busy";
    if (this.#held.has(work)) throw new UserError(busy, { pid: "?", path: this.root });
    this.#held.add(work);
    if (work === "index") this.#exists = true;
    return { takenAway: [], [Symbol.asyncDispose]: async () => void this.#held.delete(work) };
  }

  async isLocked(): Promise<boolean> {
    return this.#held.has("index");
  }

  async backUp(index: OpenIndex, sink: ByteSink): Promise<number> {
    const bytes = serialize((index as MemoryIndex).data);
    for (let at = 0; at < bytes.length;) at += sink.writeSync(bytes.subarray(at));
    return bytes.length;
  }

  async openBackup(source: ByteSource): Promise<OpenIndex> {
    try {
      const bytes = new Uint8Array(source.statSync().size);
      for (let at = 0; at < bytes.length;) at += source.readSync(bytes.subarray(at)) ?? bytes.length;
      return new MemoryIndex(deserialize(bytes));
    } catch (error) {
      throw new DamagedIndexError(String(error));
    } finally {
      source.close();
    }
  }

  async restore(backup: OpenIndex): Promise<void> {
    this.#put((backup as MemoryIndex).data);
  }

  get recognised(): RecognisedTexts {
    return {
      get: async (sha256) => this.#texts.get(sha256),
      set: async (sha256, pages) => void (this.#exists && this.#texts.set(sha256, pages)),
      keepOnly: async (needed) => {
        const rest = [...this.#texts].filter(([sha256]) => needed.has(sha256));
        const pictures = rest.flatMap(([, pages]) => [...pages.pictures?.values() ?? []]);
        const keys = new Set([...needed, ...pictures.map(({ sha256 }) => pictureKey(sha256))]);
        for (const sha256 of this.#texts.keys()) if (!keys.has(sha256)) this.#texts.delete(sha256);
      },
    };
  }

  get generated(): GeneratedTexts {
    return {
      keys: async () => [...this.#results.keys()],
      get: async (key) => this.#results.has(key) ? JSON.parse(this.#results.get(key)!) : undefined,
      set: async (key, value) => {
        const json = JSON.stringify(value);
        if (this.#exists && json.length < 200_000) this.#results.set(key, json);
      },
      prune: async (used, now) => {
        for (const key of this.#results.keys()) {
          const since = this.#unusedSince.get(key) ?? now.getTime();
          if (used.has(key)) this.#unusedSince.delete(key);
          else if (now.getTime() - since < UNUSED_DAYS * 86_400_000) this.#unusedSince.set(key, since);
          else this.#results.delete(key);
        }
      },
      verify: async () => ({ results: this.#results.size, damaged: 0 }),
    };
  }

  get removed(): RemovedFiles {
    const change = (paths: ReadonlySet<string>) => {
      if (!this.#exists) return 0;
      const before = this.#removed.size;
      this.#removed = paths;
      return Math.abs(paths.size - before);
    };
    return {
      paths: async () => this.#removed,
      version: async () => [...this.#removed].join("\n"),
      add: async (paths) => change(this.#removed.union(paths)),
      delete: async (paths) => change(this.#removed.difference(paths)),
    };
  }

  get evaluations(): EvaluationRuns {
    const names = () => [...this.#runs.keys()].sort();
    return {
      names: async () => names(),
      get: async (name) => this.#runs.get(name),
      set: async (name, text) => {
        if (!this.#exists || text.length > RUN_LIMITS.bytes) return false;
        this.#runs.set(name, text);
        for (const old of names().slice(0, -RUN_LIMITS.runs)) this.#runs.delete(old);
        return true;
      },
    };
  }

  #put(data: MemoryData): void {
    this.#index = new MemoryIndex(data);
    this.#version++;
  }
}

/** An index of the files that pass. */
function limited({ data }: MemoryIndex, shows: NonNullable<OpenOptions["shows"]>): MemoryIndex {
  const { leftOut: _, ...meta } = data.meta;
  const marks = shows(data.files, new FieldTables(data.files));
  const shown = [...data.files.keys()].filter((file) => marks[file] === 1);
  let firstChunk = 0;
  const files = shown.map((file) => {
    const stored = { ...data.files[file]!, firstChunk };
    firstChunk += stored.chunkCount;
    return stored;
  });
  const chunks = data.chunks.filter(({ file }) => shown.includes(file))
    .map((chunk) => ({ ...chunk, file: shown.indexOf(chunk.file) }));
  return new MemoryIndex({ ...data, meta, files, chunks });
}
