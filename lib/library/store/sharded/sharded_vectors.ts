/**
 * The vectors of neural models over several stores: each is in one of them, by its content hash.
 */
import type { ContentVector, VectorModel, VectorReader, VectorStore, VectorWriter } from "../store.ts";
import type { Shard } from "./shard.ts";

/** The vectors of a collection in several stores. */
export class ShardedVectors implements VectorStore {
  constructor(readonly shards: readonly Shard[]) {}

  async dimensions(model: string): Promise<number | undefined> {
    const all = await Promise.all(this.shards.map(({ store }) => store.vectors.dimensions(model)));
    return all.find((dimensions) => dimensions !== undefined);
  }

  read(model: VectorModel): VectorReader {
    return new ShardedReader(this.shards, this.shards.map(({ store }) => store.vectors.read(model)));
  }

  async write(model: VectorModel, { fresh = false } = {}): Promise<VectorWriter> {
    await using opened = new AsyncDisposableStack();
    const writers: VectorWriter[] = [];
    for (const { store } of this.shards) {
      writers.push(opened.use(await store.vectors.write(model, { fresh })));
    }
    const clear = async (shard: number) => {
      await using writer = await this.shards[shard]!.store.vectors.write(model);
      if (writer.size > 0) await writer.compact(() => false);
    };
    return new ShardedWriter(writers, opened.move(), clear);
  }

  async keepOnly(models: readonly string[]): Promise<void> {
    await Promise.all(this.shards.map(({ store }) => store.vectors.keepOnly(models)));
  }
}

/** The store of a vector. */
function shardOfHash(hash: Uint8Array, shards: number): number {
  return (hash[0]! | hash[1]! << 8 | hash[2]! << 16) % shards;
}

/** The numbers of entries for each store. */
function split<T>(entries: readonly T[], hashOf: (entry: T) => Uint8Array, shards: number): number[][] {
  const parts = Array.from({ length: shards }, (): number[] => []);
  for (const [i, entry] of entries.entries()) parts[shardOfHash(hashOf(entry), shards)]!.push(i);
  return parts;
}

/** Rows of a store that have been counted, one after the other. */
interface Rows {
  /** Number of the first one over all stores, and in its store. */
  readonly start: number;
  readonly local: number;
  readonly count: number;
}

/** Reads vectors of all stores. Rows keep their numbers, so those that a store gets later are counted after all others. */
class ShardedReader implements VectorReader {
  readonly #readers: readonly VectorReader[];
  readonly #shards: readonly Shard[];
  readonly #rows: Rows[][];
  #size = 0;

  constructor(shards: readonly Shard[], readers: readonly VectorReader[]) {
    this.#shards = shards;
    this.#readers = readers;
    this.#rows = readers.map(() => []);
  }

  get size(): number {
    return this.#size;
  }

  async refresh(): Promise<boolean> {
    const isSame = await Promise.all(
      this.#readers.map((reader, shard) => this.#ask(shard, () => reader.refresh(), true)),
    );
    const keepsNumbers = !isSame.includes(false);
    if (!keepsNumbers) this.#forget();
    for (const [shard, rows] of this.#rows.entries()) {
      const local = rows.reduce((sum, { count }) => sum + count, 0);
      const count = this.#readers[shard]!.size - local;
      if (count > 0) rows.push({ start: this.#size, local, count });
      this.#size += Math.max(0, count);
    }
    return keepsNumbers;
  }

  async rowsOf(hashes: readonly Uint8Array[]): Promise<Int32Array> {
    const found = new Int32Array(hashes.length).fill(-1);
    await Promise.all(
      split(hashes, (hash) => hash, this.#readers.length).map(async (at, shard) => {
        if (at.length === 0) return;
        const ask = () => this.#readers[shard]!.rowsOf(at.map((i) => hashes[i]!));
        const rows = await this.#ask(shard, ask, new Int32Array(at.length).fill(-1));
        for (const [k, i] of at.entries()) found[i] = this.#numberOf(shard, rows[k]!);
      }),
    );
    return found;
  }

  async vectors(rows: Int32Array): Promise<Float32Array[]> {
    const places = Array.from(rows, (row) => this.#placeOf(row));
    const found = new Array<Float32Array>(rows.length);
    await Promise.all(this.#readers.map(async (reader, shard) => {
      const at = places.flatMap((place, i) => place.shard === shard ? [i] : []);
      if (at.length === 0) return;
      const own = await this.#shards[shard]!.ask(() =>
        reader.vectors(Int32Array.from(at, (i) => places[i]!.row))
      );
      for (const [k, i] of at.entries()) found[i] = own[k]!;
    }));
    return found;
  }

  async cosines(query: Float32Array): Promise<Float32Array> {
    const all = new Float32Array(this.#size);
    await Promise.all(this.#readers.map(async (reader, shard) => {
      const cosines = await this.#ask(shard, () => reader.cosines(query), new Float32Array(0));
      for (const { start, local, count } of this.#rows[shard]!) {
        all.set(cosines.subarray(local, local + count), start);
      }
    }));
    return all;
  }

  [Symbol.dispose](): void {
    for (const reader of this.#readers) reader[Symbol.dispose]();
    this.#forget();
  }

  #forget(): void {
    for (const rows of this.#rows) rows.length = 0;
    this.#size = 0;
  }

  /** The number of a row of a store over all stores; -1 for one that was not counted. */
  #numberOf(shard: number, row: number): number {
    if (row < 0) return -1;
    const rows = this.#rows[shard]!.find(({ local, count }) => row < local + count);
    return rows === undefined ? -1 : row - rows.local + rows.start;
  }

  /** The store of a row over all stores, and its number there. */
  #placeOf(row: number): { readonly shard: number; readonly row: number } {
    for (const [shard, rows] of this.#rows.entries()) {
      const held = rows.find(({ start, count }) => row >= start && row < start + count);
      if (held !== undefined) return { shard, row: row - held.start + held.local };
    }
    throw new RangeError(`row ${row} of ${this.#size}`);
  }

  /** Asks a store; `otherwise` if it does not answer: its vectors count as missing. */
  async #ask<T>(shard: number, read: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await this.#shards[shard]!.ask(read);
    } catch {
      return otherwise;
    }
  }
}

/** Adds vectors, each to its store. */
class ShardedWriter implements VectorWriter {
  readonly #writers: readonly VectorWriter[];
  readonly #opened: AsyncDisposableStack;
  readonly #clear: (shard: number) => Promise<void>;

  /** `clear` removes the vectors that a store has. */
  constructor(
    writers: readonly VectorWriter[],
    opened: AsyncDisposableStack,
    clear: (shard: number) => Promise<void>,
  ) {
    this.#writers = writers;
    this.#opened = opened;
    this.#clear = clear;
  }

  get dimensions(): number {
    return this.#writers[0]!.dimensions;
  }

  get size(): number {
    return this.#writers.reduce((sum, { size }) => sum + size, 0);
  }

  async has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    const found = new Array<boolean>(hashes.length);
    await Promise.all(
      split(hashes, (hash) => hash, this.#writers.length).map(async (at, shard) => {
        const has = await this.#writers[shard]!.has(at.map((i) => hashes[i]!));
        for (const [k, i] of at.entries()) found[i] = has[k]!;
      }),
    );
    return found;
  }

  async append(entries: readonly ContentVector[]): Promise<void> {
    await Promise.all(
      split(entries, ({ hash }) => hash, this.#writers.length).map(async (at, shard) => {
        if (at.length > 0) await this.#writers[shard]!.append(at.map((i) => entries[i]!));
      }),
    );
  }

  async flush(): Promise<void> {
    await this.#all((writer) => writer.flush());
  }

  async hasChanged(): Promise<boolean> {
    return (await this.#all((writer) => writer.hasChanged())).includes(true);
  }

  async compact(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    await this.#all((writer) => writer.compact(keeps));
  }

  /** A store of which the fresh set is empty keeps its old one, so that is emptied. */
  async finish(): Promise<void> {
    if (this.size === 0) return;
    await this.#all((writer, shard) => writer.size > 0 ? writer.finish() : this.#clear(shard));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  #all<T>(ask: (writer: VectorWriter, shard: number) => Promise<T>): Promise<T[]> {
    return Promise.all(this.#writers.map(ask));
  }
}
