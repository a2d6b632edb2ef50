/**
 * Writes an index over several stores: each file into its own.
 */
import type { FileRecord, GeneratedOf, IndexMeta, NewChunk } from "#engine/index/mod.ts";
import type { Place } from "#engine/joined/mod.ts";
import type { IndexWriter } from "../store.ts";
import { shardOf, valuesOf } from "./shard.ts";

/** Chunks that follow one another in all stores and in one. */
interface Run {
  readonly shard: number;
  /** Numbers of the first chunk over all stores, and in its store. */
  readonly start: number;
  readonly local: number;
}

/** A file of the previous index: its store and its number there. */
type PlaceOf = (file: number) => Place;

/** Chunks are counted over all stores in the order in which they are added. */
export class ShardedIndexWriter implements IndexWriter {
  readonly #writers: readonly IndexWriter[];
  readonly #placeOf: PlaceOf | undefined;
  readonly #runs: Run[] = [];
  #count = 0;
  /** The store of the file that was begun. */
  #shard = 0;

  /** `writers`: one for each store. */
  constructor(writers: readonly IndexWriter[], placeOf: PlaceOf | undefined) {
    this.#writers = writers;
    this.#placeOf = placeOf;
  }

  get chunkCount(): number {
    return this.#count;
  }

  /** A file stays in its store also if that is not the one of its path: see `shardOf()`. */
  async keep(record: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): Promise<void> {
    const { part, number } = this.#placeOf!(file);
    const writer = this.#writers[part]!;
    const before = writer.chunkCount;
    await writer.keep(record, number, generatedOf);
    this.#added(part, before, writer.chunkCount - before);
  }

  addEmpty(record: FileRecord): void | Promise<void> {
    return this.#writers[this.#shardOf(record.path)]!.addEmpty(record);
  }

  beginFile(path: string): void {
    this.#shard = this.#shardOf(path);
    this.#writers[this.#shard]!.beginFile(path);
  }

  addChunk(chunk: NewChunk): void {
    const writer = this.#writers[this.#shard]!;
    this.#added(this.#shard, writer.chunkCount, 1);
    writer.addChunk(chunk);
  }

  endFile(record: FileRecord): void | Promise<void> {
    return this.#writers[this.#shard]!.endFile(record);
  }

  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void {
    const [writer, local] = this.#chunkIn(chunk);
    writer.setVector(local, vector, words);
  }

  async finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    let all: Promise<void> | undefined;
    const once = () => all ??= embedded();
    valuesOf(await Promise.allSettled(this.#writers.map((writer) => writer.finish(meta, pause, once))));
  }

  #shardOf(path: string): number {
    return shardOf(path, this.#writers.length);
  }

  /** Counts chunks that a store gets, from the number `local` on. */
  #added(shard: number, local: number, count: number): void {
    const last = this.#runs.at(-1);
    const goesOn = last?.shard === shard && last.local + this.#count - last.start === local;
    if (count > 0 && !goesOn) this.#runs.push({ shard, start: this.#count, local });
    this.#count += count;
  }

  /** The writer of a chunk, and its number there. */
  #chunkIn(chunk: number): [writer: IndexWriter, local: number] {
    let low = 0, high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]!.start <= chunk) low = middle + 1;
      else high = middle;
    }
    const { shard, start, local } = this.#runs[low - 1]!;
    return [this.#writers[shard]!, chunk - start + local];
  }
}
