import type { IndexReader } from "../../index/mod.ts";
import { ChunkWords } from "./chunk_words.ts";
import { MOST_ALIKE } from "./cosines.ts";
import type { Meaning } from "./meaning.ts";
import type { Question } from "./question.ts";
import { COMMON, LEAST_COSINE } from "./word_matches.ts";

/** A word of the question with the word of a chunk that is most like it. */
export interface WordPair {
  readonly query: string;
  readonly chunk: string;
  /** Of their vectors; 1 for the same word in any of its forms. */
  readonly cosine: number;
}

/** What MaxSim sees in one chunk: a pair for each word of the question that is like one of the chunk's. Throws `DamagedWordsError`. */
export function wordPairs(
  { words, request: { meaning, model } }: Question,
  reader: IndexReader,
  chunk: number,
): WordPair[] {
  const text = meaning && new ChunkWords(meaning, model).of(reader, chunk);
  if (text === undefined) return [];
  const { p } = meaning!.table;
  const distinct = new Set(text.ids);
  return words.flatMap(({ text, id }) => {
    let best = 0, most = -1;
    for (const other of distinct) {
      const cosine = likeness(id, other, meaning!);
      if (cosine < 1 && p[other]! > COMMON) continue;
      if (cosine > most) [best, most] = [other, cosine];
    }
    if (most < LEAST_COSINE) return [];
    return [{ query: text, chunk: best < 0 ? text : meaning!.table.words.word(best), cosine: most }];
  });
}

function likeness(one: number, other: number, meaning: Meaning): number {
  if (meaning.stemClass(one) === meaning.stemClass(other)) return 1;
  return Math.min(MOST_ALIKE, meaning.table.cosine(one, other));
}
