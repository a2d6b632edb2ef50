import { MAX_DIMENSIONS } from "../../limits.ts";
import { type BlobReader, DamagedIndexError } from "../blob/mod.ts";
import { strideOf } from "./quantize.ts";
import type { VectorMeta } from "./vector_index.ts";

/**
 * Returns the contents of the section `vector.meta` from its parsed JSON. Throws {@linkcode DamagedIndexError} for any
 * other JSON.
 */
export function vectorMetaOf(json: unknown): VectorMeta {
  const { model, dimensions, exact } = (json ?? {}) as Partial<Record<keyof VectorMeta, unknown>>;
  const isSize = Number.isInteger(dimensions) && dimensions as number >= 1 &&
    dimensions as number <= MAX_DIMENSIONS;
  if (typeof model !== "string" || !isSize || typeof exact !== "boolean") {
    throw new DamagedIndexError("section vector.meta");
  }
  return { model, dimensions: dimensions as number, exact };
}

/** Throws {@linkcode DamagedIndexError} unless the sections of the vectors are as long as those of `count` chunks. */
export function checkVectorSections(blob: BlobReader, meta: VectorMeta, count: number): void {
  const lengths = {
    vectors: count * strideOf(meta.dimensions),
    "vector.scales": count * 4,
    ...(meta.exact ? { "vector.exact": count * meta.dimensions * 4 } : {}),
  };
  for (const [name, length] of Object.entries(lengths)) {
    if (blob.length(name) !== length) throw new DamagedIndexError(`length of section ${name}`);
  }
}
