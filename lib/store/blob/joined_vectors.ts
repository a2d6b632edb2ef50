import type { StoredVectors } from "../index_store.ts";

/** Returns the vectors of several files of one model as one; `undefined` if there are none. */
export function joinVectors(files: readonly StoredVectors[]): StoredVectors | undefined {
  const [first] = files;
  if (first === undefined) return undefined;
  const { model, dimensions } = first.meta;
  const usable = files.filter(({ meta }) => meta.model === model && meta.dimensions === dimensions);
  return {
    meta: first.meta,
    *hashes() {
      for (const file of usable) yield* file.hashes();
    },
    has: (hash) => usable.some((file) => file.has(hash)),
    get(hash) {
      for (const file of usable) {
        const vector = file.get(hash);
        if (vector !== undefined) return vector;
      }
      return undefined;
    },
    [Symbol.dispose]() {
      for (const file of files) file[Symbol.dispose]();
    },
  };
}
