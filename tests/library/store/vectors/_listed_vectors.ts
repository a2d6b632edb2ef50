import { equal } from "node:assert/strict";
import { HASH_BYTES, quantizeQuery, VectorScanner } from "#engine/index/mod.ts";
import type { VectorModel } from "#library/store/mod.ts";
import type { NearestOptions, VectorProposer, VectorRows } from "#library/store/vectors/proposer.ts";

/** Vectors in a list, in the place of a server: every one is compared, with scores that are rounded as a server rounds them. */
export class ListedVectors implements VectorProposer {
  readonly exactUpTo = 0;
  /** By the hexadecimal content hash. */
  readonly rows = new Map<string, { readonly numbers: Int8Array; readonly scale: number }>();
  /** The calls of {@linkcode nearest}: the limit, and the number of vectors that are compared, if it is given. */
  readonly asked: (readonly [limit: number, among: number | undefined])[] = [];
  /** Called before everything else. */
  before = () => {};

  constructor(readonly model: VectorModel) {}

  nearest(query: Float32Array, { limit, among }: NearestOptions): Promise<VectorRows> {
    this.before();
    this.asked.push([limit, among?.length]);
    const keys = among?.map(keyOf).filter((key) => this.rows.has(key)) ?? [...this.rows.keys()];
    const scanner = new VectorScanner(1, this.model.dimensions);
    const scored = keys.map((key) => {
      const { numbers, scale } = this.rows.get(key)!;
      scanner.rows.set(numbers);
      scanner.scales[0] = scale;
      const unit = quantizeQuery(query, scanner.factors);
      return { key, score: Math.round(scanner.scan(1)[0]! * unit * 5000) };
    });
    scored.sort((a, b) => b.score - a.score);
    return Promise.resolve(this.#of(scored.slice(0, limit).map(({ key }) => key)));
  }

  rowsOf(hashes: readonly Uint8Array[]): Promise<VectorRows> {
    this.before();
    return Promise.resolve(this.#of(hashes.map(keyOf).filter((key) => this.rows.has(key))));
  }

  has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    this.before();
    return Promise.resolve(hashes.map((hash) => this.rows.has(keyOf(hash))));
  }

  add({ hashes, numbers, scales }: VectorRows): Promise<void> {
    this.before();
    const { dimensions } = this.model;
    for (const [i, hash] of hashes.entries()) {
      const own = numbers.slice(i * dimensions, (i + 1) * dimensions);
      this.rows.set(keyOf(hash), { numbers: own, scale: scales[i]! });
    }
    return Promise.resolve();
  }

  keepOnly(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    this.before();
    for (const key of [...this.rows.keys()]) if (!keeps(Uint8Array.fromHex(key))) this.rows.delete(key);
    return Promise.resolve();
  }

  #of(keys: readonly string[]): VectorRows {
    const { dimensions } = this.model;
    const numbers = new Int8Array(keys.length * dimensions);
    for (const [i, key] of keys.entries()) numbers.set(this.rows.get(key)!.numbers, i * dimensions);
    return {
      hashes: keys.map((key) => Uint8Array.fromHex(key)),
      numbers,
      scales: Float32Array.from(keys, (key) => this.rows.get(key)!.scale),
    };
  }
}

function keyOf(hash: Uint8Array): string {
  return hash.subarray(0, HASH_BYTES).toHex();
}

/** The same list, whose rows are compared by number. */
export class NumberedVectors extends ListedVectors {
  override nearest(query: Float32Array, { limit, among, amongNumbers }: NearestOptions): Promise<VectorRows> {
    equal(among, undefined);
    const keys = amongNumbers && [...this.rows.keys()];
    const numbers = amongNumbers && [...new Set(amongNumbers)].filter((number) => number < keys!.length);
    return super.nearest(query, {
      limit,
      among: numbers?.map((number) => Uint8Array.fromHex(keys![number]!)),
    });
  }

  numbersOf(hashes: readonly Uint8Array[]): Promise<Float64Array> {
    this.before();
    const numbers = new Map([...this.rows.keys()].map((key, number) => [key, number]));
    return Promise.resolve(Float64Array.from(hashes, (hash) => numbers.get(keyOf(hash)) ?? -1));
  }
}
