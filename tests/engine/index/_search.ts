import { BlobIndex, type IndexReader, type QueryTerm } from "#engine/index/mod.ts";
import { type FoundChunk, Segments } from "#engine/segments.ts";

/**
 * Returns the best chunks of indexes for terms, by BM25. `passes`: whether a chunk may be found, by its number in all
 * indexes; with it, every file must have one chunk.
 */
export async function search(
  readers: readonly IndexReader[],
  terms: readonly QueryTerm[],
  limit: number,
  passes?: (id: number) => boolean,
): Promise<FoundChunk[]> {
  const indexes = readers.map((reader) => new BlobIndex(reader));
  const segments = new Segments(indexes);
  const wanted = await segments.lookUp(terms);
  if (passes === undefined) return await segments.byTerms(wanted, { limit });
  let next = 0;
  const filters = new Map(indexes.map((index) => {
    const files = Uint8Array.from(index.files, () => passes(next++) ? 1 : 0);
    return [index, { files, phrases: [], excluded: [], excludedPhrases: [] }];
  }));
  return await segments.byTerms(wanted, { limit, filter: (index) => filters.get(index as BlobIndex) });
}
