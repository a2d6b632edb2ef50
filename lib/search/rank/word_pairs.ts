import type { FoundChunk } from "../collection_types.ts";
import { ChunkWords } from "./chunk_words.ts";
import { MOST_ALIKE } from "./cosines.ts";
import type { Meaning } from "./meaning.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import type { QueryWord } from "./query_words.ts";
import { type Known, wordingsById } from "./translated_words.ts";
import { COMMON, LEAST_COSINE } from "./word_matches.ts";

/** A word of the question with the most similar word of a chunk. */
export interface WordPair {
  readonly query: string;
  readonly chunk: string;
  /** Cosine of their vectors; 1 for the same word in any form. */
  readonly cosine: number;
  /** Present if the word of the chunk translates that of the question: how sure the translation is, from 0 to 1. */
  readonly sureness?: number;
}

/**
 * Returns the pairs that count in each chunk, one for each word of the question that is equal or similar to a word of the
 * chunk or, in a chunk of the other language, is translated by it. The chunks are in ascending order. Throws
 * `DamagedWordsError`.
 */
export async function wordPairs(query: PreparedQuery, found: readonly FoundChunk[]): Promise<WordPair[][]> {
  const { words, translated, request: { collection, meaning, model } } = query;
  if (meaning === undefined) return found.map(() => []);
  const ids = Int32Array.from(found, ({ id }) => id);
  const stored = await collection.chunks(ids);
  const chunkWords = new ChunkWords(meaning);
  return (await collection.words(ids, model)).map((bytes, i) => {
    if (bytes === undefined) return [];
    const { index, file } = found[i]!;
    const text = chunkWords.of(bytes, index.files[file]!.path, stored[i]!.section);
    const distinct = new Set(text.ids);
    const pairs = pairsOf(words, distinct, meaning);
    if (found[i]!.language !== translated?.language) return pairs;
    return withTranslations(pairs, words, wordingsById([text], translated, meaning), distinct, meaning);
  });
}

/** Returns the pairs with the surest translation in place of a word that is only similar. */
function withTranslations(
  pairs: readonly WordPair[],
  words: readonly QueryWord[],
  known: ReadonlyMap<number, readonly Known[]>,
  distinct: ReadonlySet<number>,
  meaning: Meaning,
): WordPair[] {
  return words.flatMap(({ text, id }, place) => {
    const similar = pairs.find(({ query }) => query === text);
    let best = -1, most = 0;
    for (const other of distinct) {
      for (const { words, sureness } of known.get(other) ?? []) {
        if (words.includes(place) && sureness > most) [best, most] = [other, sureness];
      }
    }
    if (best < 0 || similar?.cosine === 1) return similar ?? [];
    const chunk = meaning.table.words.word(best);
    return [{ query: text, chunk, cosine: Math.max(0, likeness(id, best, meaning)), sureness: most }];
  });
}

function pairsOf(
  words: readonly QueryWord[],
  distinct: ReadonlySet<number>,
  meaning: Meaning,
): WordPair[] {
  const { p } = meaning.table;
  return words.flatMap(({ text, id, exact }) => {
    // The same word is more alike than any other, and needs no cosines.
    const stem = meaning.stemClass(id);
    const same = distinct.values().find((other) => meaning.stemClass(other) === stem);
    let [best, most] = same === undefined ? [0, -1] : [same, 1];
    for (const other of same === undefined ? distinct : []) {
      const cosine = likeness(id, other, meaning);
      if (cosine < 1 && p[other]! > COMMON) continue;
      if (cosine > most) [best, most] = [other, cosine];
    }
    if (most < (exact === true ? 1 : LEAST_COSINE)) return [];
    return [{ query: text, chunk: best < 0 ? text : meaning.table.words.word(best), cosine: most }];
  });
}

function likeness(one: number, other: number, meaning: Meaning): number {
  if (meaning.stemClass(one) === meaning.stemClass(other)) return 1;
  return Math.min(MOST_ALIKE, meaning.table.cosine(one, other));
}
