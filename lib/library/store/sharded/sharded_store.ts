/**
 * A collection over several stores, such as databases on several servers. Each file is in one of them, by the hash of its path; together
 * they answer like one: terms are counted over all of them, and chunks are numbered as in one index.
 *
 * A run writes all stores and lets them publish when the last one has written everything. They cannot publish in the same instant, so a
 * reader looks again while the stores have indexes of different runs. If that stays so, because a machine failed in between, the answers
 * come from what there is, and say so; the next run brings all stores up to date.
 *
 * When a store does not answer, searches go on with the others and say which part is missing. Writing needs all of them.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  BlobIndex,
  type IndexKey,
  type IndexMeta,
  IndexReader,
  IndexWriter as BlobWriter,
  MemoryFile,
  type OpenIndex,
} from "#engine/index/mod.ts";
import { JoinedIndex, type JoinedPart, type Place } from "#engine/joined/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import type { Phrase } from "#foundation/messages/mod.ts";
import { openVerified, pause, writeAsOne } from "../folder/delta.ts";
import type {
  ByteSink,
  ByteSource,
  EvaluationRuns,
  GeneratedTexts,
  IndexWriter,
  LoadedIndex,
  OpenOptions,
  RecognisedTexts,
  RemovedFiles,
  Store,
  StoreLock,
  StoreWork,
  VectorStore,
  WriteOptions,
} from "../store.ts";
import { Shard, shardOf, valuesOf } from "./shard.ts";
import { ShardedVectors } from "./sharded_vectors.ts";
import { ShardedIndexWriter } from "./sharded_writer.ts";

/** How often the stores are opened while a run is publishing, and the time between two attempts, in milliseconds. */
const ATTEMPTS = 6;
const PAUSE_MS = 100;
/** Files that a backup takes over without a pause. */
const FILES_AT_ONCE = 256;

/** Keeps the files of a folder in several stores, and what belongs to none of the files in the first of them. */
export class ShardedStore implements Store {
  readonly #shards: readonly Shard[];
  readonly #key: IndexKey;
  readonly vectors: VectorStore;
  readonly isShared: boolean;

  /** `stores`: always in the same order. `key` seals their backups. */
  constructor(readonly root: string, stores: readonly Store[], key: IndexKey) {
    this.#shards = stores.map((store) => new Shard(store));
    this.#key = key;
    this.isShared = stores.some(({ isShared }) => isShared);
    this.vectors = new ShardedVectors(this.#shards);
  }

  get location(): string {
    return this.#shards.map(({ store }) => store.location).join(", ");
  }

  get indexLocation(): string {
    return this.#shards.map(({ store }) => store.indexLocation).join(", ");
  }

  async exists(): Promise<boolean> {
    const all = await Promise.allSettled(this.#shards.map(({ store }) => store.exists()));
    if (all.some((one) => one.status === "fulfilled" && one.value)) return true;
    return valuesOf(all).includes(true);
  }

  async bytes(): Promise<number> {
    const all = await Promise.allSettled(this.#shards.map(({ store }) => store.bytes()));
    return all.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
  }

  /** Removes nothing unless every store answers. */
  async remove(): Promise<boolean> {
    await Promise.all(this.#shards.map(({ store }) => store.exists()));
    let isRemoved = false;
    for (const { store } of this.#shards) if (await store.remove()) isRemoved = true;
    return isRemoved;
  }

  async open(options: OpenOptions = {}): Promise<LoadedIndex> {
    for (let attempt = 1;; attempt++) {
      const loaded = await this.#open(options);
      const isMixed = loaded.state === "ready" && (loaded.index as ShardedIndex).isMixed;
      if (!isMixed || attempt === ATTEMPTS) return loaded;
      loaded.index.close();
      await delay(PAUSE_MS);
    }
  }

  async version(): Promise<string | undefined> {
    const all = await Promise.all(this.#shards.map(async (shard) => {
      const version = await shard.ask((store) => store.version()).catch(() => "?");
      // after a failure the index is opened again, also if it is the same
      return version === undefined ? undefined : `${version} ${shard.failures}`;
    }));
    return all.every((version) => version === undefined) ? undefined : all.map((one) => one ?? "").join("\n");
  }

  async replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    const previous = options.previous && ownIndex(options.previous);
    const placeOf = previous && ((file: number) => previous.placeIn(file));
    const generatedFiles = options.generatedFiles?.map((file) => placeOf!(file));
    const writers = this.#shards.map(() => Promise.withResolvers<IndexWriter>());
    const written = Promise.withResolvers<void>();
    // Each store waits with publishing until all have written everything, or does not publish.
    const publishing = this.#shards.map(({ store }, shard) =>
      store.replace({
        ...options,
        thread: undefined,
        previous: previous?.inShard(shard),
        generatedFiles: (generatedFiles ?? []).flatMap(({ part, number }) => part === shard ? [number] : []),
      }, (writer) => {
        writers[shard]!.resolve(writer);
        return written.promise;
      })
    );
    const published = Promise.allSettled(publishing);
    try {
      const all = await Promise.all(
        writers.map(({ promise }, shard) => Promise.race([promise, publishing[shard]!.then(() => promise)])),
      );
      const result = await write(new ShardedIndexWriter(all, placeOf));
      written.resolve();
      valuesOf(await published);
      return result;
    } catch (error) {
      written.reject(error);
      await published;
      throw error;
    }
  }

  async lock(work: StoreWork = "index"): Promise<StoreLock> {
    await using taken = new AsyncDisposableStack();
    const locks: StoreLock[] = [];
    // in the same order in every process, so that no two wait for each other
    for (const { store } of this.#shards) locks.push(taken.use(await store.lock(work)));
    const held = taken.move();
    return {
      takenAway: locks.flatMap(({ takenAway }) => takenAway),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  async isLocked(): Promise<boolean> {
    const all = await Promise.all(this.#shards.map(({ store }) => store.isLocked().catch(() => false)));
    return all.includes(true);
  }

  /** The parts are put together in memory. */
  async backUp(given: OpenIndex, sink: ByteSink): Promise<number> {
    const index = ownIndex(given);
    if (index.lacking.length > 0) {
      throw new UserError("part_needed", { location: String(index.lacking[0]!.params!["location"]) });
    }
    const parts = await Promise.all(index.parts.map(async (part, i): Promise<JoinedPart<BlobIndex>> => {
      const file = new MemoryFile();
      await this.#shards[index.shards[i]!]!.store.backUp(part, file);
      return { index: new BlobIndex(IndexReader.open(file, { key: this.#key })) };
    }));
    using whole = new JoinedIndex(parts);
    return await writeAsOne(whole, index, sink, this.#key);
  }

  openBackup(source: ByteSource): Promise<OpenIndex> {
    return Promise.try(() => openVerified(source, this.#key));
  }

  /** The parts are made in memory. */
  async restore(backup: OpenIndex): Promise<void> {
    if (!(backup instanceof BlobIndex)) throw new TypeError("a backup of another store");
    await using parts = new AsyncDisposableStack();
    const all: OpenIndex[] = [];
    for (const [shard, { store }] of this.#shards.entries()) {
      const file = new MemoryFile();
      const writer = new BlobWriter(file, this.#key, [backup.reader], backup.vectors);
      for (const [number, { path }] of backup.files.entries()) {
        if (shardOf(path, this.#shards.length) === shard) writer.keep(undefined, number);
        if (number % FILES_AT_ONCE === 0) await pause();
      }
      await writer.finish(backup.meta, pause);
      all.push(parts.use(await store.openBackup(file)));
    }
    for (const [shard, { store }] of this.#shards.entries()) await store.restore(all[shard]!);
  }

  get recognised(): RecognisedTexts {
    const { recognised } = this.#first.store;
    return {
      // readers can do without
      get: (sha256) => this.#first.ask(() => recognised.get(sha256)).catch(() => undefined),
      set: (sha256, pages) => recognised.set(sha256, pages),
      keepOnly: (needed) => recognised.keepOnly(needed),
    };
  }

  get generated(): GeneratedTexts {
    return this.#first.store.generated;
  }

  get evaluations(): EvaluationRuns {
    return this.#first.store.evaluations;
  }

  /** Every store has the whole list, since each search asks for it. */
  get removed(): RemovedFiles {
    const shards = this.#shards;
    const most = async (change: (list: RemovedFiles) => Promise<number>) =>
      Math.max(...await Promise.all(shards.map(({ store }) => change(store.removed))));
    const known = async <T>(read: (list: RemovedFiles) => Promise<T>) => {
      const all = await Promise.allSettled(shards.map((shard) => shard.ask((store) => read(store.removed))));
      const answers = all.filter((one) => one.status === "fulfilled").map(({ value }) => value);
      return answers.length > 0 ? answers : valuesOf(all);
    };
    return {
      paths: async () => new Set((await known((list) => list.paths())).flatMap((paths) => [...paths])),
      version: async () => (await known((list) => list.version())).join("\n"),
      add: (paths) => most((list) => list.add(paths)),
      delete: (paths) => most((list) => list.delete(paths)),
    };
  }

  get #first(): Shard {
    return this.#shards[0]!;
  }

  async #open(options: OpenOptions): Promise<LoadedIndex> {
    const all = await Promise.allSettled(
      this.#shards.map((shard) => shard.ask((store) => store.open(options))),
    );
    using opened = new DisposableStack();
    for (const one of all) {
      if (one.status === "fulfilled" && one.value.state === "ready") opened.use(one.value.index);
    }
    // An update would index the files of a missing part as new ones.
    if (options.forUpdate) valuesOf(all);
    const parts: Part[] = [], lacking: Phrase[] = [];
    for (const [shard, one] of all.entries()) {
      const { location } = this.#shards[shard]!.store;
      if (one.status === "rejected") lacking.push(missing(location, problemOf(one.reason)));
      else if (one.value.state === "ready") parts.push({ shard, index: one.value.index });
      else if (one.value.state === "missing") lacking.push(missing(location, { key: "part_without_index" }));
      else return { state: one.value.state, problem: `${location}: ${one.value.problem}` };
    }
    if (parts.length === 0) {
      valuesOf(all);
      return { state: "missing" };
    }
    const meta = newest(parts);
    const behind = parts.filter(({ index }) => index.meta.indexedAt !== meta.indexedAt);
    lacking.push(
      ...behind.map(({ shard }) => missing(this.#shards[shard]!.store.location, { key: "part_behind" })),
    );
    // what was made with other settings cannot be kept
    const usable = options.forUpdate
      ? parts.filter(({ index }) => index.meta.settings === meta.settings)
      : parts;
    for (const { index } of parts) if (usable.every((part) => part.index !== index)) index.close();
    const index = new ShardedIndex(usable, meta, behind.length > 0, lacking, (shard, error) => {
      if (error instanceof UserError && error.key.startsWith("store_")) this.#shards[shard]!.failed(error);
    });
    opened.move();
    return { state: "ready", index, ...(lacking.length > 0 && { lacking }) };
  }
}

/** The index of a store. */
interface Part {
  readonly shard: number;
  readonly index: OpenIndex;
}

/** The indexes of the stores as one. */
class ShardedIndex extends JoinedIndex {
  /** The number of the store of each part. */
  readonly shards: readonly number[];
  /** Whether the stores have indexes of different runs. */
  readonly isMixed: boolean;
  /** The missing parts. */
  readonly lacking: readonly Phrase[];

  constructor(
    parts: readonly Part[],
    meta: IndexMeta,
    isMixed: boolean,
    lacking: readonly Phrase[],
    failed: (shard: number, error: unknown) => void,
  ) {
    super(parts, { meta, failed: (part, error) => failed(parts[part]!.shard, error) });
    this.shards = parts.map(({ shard }) => shard);
    this.isMixed = isMixed;
    this.lacking = lacking;
  }

  /** The number of a file's store, as its part, and its number there. */
  placeIn(file: number): Place {
    const { part, number } = this.placeOf(file);
    return { part: this.shards[part]!, number };
  }

  inShard(shard: number): OpenIndex | undefined {
    const part = this.shards.indexOf(shard);
    return part < 0 ? undefined : this.parts[part];
  }
}

function ownIndex(index: OpenIndex): ShardedIndex {
  if (index instanceof ShardedIndex) return index;
  throw new TypeError("an index of another store");
}

/** The metadata of the latest run. */
function newest(parts: readonly Part[]): IndexMeta {
  return parts.map(({ index }) => index.meta)
    .reduce((latest, meta) => meta.indexedAt > latest.indexedAt ? meta : latest);
}

function missing(location: string, problem: Phrase): Phrase {
  return { key: "part_missing", params: { location, problem } };
}

function problemOf(error: unknown): Phrase {
  if (!(error instanceof UserError)) return { key: "part_failed", params: { reason: reasonOf(error) } };
  return { key: error.key, params: error.params };
}
