import type { TextWords } from "../../embedding/mod.ts";
import { cosines } from "./cosines.ts";
import type { Meaning } from "./meaning.ts";
import type { QueryWord } from "./query_words.ts";

/** The least cosine that counts: any two words come near it. */
export const LEAST_COSINE = 0.45;

/** A word that is more frequent than this in running text (some 70 English and 90 Chinese words) matches only itself. */
export const COMMON = 0.001;

/** Pairs of a word of a candidate and a similar word of the question, in the order of the text. */
export interface WordMatches {
  /** Number of the word in the candidate. */
  readonly places: Int32Array;
  /** Number of the word in the question. */
  readonly words: Int32Array;
  /** Their cosine: at least {@linkcode LEAST_COSINE}, 1 for the same stem. */
  readonly cosines: Float32Array;
}

/** Compares each distinct word of the candidates with each word of the question once, then goes through the texts. */
export function matchWords(
  texts: readonly (TextWords | undefined)[],
  question: readonly QueryWord[],
  meaning: Meaning,
): WordMatches[] {
  const { marks } = meaning;
  const asked = new Set(question.map(({ id }) => meaning.stemClass(id)));
  const { p } = meaning.table;
  const distinct = numberWords(texts, marks, (id) => p[id]! <= COMMON || asked.has(meaning.stemClass(id)));
  const width = question.length;
  const table = cosines(distinct, question, meaning);
  // most words match no word of the question
  for (let i = 0; i < distinct.length; i++) {
    let any = false;
    for (let at = i * width; at < (i + 1) * width; at++) any ||= table[at]! >= LEAST_COSINE;
    if (!any) marks[distinct[i]!] = 0;
  }
  const least = Float32Array.from(question, ({ exact }) => exact === true ? 1 : LEAST_COSINE);
  const unknown = new Map(question.flatMap(({ id }, q) => id < 0 ? [[id, q] as const] : []));
  const matches = texts.map((text) => {
    const places: number[] = [], words: number[] = [], near: number[] = [];
    const ids = text?.ids ?? [];
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place]!;
      if (id < 0) {
        const q = unknown.get(id);
        if (q === undefined) continue;
        places.push(place);
        words.push(q);
        near.push(1);
        continue;
      }
      const row = marks[id]!;
      if (row === 0) continue;
      for (let q = 0, at = (row - 1) * width; q < width; q++, at++) {
        if (table[at]! < least[q]!) continue;
        places.push(place);
        words.push(q);
        near.push(table[at]!);
      }
    }
    return {
      places: Int32Array.from(places),
      words: Int32Array.from(words),
      cosines: Float32Array.from(near),
    };
  });
  for (let i = 0; i < distinct.length; i++) marks[distinct[i]!] = 0;
  return matches;
}

/**
 * The distinct words of the texts that the table has and `counts` accepts. Sets the mark of each to its number in the
 * result, counted from 1.
 */
function numberWords(
  texts: readonly (TextWords | undefined)[],
  marks: Int32Array,
  counts: (id: number) => boolean,
): Int32Array {
  const distinct = new Int32Array(texts.reduce((sum, text) => sum + (text?.ids.length ?? 0), 0));
  let count = 0;
  for (const text of texts) {
    if (text === undefined) continue;
    const { ids } = text;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      if (id < 0 || marks[id] !== 0 || !counts(id)) continue;
      distinct[count++] = id;
      marks[id] = count;
    }
  }
  return distinct.subarray(0, count);
}
