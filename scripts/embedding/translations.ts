import type { EcdictEntry } from "./ecdict.ts";
import { meanings } from "./glosses.ts";
import type { CedictEntry } from "./sources.ts";
import { STOP_WORDS } from "./stop_words.ts";

/** Words of the other language with their scores, best first. */
export type Translations = Map<string, { word: string; score: number }[]>;

/** Returns the index terms of an English text. */
export type Tokenize = (text: string) => string[];

const MOST_CHINESE = 10;
const MOST_ENGLISH = 12;
const MOST_SENSES = 6;
/** The rank at which an English word counts about three quarters of the most common one. */
const COMMON_RANK = 2000;
const LONGEST_PHRASE = 3;

/** Returns the wordings of a sense: `company; firm; corporation` has three. */
function wordings(sense: string): string[] {
  return sense.split(/[;,]/)
    .map((wording) => wording.trim().replace(/^(to|a|an|the) (be )?/i, ""))
    .filter((wording) => wording !== "");
}

/** Scores of the words of the other language, by word. */
type Scores = Map<string, Map<string, number>>;

/**
 * Returns English term (or phrase of up to three terms, joined by spaces) -> Chinese words. They are the best ten by ln(1 +
 * frequency) / (1 + .3 · rank of the sense); single characters score half. A word that both dictionaries have gets the sum.
 * Only words that `hasId` accepts are used.
 */
export function englishToChinese(
  byWord: ReadonlyMap<string, readonly CedictEntry[]>,
  ecdict: readonly EcdictEntry[],
  frequencies: ReadonlyMap<string, number>,
  tokenize: Tokenize,
  hasId: (word: string) => boolean,
): Translations {
  const commonness = (word: string) =>
    Math.log(1 + (frequencies.get(word) ?? 1)) * (word.length === 1 ? 0.5 : 1);
  const keyOf = (phrase: string) => {
    const terms = tokenize(phrase);
    return terms.length > 0 && terms.length <= LONGEST_PHRASE && isLatin(terms) ? terms.join(" ") : undefined;
  };
  const ofCedict: Scores = new Map();
  for (const [word, entries] of byWord) {
    if (!hasId(word)) continue;
    for (const [rank, sense] of meanings(entries).entries()) {
      for (const wording of wordings(sense)) {
        const key = keyOf(wording);
        if (key !== undefined) raise(ofCedict, key, word, commonness(word) / (1 + 0.3 * rank));
      }
    }
  }
  const ofEcdict: Scores = new Map();
  for (const { phrase, rank, chinese } of ecdict) {
    const key = keyOf(phrase);
    // Most words without a rank are names and rare terms, which CC-CEDICT has if they matter.
    if (key === undefined || rank === 0 && !key.includes(" ")) continue;
    for (const { word, place } of chinese) {
      if (hasId(word)) raise(ofEcdict, key, word, commonness(word) / (1 + 0.3 * place));
    }
  }
  return sorted(sumOf(ofCedict, ofEcdict), MOST_CHINESE);
}

/**
 * Returns Chinese word -> English terms. Only the first six wordings of at most three content words count; each gives its
 * terms the score 1 / (number of words) / (1 + .3 · rank). To these are added the scores of the best six English words that
 * ECDICT translates into the word: 1 / ln(e + rank by frequency / 2000) / (1 + .3 · place).
 */
export function chineseToEnglish(
  byWord: ReadonlyMap<string, readonly CedictEntry[]>,
  ecdict: readonly EcdictEntry[],
  tokenize: Tokenize,
): Translations {
  const ofCedict: Scores = new Map();
  for (const [word, entries] of byWord) {
    const ofWord = new Map<string, number>();
    let rank = 0;
    for (const wording of meanings(entries).flatMap(wordings)) {
      const content = (wording.toLowerCase().match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu) ?? [])
        .filter((part) => !STOP_WORDS.has(part));
      if (content.length === 0 || content.length > LONGEST_PHRASE) continue;
      for (const term of content.flatMap(tokenize).filter((term) => isLatin([term]))) {
        ofWord.set(term, (ofWord.get(term) ?? 0) + 1 / content.length / (1 + 0.3 * rank));
      }
      if (++rank === MOST_SENSES) break;
    }
    ofCedict.set(word, ofWord);
  }
  const ofEcdict: Scores = new Map();
  for (const { phrase, rank, chinese } of ecdict) {
    if (rank === 0 || !/^[a-z]+$/i.test(phrase) || STOP_WORDS.has(phrase.toLowerCase())) continue;
    const commonness = 1 / Math.log(Math.E + rank / COMMON_RANK);
    for (const term of tokenize(phrase)) {
      for (const { word, place } of chinese) {
        if (byWord.has(word)) raise(ofEcdict, word, term, commonness / (1 + 0.3 * place));
      }
    }
  }
  const best = new Map([...ofEcdict].map(([word, terms]) => [word, new Map(bestOf(terms, MOST_SENSES))]));
  return sorted(sumOf(ofCedict, best), MOST_ENGLISH);
}

/** Sets the score of a word if it is greater than before. */
function raise(scores: Scores, key: string, word: string, score: number): void {
  let ofKey = scores.get(key);
  if (ofKey === undefined) scores.set(key, ofKey = new Map());
  ofKey.set(word, Math.max(score, ofKey.get(word) ?? 0));
}

function sumOf(one: Scores, other: Scores): Scores {
  const sums: Scores = new Map([...one].map(([key, ofKey]) => [key, new Map(ofKey)]));
  for (const [key, ofKey] of other) {
    const sum = sums.get(key) ?? new Map<string, number>();
    for (const [word, score] of ofKey) sum.set(word, (sum.get(word) ?? 0) + score);
    sums.set(key, sum);
  }
  return sums;
}

/** Terms are stored in Latin-1. */
function isLatin(terms: readonly string[]): boolean {
  // deno-lint-ignore no-control-regex
  return terms.every((term) => /^[\x00-\xff]+$/.test(term));
}

/** Returns the best `most` of each word, with scores divided by the best score. */
function sorted(scores: Scores, most: number): Translations {
  const result: Translations = new Map();
  for (const [key, ofKey] of scores) {
    const best = bestOf(ofKey, most);
    const top = best[0]?.[1] ?? 1;
    result.set(key, best.map(([word, score]) => ({ word, score: score / top })));
  }
  return result;
}

/** Returns the best `most` words. Ties are sorted by code unit. */
function bestOf(scores: ReadonlyMap<string, number>, most: number): [string, number][] {
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most);
}
