import type { StoredChunk } from "../../store/mod.ts";
import type { CollectionWanted, FoundChunk } from "../collection_types.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { VERBATIM } from "./verbatim.ts";

/** Chunks that were fetched and that all legs score, sorted by number. All arrays have one entry per chunk. */
export interface Candidates {
  readonly length: number;
  readonly found: readonly FoundChunk[];
  /** Their numbers in the collection. */
  readonly ids: Int32Array;
  /** Empty if no leg needs them. */
  readonly stored: readonly StoredChunk[];
  /** Ranks in the lists of the keyword and the vector leg, counted from 1; 0 for a chunk that is not in the list. */
  readonly keywordRanks: Int32Array;
  readonly vectorRanks: Int32Array;
}

/** Returns the rank of a chunk in the list of a leg by its number in the collection; 0 if the chunk is not in the list. */
export type RankOf = (id: number) => number;

/** Fetches chunks of the two lists, each once. `found` may name a chunk twice. */
export async function fetchCandidates(
  { request: { collection, meaning } }: PreparedQuery,
  found: readonly FoundChunk[],
  ranks: { readonly keyword: RankOf; readonly vector: RankOf },
): Promise<Candidates> {
  const once = eachOnce(found);
  const ids = idsOf(once);
  return {
    length: once.length,
    found: once,
    ids,
    stored: meaning === undefined ? [] : await collection.chunks(ids),
    keywordRanks: ids.map(ranks.keyword),
    vectorRanks: ids.map(ranks.vector),
  };
}

/** Returns the `limit` best chunks by the sum of BM25 of the question and BM25 of its translation. */
export async function bestByWords(
  query: PreparedQuery,
  wanted: CollectionWanted,
): Promise<readonly FoundChunk[]> {
  const { terms, translated, foreignFactor, request: { collection, searcher = collection } } = query;
  const own = await searcher.byTerms(terms, wanted);
  if (translated === undefined) return own;
  // A chunk that is among the best of neither list cannot be near the top of their sum.
  const both = eachOnce([...own, ...await collection.byGroups(translated.groups, wanted)]);
  const ids = idsOf(both);
  const { scores } = await collection.scoreTerms(terms, ids);
  const { scores: translatedScores } = await collection.scoreGroups(translated.groups, ids);
  const ranked = both.map((found, i) => {
    const factor = found.language === translated.language ? foreignFactor : 1;
    return { ...found, score: (scores[i]! + translatedScores[i]!) * factor };
  }).sort((a, b) => b.score - a.score || a.id - b.id);
  // Many translations must not push out the chunks that hold the words themselves.
  const verbatim = own.filter(({ coverage }) => coverage >= VERBATIM).slice(0, Math.ceil(wanted.limit / 2));
  const kept = new Set(verbatim.map(({ id }) => id));
  for (const { id } of ranked) if (kept.size < wanted.limit) kept.add(id);
  return ranked.filter(({ id }) => kept.has(id));
}

/** Returns the `limit` chunks whose vectors are nearest to the question's, best first. */
export async function nearestChunks(
  query: PreparedQuery,
  wanted: CollectionWanted,
): Promise<readonly FoundChunk[]> {
  const { vector, request: { collection, searcher = collection } } = query;
  return vector === undefined ? [] : await searcher.byVector(vector, wanted);
}

/** Returns the distinct chunks, sorted by number. */
function eachOnce(found: readonly FoundChunk[]): FoundChunk[] {
  return [...new Map(found.map((chunk) => [chunk.id, chunk])).values()].sort((a, b) => a.id - b.id);
}

function idsOf(found: readonly FoundChunk[]): Int32Array {
  return Int32Array.from(found, ({ id }) => id);
}
