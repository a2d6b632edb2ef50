// deno-lint-ignore-file require-await -- all of the data is at hand, only the interface waits
import { quantizeRow } from "#engine/index/mod.ts";
import {
  type ContentVector,
  TableReader,
  type VectorModel,
  type VectorReader,
  type VectorStore,
  type VectorWriter,
} from "#library/store/mod.ts";

/** The vectors of a model, by the content hash in hexadecimal. They are replaced by other ones as a whole. */
interface Kept extends VectorModel {
  readonly vectors: Map<string, Float32Array>;
}

/** Vectors of neural models in memory. */
export class MemoryVectors implements VectorStore {
  readonly #kept = new Map<string, Kept>();

  async dimensions(model: string): Promise<number | undefined> {
    return this.#kept.get(model)?.dimensions;
  }

  read(model: VectorModel): VectorReader {
    return new MemoryVectorReader(model, () => this.#ofModel(model));
  }

  async write(model: VectorModel, { fresh = false } = {}): Promise<VectorWriter> {
    const kept = fresh ? undefined : this.#ofModel(model);
    return new MemoryVectorWriter(kept ?? { ...model, vectors: new Map() }, {
      current: () => this.#kept.get(model.id),
      put: (kept) => this.#kept.set(model.id, kept),
      fresh,
    });
  }

  async keepOnly(models: readonly string[]): Promise<void> {
    for (const id of this.#kept.keys()) {
      if (id.startsWith("local") && !models.includes(id)) this.#kept.delete(id);
    }
  }

  clear(): void {
    this.#kept.clear();
  }

  #ofModel({ id, dimensions }: VectorModel): Kept | undefined {
    const kept = this.#kept.get(id);
    return kept?.dimensions === dimensions ? kept : undefined;
  }
}

class MemoryVectorReader extends TableReader {
  #seen: Kept | undefined;

  constructor(readonly model: VectorModel, readonly current: () => Kept | undefined) {
    super(model.dimensions);
  }

  override async refresh(): Promise<boolean> {
    const now = this.current();
    const isReplaced = now !== this.#seen && this.size > 0;
    if (now !== this.#seen) this.forget();
    this.#seen = now;
    const { dimensions } = this.model;
    for (const [hash, vector] of [...now?.vectors ?? []].slice(this.size)) {
      const row = new Int8Array(dimensions);
      this.table.add(Uint8Array.fromHex(hash), row, quantizeRow(vector, row, 0));
    }
    return !isReplaced;
  }

  protected override forget(): void {
    super.forget();
    this.#seen = undefined;
  }
}

class MemoryVectorWriter implements VectorWriter {
  #kept: Kept;

  constructor(
    kept: Kept,
    readonly place: {
      readonly current: () => Kept | undefined;
      readonly put: (kept: Kept) => void;
      readonly fresh: boolean;
    },
  ) {
    this.#kept = kept;
  }

  get dimensions(): number {
    return this.#kept.dimensions;
  }

  get size(): number {
    return this.#kept.vectors.size;
  }

  async has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    return hashes.map((hash) => this.#kept.vectors.has(hash.toHex()));
  }

  async append(entries: readonly ContentVector[]): Promise<void> {
    for (const { hash, vector } of entries) {
      if (!this.#kept.vectors.has(hash.toHex())) this.#kept.vectors.set(hash.toHex(), vector);
    }
    if (!this.place.fresh) this.place.put(this.#kept);
  }

  async flush(): Promise<void> {}

  async hasChanged(): Promise<boolean> {
    return this.place.current() !== this.#kept;
  }

  async compact(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    const vectors = [...this.#kept.vectors].filter(([hash]) => keeps(Uint8Array.fromHex(hash)));
    this.place.put(this.#kept = { ...this.#kept, vectors: new Map(vectors) });
  }

  async finish(): Promise<void> {
    if (this.size > 0) this.place.put(this.#kept);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
