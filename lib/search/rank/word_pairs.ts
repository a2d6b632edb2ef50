import type { FoundChunk } from "../collection_types.ts";
import { ChunkWords } from "./chunk_words.ts";
import { MOST_ALIKE } from "./cosines.ts";
import type { Meaning } from "./meaning.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import type { QueryWord } from "./query_words.ts";
import { COMMON, LEAST_COSINE } from "./word_matches.ts";

/** A word of the question with the most similar word of a chunk. */
export interface WordPair {
  readonly query: string;
  readonly chunk: string;
  /** Cosine of their vectors; 1 for the same word in any form. */
  readonly cosine: number;
}

/**
 * Returns the pairs that MaxSim counts in each chunk, one for each word of the question that is similar to a word of the
 * chunk. The chunks are in ascending order. Throws `DamagedWordsError`.
 */
export async function wordPairs(query: PreparedQuery, found: readonly FoundChunk[]): Promise<WordPair[][]> {
  const { words, request: { collection, meaning, model } } = query;
  if (meaning === undefined) return found.map(() => []);
  const ids = Int32Array.from(found, ({ id }) => id);
  const stored = await collection.chunks(ids);
  const chunkWords = new ChunkWords(meaning);
  return (await collection.words(ids, model)).map((bytes, i) => {
    if (bytes === undefined) return [];
    const { index, file } = found[i]!;
    const { ids } = chunkWords.of(bytes, index.files[file]!.path, stored[i]!.section);
    return pairsOf(words, new Set(ids), meaning);
  });
}

function pairsOf(
  words: readonly QueryWord[],
  distinct: ReadonlySet<number>,
  meaning: Meaning,
): WordPair[] {
  const { p } = meaning.table;
  return words.flatMap(({ text, id }) => {
    let best = 0, most = -1;
    for (const other of distinct) {
      const cosine = likeness(id, other, meaning);
      if (cosine < 1 && p[other]! > COMMON) continue;
      if (cosine > most) [best, most] = [other, cosine];
    }
    if (most < LEAST_COSINE) return [];
    return [{ query: text, chunk: best < 0 ? text : meaning.table.words.word(best), cosine: most }];
  });
}

function likeness(one: number, other: number, meaning: Meaning): number {
  if (meaning.stemClass(one) === meaning.stemClass(other)) return 1;
  return Math.min(MOST_ALIKE, meaning.table.cosine(one, other));
}
