/** A store whose code is loaded when something of it is asked for: a program that keeps everything in folders loads no code for databases. */
import type {
  EvaluationRuns,
  GeneratedTexts,
  RecognisedTexts,
  RemovedFiles,
  Store,
  VectorModel,
  VectorReader,
  VectorStore,
} from "./store.ts";

/** The properties of a store that are known before its code is loaded. */
type StorePlace = Pick<Store, "root" | "location" | "isShared">;

/** Returns a store that does everything by the one that `load` returns, which is called once. */
export function lateStore({ root, location, isShared }: StorePlace, load: () => Promise<Store>): Store {
  let loaded: Promise<Store> | undefined;
  let known: Store | undefined;
  const store = async () => known ??= await (loaded ??= load());
  const vectors: VectorStore = {
    dimensions: async (...given) => (await store()).vectors.dimensions(...given),
    read: (model) => new LateReader(async () => (await store()).vectors, model),
    write: async (...given) => (await store()).vectors.write(...given),
    keepOnly: async (...given) => (await store()).vectors.keepOnly(...given),
  };
  const recognised: RecognisedTexts = {
    get: async (...given) => (await store()).recognised.get(...given),
    set: async (...given) => (await store()).recognised.set(...given),
    keepOnly: async (...given) => (await store()).recognised.keepOnly(...given),
  };
  const generated: GeneratedTexts = {
    keys: async () => (await store()).generated.keys(),
    get: async (...given) => (await store()).generated.get(...given),
    set: async (...given) => (await store()).generated.set(...given),
    prune: async (...given) => (await store()).generated.prune(...given),
    verify: async () => (await store()).generated.verify(),
  };
  const evaluations: EvaluationRuns = {
    names: async () => (await store()).evaluations.names(),
    get: async (...given) => (await store()).evaluations.get(...given),
    set: async (...given) => (await store()).evaluations.set(...given),
  };
  const removed: RemovedFiles = {
    paths: async () => (await store()).removed.paths(),
    version: async () => (await store()).removed.version(),
    add: async (...given) => (await store()).removed.add(...given),
    delete: async (...given) => (await store()).removed.delete(...given),
  };
  return {
    ...{ root, location, indexLocation: location, isShared },
    ...{ vectors, recognised, generated, evaluations, removed },
    vectorPlace: async () => await (await store()).vectorPlace?.(),
    get vectorProblem() {
      return known?.vectorProblem;
    },
    exists: async () => (await store()).exists(),
    facts: async () => await (await store()).facts?.(),
    bytes: async () => (await store()).bytes(),
    remove: async () => (await store()).remove(),
    open: async (...given) => (await store()).open(...given),
    version: async () => (await store()).version(),
    replace: async (...given) => (await store()).replace(...given),
    sharedWork: async () => await (await store()).sharedWork?.(),
    lock: async (...given) => (await store()).lock(...given),
    isLocked: async () => (await store()).isLocked(),
    backUp: async (...given) => (await store()).backUp(...given),
    openBackup: async (...given) => (await store()).openBackup(...given),
    restore: async (...given) => (await store()).restore(...given),
  };
}

/** The vectors of a model, empty before the first {@linkcode refresh}. */
class LateReader implements VectorReader {
  readonly #vectors: () => Promise<VectorStore>;
  readonly #model: VectorModel;
  #reader: VectorReader | undefined;

  constructor(vectors: () => Promise<VectorStore>, model: VectorModel) {
    this.#vectors = vectors;
    this.#model = model;
  }

  get size(): number {
    return this.#reader?.size ?? 0;
  }

  async refresh(): Promise<boolean> {
    return (await this.#opened()).refresh();
  }

  async rowsOf(hashes: readonly Uint8Array[]): Promise<Int32Array> {
    return (await this.#opened()).rowsOf(hashes);
  }

  async vectors(rows: Int32Array): Promise<Float32Array[]> {
    return (await this.#opened()).vectors(rows);
  }

  async cosines(query: Float32Array): Promise<Float32Array> {
    return (await this.#opened()).cosines(query);
  }

  [Symbol.dispose](): void {
    this.#reader?.[Symbol.dispose]();
  }

  async #opened(): Promise<VectorReader> {
    const vectors = await this.#vectors();
    return this.#reader ??= vectors.read(this.#model);
  }
}
