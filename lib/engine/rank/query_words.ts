/**
 * The words of a question, and where a chunk has them or words of similar meaning.
 */
import { copiedInto, inverseDocumentFrequency, type QueryTerm } from "#engine/index/mod.ts";
import { CHINESE_TERMS_A_WORD, type Segments } from "#engine/segments.ts";
import { STOP_WORD_WEIGHT } from "#engine/query/mod.ts";
import type { Meaning } from "./meaning.ts";
import type { TextWords } from "#models/embedding/mod.ts";
import { MAX_WORDS } from "./word_rows.ts";

/** A word of the question that is no stop word. */
export interface QueryWord {
  readonly text: string;
  /** Number of the word in the built-in table; negative for a word that it lacks. */
  readonly id: number;
  readonly idf: number;
  /** Part of a name or number with a digit, such as `hunter2`: no other word is like it. */
  readonly exact?: boolean;
}

/** Runs of Chinese characters, and of other letters and digits. */
const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}'’])+/gu;

const DIGIT = /\p{N}/u;

/** A word of the question of which the index was not asked yet. */
export interface AskedWord extends Omit<QueryWord, "idf"> {
  /** Its index terms. */
  readonly terms: readonly string[];
}

/**
 * The distinct words of the question, as the table cuts it, whose index terms are among `terms`. Stop words have no terms
 * there.
 */
export function askedWords(text: string, terms: readonly QueryTerm[], meaning: Meaning): AskedWord[] {
  const { table, analyzer, tokenizer } = meaning;
  const asked = contentTerms(terms);
  const words = new Map<number, AskedWord>();
  for (const [run] of text.matchAll(RUN)) {
    for (const id of analyzer.wordsOf(run)) {
      const word = id < 0 ? run : table.words.word(id);
      const ofWord = strongTerms(tokenizer.queryTerms(word));
      const isAsked = id < 0
        ? ofWord.some((term) => asked.has(term))
        : ofWord.every((term) => asked.has(term));
      const known = meaning.stemClass(id);
      if (!isAsked || words.has(known)) continue;
      words.set(known, { text: word, id, terms: ofWord, ...(DIGIT.test(run) ? { exact: true } : {}) });
    }
  }
  return [...words.values()];
}

/** Weighs the words of a question by their idf, those with the greatest first. */
export async function queryWords(
  asked: readonly AskedWord[],
  segments: Segments,
  meaning: Meaning,
): Promise<QueryWord[]> {
  const all = [...new Set(asked.flatMap(({ terms }) => terms))];
  const counted = await segments.documentFrequencies(all);
  const frequencies = new Map(all.map((term, i) => [term, counted[i]!]));
  return asked.map(({ terms, ...word }): QueryWord => {
    const df = Math.min(...terms.map((term) => frequencies.get(term)!));
    return { ...word, idf: idfOf(word.id, terms.length === 0 ? 0 : df, segments, meaning) };
  }).sort((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
}

/** Σ idf of words. */
export function totalIdf(words: readonly QueryWord[]): number {
  return words.reduce((sum, { idf }) => sum + idf, 0);
}

/**
 * The terms to translate: all of the question, or those of `words`, the weighed ones, if the question had more words than are
 * kept.
 */
export function translatedTerms(
  terms: readonly QueryTerm[],
  words: readonly Pick<QueryWord, "text">[],
  { tokenizer }: Meaning,
): ReadonlySet<string> {
  return words.length < MAX_WORDS
    ? contentTerms(terms)
    : new Set(words.flatMap(({ text }) => strongTerms(tokenizer.queryTerms(text))));
}

/** The terms of a question without those of stop words, which have next to no weight. */
function contentTerms(terms: readonly QueryTerm[]): ReadonlySet<string> {
  return new Set(terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term));
}

/** The terms of a word with the greatest weight: the bigrams of a Chinese word, the stem of an English one. */
export function strongTerms(terms: readonly QueryTerm[]): string[] {
  const most = terms.reduce((max, { weight }) => Math.max(max, weight), 0);
  return terms.filter(({ weight }) => weight === most).map(({ term }) => term);
}

/**
 * The idf of a word that is in `held` chunks. A word that no index has, such as one of another language, is taken to
 * be as frequent as in common text: df = N (1 − e^(−p · average length)).
 */
function idfOf(id: number, held: number, { size, averageTokens }: Segments, { table }: Meaning): number {
  if (held > 0 || id < 0) return inverseDocumentFrequency(size, held);
  const length = averageTokens / (id < table.englishCount ? 1 : CHINESE_TERMS_A_WORD);
  return inverseDocumentFrequency(size, size * (1 - Math.exp(-table.p[id]! * length)));
}

/** The least cosine that counts: any two words come near it. */
export const LEAST_COSINE = 0.45;

/** Pairs of a word of a candidate and a similar word of the question, in the order of the text. */
export interface WordMatches {
  /** Number of the word in the candidate. */
  readonly places: Int32Array;
  /** Number of the word in the question. */
  readonly words: Int32Array;
  /** Their cosine: at least {@linkcode LEAST_COSINE}, 1 for the same stem. */
  readonly cosines: Float32Array;
}

/**
 * Collects {@linkcode WordMatches} in the order of the text, for one text after another. The matches of all texts lie one after the other in
 * the same arrays, because a search has hundreds of texts with few matches each.
 */
export class MatchList {
  #places = new Int32Array(1024);
  #words = new Int32Array(1024);
  #cosines = new Float32Array(1024);
  /** Where the matches of the text begin, and where they end so far. */
  #first = 0;
  #count = 0;

  add(place: number, word: number, cosine: number): void {
    if (this.#count === this.#places.length) {
      // The full arrays are kept by the texts before.
      const first = this.#first, more = 2 * this.#count;
      this.#places = copiedInto(new Int32Array(more), this.#places.subarray(first));
      this.#words = copiedInto(new Int32Array(more), this.#words.subarray(first));
      this.#cosines = copiedInto(new Float32Array(more), this.#cosines.subarray(first));
      this.#count -= first;
      this.#first = 0;
    }
    this.#places[this.#count] = place;
    this.#words[this.#count] = word;
    this.#cosines[this.#count++] = cosine;
  }

  /** Returns the matches of a text and begins those of the next. */
  finish(): WordMatches {
    const first = this.#first, end = this.#first = this.#count;
    if (first === end) return NO_MATCHES;
    return {
      places: this.#places.subarray(first, end),
      words: this.#words.subarray(first, end),
      cosines: this.#cosines.subarray(first, end),
    };
  }
}

const NO_MATCHES: WordMatches = {
  places: new Int32Array(0),
  words: new Int32Array(0),
  cosines: new Float32Array(0),
};

/** Compares each distinct word of the candidates with each word of the question once, then goes through the texts. */
export function matchWords(
  texts: readonly (TextWords | undefined)[],
  question: readonly QueryWord[],
  meaning: Meaning,
): WordMatches[] {
  const { marks } = meaning;
  const asked = new Set(question.map(({ id }) => meaning.stemClass(id)));
  const skipped = meaning.commonWords.filter((id) => !asked.has(meaning.stemClass(id)));
  const distinct = numberWords(texts, skipped, meaning);
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
  const list = new MatchList();
  const matches = texts.map((text) => {
    if (text === undefined) return list.finish();
    const { ids } = text;
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place]!;
      if (id < 0) {
        const q = unknown.get(id);
        if (q !== undefined) list.add(place, q, 1);
        continue;
      }
      const row = marks[id]!;
      if (row === 0) continue;
      for (let q = 0, at = (row - 1) * width; q < width; q++, at++) {
        if (table[at]! >= least[q]!) list.add(place, q, table[at]!);
      }
    }
    return list.finish();
  });
  for (let i = 0; i < distinct.length; i++) marks[distinct[i]!] = 0;
  return matches;
}

/**
 * The distinct words of the texts that the table has, without those of `skipped`. Sets the mark of each to its number in the
 * result, counted from 1. The result is valid until the next call.
 */
function numberWords(
  texts: readonly (TextWords | undefined)[],
  skipped: Int32Array,
  meaning: Meaning,
): Int32Array {
  const { marks } = meaning;
  const distinct = meaning.numbers(texts.reduce((sum, text) => sum + (text?.ids.length ?? 0), 0));
  let count = 0;
  for (const id of skipped) marks[id] = -1;
  for (const text of texts) {
    if (text === undefined) continue;
    const { ids } = text;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      if (id < 0 || marks[id] !== 0) continue;
      distinct[count++] = id;
      marks[id] = count;
    }
  }
  for (const id of skipped) marks[id] = 0;
  return distinct.subarray(0, count);
}

/** The greatest cosine of two different words; 1 means the same stem. */
export const MOST_ALIKE = 0.999;

/**
 * Returns the cosines of all words in `ids` (numbers in the table) with all words of the question, row by row; 1 for the
 * same stem. Valid until the next call.
 */
export function cosines(ids: Int32Array, words: readonly QueryWord[], meaning: Meaning): Float32Array {
  const width = words.length;
  const result = meaning.fractions(ids.length * width);
  if (width === 0) return result;
  // 防护 and 防守 have the same vector, but are different words.
  meaning.rows.cosines(ids, words.map(({ id }) => id), MOST_ALIKE, result);
  const { englishCount } = meaning.table;
  const classes = words.map(({ id }) => meaning.stemClass(id));
  const isInitial = new Uint8Array(1 << 16);
  for (const { id } of words) if (id >= 0) isInitial[meaning.initial(id)] = 1;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    // Stemming takes long the first time, and a stem begins with the first letter of its words.
    if (id < englishCount && isInitial[meaning.initial(id)] === 0) continue;
    const same = meaning.stemClass(id);
    for (let q = 0; q < width; q++) if (classes[q] === same) result[i * width + q] = 1;
  }
  return result;
}

/** Words within which matches support each other: 24 English words, or about 40 Chinese characters. */
const WIDTH = 24;
/** Least value of a match that is sure. */
const SURE = 0.5;

/** The part of the question's idf that a text says. A match of equal words counts 1, and a translation its sureness. */
export interface Cover {
  /** Σ idf(q) · the greatest value of a match, over the whole text. */
  readonly whole: number;
  /** The same within the best {@linkcode WIDTH} words. */
  readonly near: number;
  /** Number of words of the question that are surely there. */
  readonly sure: number;
}

/** Computes what texts cover of a question, one after the other. */
export class Covers {
  readonly #question: readonly QueryWord[];
  /** The greatest value of each word of the question so far. */
  readonly #best: Float64Array;
  /** Scratch memory for matches that were chosen or changed. */
  #places = new Int32Array(256);
  #words = new Int32Array(256);
  #values = new Float32Array(256);

  constructor(question: readonly QueryWord[]) {
    this.#question = question;
    this.#best = new Float64Array(question.length);
  }

  /** Returns what a text covers. The matches are in the order of the text, their values in place of the cosines. */
  of({ places, words, cosines }: WordMatches): Cover {
    return this.#cover(places, words, cosines, places.length);
  }

  /** Returns {@linkcode Cover.near} where, as in MaxSim, a similar word counts as the square of its cosine. */
  nearOfSquares({ places, words, cosines }: WordMatches): number {
    this.#grow(places.length);
    const values = this.#values;
    for (let i = 0; i < places.length; i++) values[i] = cosines[i]! * cosines[i]!;
    return this.#cover(places, words, values, places.length).near;
  }

  /** Returns {@linkcode Cover.near} where only the words of the question themselves count, in any form. */
  nearOfEqual({ places, words, cosines }: WordMatches): number {
    this.#grow(places.length);
    let count = 0;
    for (let i = 0; i < places.length; i++) {
      if (cosines[i] !== 1) continue;
      this.#places[count] = places[i]!;
      this.#words[count] = words[i]!;
      this.#values[count++] = 1;
    }
    return this.#cover(this.#places, this.#words, this.#values, count).near;
  }

  #grow(count: number): void {
    if (count <= this.#places.length) return;
    this.#places = new Int32Array(2 * count);
    this.#words = new Int32Array(2 * count);
    this.#values = new Float32Array(2 * count);
  }

  #cover(places: Int32Array, words: Int32Array, values: Float32Array, count: number): Cover {
    const question = this.#question, best = this.#best;
    /** Returns what the matches from `first` to a place cover. */
    const coverUntil = (first: number, end: number) => {
      best.fill(0);
      let sum = 0;
      for (let i = first; i < count && places[i]! < end; i++) {
        const word = words[i]!, more = values[i]! - best[word]!;
        if (more <= 0) continue;
        best[word]! += more;
        sum += more * question[word]!.idf;
      }
      return sum;
    };
    const whole = coverUntil(0, Infinity);
    let near = 0, sure = 0;
    for (let first = 0; first < count && near < whole; first++) {
      const value = coverUntil(first, places[first]! + WIDTH);
      if (value <= near) continue;
      near = value;
      sure = 0;
      for (let q = 0; q < best.length; q++) if (best[q]! >= SURE) sure++;
    }
    return { whole, near, sure };
  }
}

/** Returns the equal words and the translations of a text in its order, collected in `list`. Words that are only similar are left out. */
export function mergeMatches(equal: WordMatches, translations: WordMatches, list: MatchList): WordMatches {
  const all: { readonly place: number; readonly word: number; readonly value: number }[] = [];
  for (const { places, words, cosines } of [equal, translations]) {
    for (let i = 0; i < places.length; i++) {
      if (places === equal.places && cosines[i] !== 1) continue;
      all.push({ place: places[i]!, word: words[i]!, value: cosines[i]! });
    }
  }
  for (const { place, word, value } of all.sort((a, b) => a.place - b.place)) list.add(place, word, value);
  return list.finish();
}
