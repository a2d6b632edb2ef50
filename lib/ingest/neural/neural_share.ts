import type { NeuralModels } from "../../embedding/mod.ts";
import type { IndexKey } from "../../index/mod.ts";
import { ContentVectors, HashSlots, type IndexStore, storedDimensions } from "../../store/mod.ts";
import { tokensOf } from "./make_neural_vectors.ts";
import { neededVectors } from "./missing_vectors.ts";

/** How many of the vectors of neural models a folder has. */
export interface NeuralShare {
  /** Ids of the models. */
  readonly models: readonly string[];
  /** Names of the models for people. */
  readonly names: readonly string[];
  readonly done: number;
  readonly total: number;
  /** Estimated number of tokens in the texts without a vector. */
  readonly tokensLeft: number;
}

/**
 * Compares the texts of a folder's index with the vectors that neural models have made. Returns `undefined` without an index.
 * Writes nothing.
 */
export async function neuralShare(
  store: IndexStore,
  models: NeuralModels,
  key: IndexKey,
): Promise<NeuralShare | undefined> {
  const loaded = await store.open();
  if (loaded.state !== "ready") return undefined;
  using index = loaded.index;
  using resources = new DisposableStack();
  const known = new Map(
    [...models.providers].map(([language, provider]) => {
      const { id } = provider;
      const stored = storedDimensions(store.root, id, key, store.elsewhere);
      const dimensions = models.server === undefined ? provider.dimensions ?? stored : stored;
      if (dimensions === undefined) return [language, { has: () => false }] as const;
      const vectors = resources.use(new ContentVectors(store.root, { id, dimensions }, key, store.elsewhere));
      vectors.refresh();
      return [language, { has: (hash: Uint8Array) => vectors.rowOf(hash) !== undefined }] as const;
    }),
  );
  const { total, missing } = await neededVectors(
    index,
    models,
    known,
    new HashSlots(),
    () => Promise.resolve(),
  );
  return {
    models: [...models.providers.values()].map(({ id }) => id),
    names: [...models.providers.values()].map(({ id, name = id }) => name),
    done: total - missing.length,
    total,
    tokensLeft: Math.round(tokensOf(missing)),
  };
}
