import { meanings } from "./glosses.ts";
import type { CedictEntry } from "./sources.ts";
import { STOP_WORDS } from "./stop_words.ts";

/** Words of the other language with their scores, best first. */
export type Translations = Map<string, { word: string; score: number }[]>;

/** Returns the index terms of an English text. */
export type Tokenize = (text: string) => string[];

const MOST_CHINESE = 10;
const MOST_SENSES = 6;
const LONGEST_PHRASE = 3;

/** Returns the wordings of a sense: `company; firm; corporation` has three. */
function wordings(sense: string): string[] {
  return sense.split(/[;,]/)
    .map((wording) => wording.trim().replace(/^(to|a|an|the) (be )?/i, ""))
    .filter((wording) => wording !== "");
}

/**
 * Returns English term (or phrase of up to three terms, joined by spaces) -> Chinese words. They are the best ten by ln(1 +
 * frequency) / (1 + .3 · rank of the sense); single characters score half. Only words that `hasId` accepts are used.
 */
export function englishToChinese(
  byWord: ReadonlyMap<string, readonly CedictEntry[]>,
  frequencies: ReadonlyMap<string, number>,
  tokenize: Tokenize,
  hasId: (word: string) => boolean,
): Translations {
  const scores = new Map<string, Map<string, number>>();
  for (const [word, entries] of byWord) {
    if (!hasId(word)) continue;
    const base = Math.log(1 + (frequencies.get(word) ?? 1)) * (word.length === 1 ? 0.5 : 1);
    for (const [rank, sense] of meanings(entries).entries()) {
      for (const wording of wordings(sense)) {
        const terms = tokenize(wording);
        if (terms.length === 0 || terms.length > LONGEST_PHRASE || !isLatin(terms)) continue;
        const key = terms.join(" ");
        const score = base / (1 + 0.3 * rank);
        let ofKey = scores.get(key);
        if (ofKey === undefined) scores.set(key, ofKey = new Map());
        ofKey.set(word, Math.max(score, ofKey.get(word) ?? 0));
      }
    }
  }
  return sorted(scores, MOST_CHINESE);
}

/**
 * Returns Chinese word -> English terms. Only the first six wordings of at most three content words count; each gives its
 * terms the score 1 / (number of words) / (1 + .3 · rank).
 */
export function chineseToEnglish(
  byWord: ReadonlyMap<string, readonly CedictEntry[]>,
  tokenize: Tokenize,
): Translations {
  const scores = new Map<string, Map<string, number>>();
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
    scores.set(word, ofWord);
  }
  return sorted(scores, 12);
}

/** Terms are stored in Latin-1. */
function isLatin(terms: readonly string[]): boolean {
  // deno-lint-ignore no-control-regex
  return terms.every((term) => /^[\x00-\xff]+$/.test(term));
}

/** Returns the best `most` of each word, with scores divided by the best score. Ties are sorted by code unit. */
function sorted(scores: ReadonlyMap<string, ReadonlyMap<string, number>>, most: number): Translations {
  const result: Translations = new Map();
  for (const [key, ofKey] of scores) {
    const best = [...ofKey].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most);
    const top = best[0]?.[1] ?? 1;
    result.set(key, best.map(([word, score]) => ({ word, score: score / top })));
  }
  return result;
}
