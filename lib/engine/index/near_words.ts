/**
 * Whether two words stand near each other in a text.
 */
import type { WordCondition } from "./expression.ts";
import { isOneWord, MAX_COMPARED, prefixTest } from "./held_words.ts";
import { phrasePattern } from "./phrase_pattern.ts";
import { foldedPrefix } from "./prefix_terms.ts";
import { type Tokenizer, UNSPACED, wordTerms } from "./text/tokenizer.ts";

/** The places of words in a text, in their order: numbers of the first and the last word. */
type Places = readonly (readonly [first: number, last: number])[];

/** Returns the test whether two words of a text have at most `distance` words between them, in either order. */
export function nearTest(
  tokenizer: Tokenizer,
  [one, other]: readonly [WordCondition, WordCondition],
  distance: number,
): (text: string) => boolean {
  const tests = [one, other].map((condition) => singleWordTest(tokenizer, condition));
  const [first, second] = tests;
  const placesOf = first !== undefined && second !== undefined
    ? placesOfWords(tokenizer, [first, second])
    : placesOfPhrases(tokenizer, [one, other], tests);
  return (text) => {
    const [ofOne, ofOther] = placesOf(text);
    return areNear(ofOne, ofOther, distance) || areNear(ofOther, ofOne, distance);
  };
}

/** Whether one of `later` follows one of `earlier` with at most `distance` words between them. */
function areNear(earlier: Places, later: Places, distance: number): boolean {
  let at = 0;
  for (const [, last] of earlier) {
    while (at < later.length && later[at]![0] <= last) at++;
    if (at === later.length) return false;
    if (later[at]![0] - last - 1 <= distance) return true;
  }
  return false;
}

type WordTest = (word: string) => boolean;

/** Returns the test of a written word for a condition that a single word meets; `undefined` for any other condition. */
function singleWordTest(tokenizer: Tokenizer, { words, form }: WordCondition): WordTest | undefined {
  const folded = tokenizer.fold(words).trim();
  if (form === "exact" || !isOneWord(folded)) return undefined;
  if (form === "prefix") return prefixTest(foldedPrefix(folded));
  const terms = wordTerms(folded);
  return (word) => {
    const held = wordTerms(word);
    return terms.every((term) => held.includes(term));
  };
}

/** Returns the places of two single words, in the time that it takes to tokenize a text. */
function placesOfWords(
  tokenizer: Tokenizer,
  tests: readonly [WordTest, WordTest],
): (text: string) => [Places, Places] {
  /** By the hash of a word: which of the tests it passes. */
  const known = new Map<number, { readonly word: string; readonly passes: readonly boolean[] }>();
  const passesOf = (units: Uint16Array, start: number, end: number, hash: number): readonly boolean[] => {
    const entry = known.get(hash);
    if (entry !== undefined && isSame(entry.word, units, start, end)) return entry.passes;
    const word = String.fromCharCode(...units.subarray(start, Math.min(end, start + MAX_COMPARED)));
    const passes = tests.map((test) => test(word));
    if (end - start <= MAX_COMPARED) known.set(hash, { word, passes });
    return passes;
  };
  return (text) => {
    const places: [(readonly [number, number])[], (readonly [number, number])[]] = [[], []];
    let at = 0;
    tokenizer.scan(text, {
      word(units, start, end, hash) {
        const [isOne, isOther] = passesOf(units, start, end, hash);
        if (isOne) places[0].push([at, at]);
        if (isOther) places[1].push([at, at]);
        at++;
      },
      gram: () => void at++,
    });
    return places;
  };
}

function isSame(word: string, units: Uint16Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== units[start + i]) return false;
  return true;
}

const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_]`;
/** The words of a text as the tokenizer finds them, with their places in the text; in scripts without spaces, the characters. */
const TOKENS = new RegExp(
  `[${UNSPACED}]|\\p{Extended_Pictographic}|(?:${SPACED})+(?:(?:(?<=[a-z])['’](?=[a-z])|(?<=[0-9])\\.(?=[0-9]))(?:${SPACED})+)*(?:(?<=(?<!${SPACED})[a-z])(?:\\+\\+|#(?!${SPACED})))?`,
  "giu",
);

/** Returns the places of two conditions of which one is a phrase or a word of several characters in a script without spaces. */
function placesOfPhrases(
  tokenizer: Tokenizer,
  conditions: readonly [WordCondition, WordCondition],
  tests: readonly (WordTest | undefined)[],
): (text: string) => [Places, Places] {
  const patterns = conditions.map(({ words }) =>
    new RegExp(phrasePattern(tokenizer.fold(words).trim())!, "giu")
  );
  return (text) => {
    const folded = tokenizer.fold(text);
    const tokens = [...folded.matchAll(TOKENS)];
    const places = (which: 0 | 1): Places => {
      const test = tests[which];
      if (test !== undefined) return tokens.flatMap(([word], at) => test(word) ? [[at, at] as const] : []);
      let first = 0;
      return Array.from(overlapping(patterns[which]!, folded), ({ 0: found, index }) => {
        while (first + 1 < tokens.length && tokens[first + 1]!.index <= index) first++;
        let last = first;
        while (last + 1 < tokens.length && tokens[last + 1]!.index < index + found.length) last++;
        return [first, last] as const;
      });
    };
    return [places(0), places(1)];
  };
}

/** Finds every match, also those that begin within another: in "a a a b", the second "a a" is the one beside "b". */
function* overlapping(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield match;
    pattern.lastIndex = match.index + (text.codePointAt(match.index)! > 0xffff ? 2 : 1);
  }
}
