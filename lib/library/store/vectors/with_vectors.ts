/**
 * A store whose nearest vectors are proposed by another place. The code for that is loaded with the first index.
 */
import { UserError } from "#foundation/errors.ts";
import type { LoadedIndex, OpenOptions, Store, VectorModel } from "../store.ts";
import type { VectorProposer } from "./proposer.ts";

/** Returns the place of the vectors of a model for an index with so many chunks; `undefined` if there is none. Throws `UserError`. */
type ProposerOf = (model: VectorModel, chunks: number) => Promise<VectorProposer | undefined>;

/**
 * Returns a store that brings the vectors of its index to another place whenever the index is replaced, and asks that place for the
 * nearest of them. The index is complete without the place: if that fails, {@linkcode Store.vectorProblem} says why.
 */
export function withVectors<S extends Store>(
  store: S,
  proposerOf: ProposerOf,
  vectorPlace: Store["vectorPlace"] = store.vectorPlace?.bind(store),
): S {
  let problem: UserError | undefined;
  const bring = async () => {
    problem = undefined;
    const loaded = await store.open({ forUpdate: true });
    if (loaded.state !== "ready") return;
    using index = loaded.index;
    if (index.vectors === undefined) return;
    const { model: id, dimensions } = index.vectors, { chunks } = index.statistics;
    try {
      const proposer = await proposerOf({ id, dimensions }, chunks);
      if (proposer === undefined || chunks <= proposer.exactUpTo) return;
      const { bringVectors } = await import("./bring_vectors.ts");
      await bringVectors(index, proposer);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problem = error;
    }
  };
  const changed = {
    async open(options: OpenOptions = {}): Promise<LoadedIndex> {
      const loaded = await store.open(options);
      if (loaded.state !== "ready" || options.forUpdate || loaded.index.vectors === undefined) return loaded;
      const { model: id, dimensions } = loaded.index.vectors;
      const proposer = await proposerOf({ id, dimensions }, loaded.index.statistics.chunks);
      if (proposer === undefined) return loaded;
      const { withProposer } = await import("./proposed_index.ts");
      return { ...loaded, index: withProposer(loaded.index, proposer) };
    },
    async replace(...given: Parameters<Store["replace"]>) {
      const made = await store.replace(...given);
      await bring();
      return made;
    },
    async restore(...given: Parameters<Store["restore"]>) {
      await store.restore(...given);
      await bring();
    },
  };
  return new Proxy(store, {
    get(_, name) {
      if (name === "vectorProblem") return problem ?? store.vectorProblem;
      if (name === "vectorPlace") return vectorPlace;
      if (Object.hasOwn(changed, name)) return changed[name as keyof typeof changed];
      const value = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}
