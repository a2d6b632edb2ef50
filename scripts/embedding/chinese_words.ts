import { unknownIdOfHash } from "#models/embedding/builtin/decode.ts";
import { addIdentity } from "#models/embedding/builtin/analyzer.ts";
import { addToHash, HASH_START } from "#foundation/open_addressing.ts";
import type { WordVectors } from "./english_words.ts";
import { meanings } from "./glosses.ts";
import { normalizeRows, principalComponents, removeComponents, subtractMean } from "./principal.ts";
import type { CedictEntry } from "./sources.ts";

/** Parameters of the Chinese vectors. */
export interface ChineseOptions {
  /** Weight of the first, second … sense. */
  readonly senseWeights: readonly number[];
  /** The `a` of smooth inverse frequency: a word of an explanation has the weight a / (a + p). */
  readonly a: number;
  /**
   * Number of principal components removed from the Chinese vectors. They stand for words in many explanations: "ancient",
   * "county", "used for".
   */
  readonly chineseComponents: number;
  /**
   * Weight of a random vector that is added to the vector of a single character (length 1), which often only stands for a
   * sound.
   */
  readonly identity: number;
}

const HAN = /^[\u3400-\u9fff]+$/;
const MAX_LENGTH = 8;
/** Weight of an explanation's word without a vector. 佳木斯 is explained by "Jiamusi", which an English text may contain. */
const UNKNOWN = 0.5;

/** Returns the entries of words that are written only in Chinese characters, by their simplified form. */
export function entriesByWord(
  entries: readonly CedictEntry[],
  fold: (word: string) => string,
): Map<string, CedictEntry[]> {
  const byWord = new Map<string, CedictEntry[]>();
  for (const entry of entries) {
    const word = fold(entry.simplified);
    if (!HAN.test(word) || word.length > MAX_LENGTH) continue;
    const ofWord = byWord.get(word);
    if (ofWord === undefined) byWord.set(word, [entry]);
    else ofWord.push(entry);
  }
  return byWord;
}

/**
 * Returns vectors of the Chinese words in the space of the English ones. A word is the weighted sum of its senses, and a
 * sense the weighted sum of the words that explain it, scaled to length 1. `p` is the word's share of jieba's counts; the
 * words are sorted by it. Words whose explanations have no vector are left out.
 */
export function chineseWords(
  byWord: ReadonlyMap<string, readonly CedictEntry[]>,
  frequencies: ReadonlyMap<string, number>,
  english: WordVectors,
  { senseWeights, a, chineseComponents, identity }: ChineseOptions,
): WordVectors {
  const { dimensions } = english;
  const rowOf = new Map(english.words.map((word, i) => [word, i]));
  const words: string[] = [];
  const rows: Float32Array[] = [];
  // Common words come first, because their ids take fewer bytes in an index.
  const count = (word: string) => frequencies.get(word) ?? 1;
  const byFrequency = [...byWord].sort(([one], [other]) => count(other) - count(one));
  for (const [word, entries] of byFrequency) {
    const row = new Float32Array(dimensions);
    for (const [rank, sense] of meanings(entries).slice(0, senseWeights.length).entries()) {
      const meaning = new Float32Array(dimensions);
      for (const part of sense.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
        const id = rowOf.get(part);
        if (id === undefined) {
          if (part.length > 2) addIdentity(meaning, 0, dimensions, unknownId(part), UNKNOWN);
          continue;
        }
        const weight = a / (a + english.p[id]!);
        for (let k = 0; k < dimensions; k++) meaning[k]! += weight * english.vectors[id * dimensions + k]!;
      }
      normalizeRows(meaning, dimensions);
      for (let k = 0; k < dimensions; k++) row[k]! += senseWeights[rank]! * meaning[k]!;
    }
    if (row.every((value) => value === 0)) continue;
    words.push(word);
    rows.push(row);
  }
  const vectors = new Float32Array(words.length * dimensions);
  rows.forEach((row, i) => vectors.set(row, i * dimensions));
  subtractMean(vectors, dimensions);
  removeComponents(vectors, dimensions, principalComponents(vectors, dimensions).slice(0, chineseComponents));
  normalizeRows(vectors, dimensions);
  words.forEach((word, i) => {
    if (word.length === 1) addIdentity(vectors, i * dimensions, dimensions, word.charCodeAt(0), identity);
  });
  return { words, dimensions, vectors, p: probabilities(words, frequencies) };
}

/** Returns each word's share of jieba's counts. A word that jieba does not list counts once. */
function probabilities(words: readonly string[], frequencies: ReadonlyMap<string, number>): Float64Array {
  let total = 0;
  for (const frequency of frequencies.values()) total += frequency;
  return Float64Array.from(words, (word) => (frequencies.get(word) ?? 1) / total);
}

/** Returns the id of a word that is not in the table. */
function unknownId(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = addToHash(hash, word.charCodeAt(i));
  return unknownIdOfHash(hash);
}
