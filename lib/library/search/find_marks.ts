/**
 * Finds the places in a text that made it a hit. Words are compared as terms of the index, so that a mark stands
 * also where the text has another form of the word.
 */
import { type Tokenizer, UNSPACED } from "#engine/index/mod.ts";

/** A place in a text where a word of the question, or a word like it, stands. Offsets are UTF-16 units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** The word or pair of characters in the form that the index has. Two marks with the same term say the same. */
  readonly term: string;
  /** How much the term says: its idf. */
  readonly weight: number;
}

/** Words and pairs of characters to find. */
export interface MarkedWords {
  /** Weights of index terms. */
  readonly terms: ReadonlyMap<string, number>;
  /** Weights of words in scripts without spaces, which must be found whole. They are folded. */
  readonly words: ReadonlyMap<string, number>;
}

const IN_WORD = `[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]`;
/** A character of a script without spaces, or a word with its inner points and apostrophes (`1.13`, `C++`, `don't`). */
const TOKEN = new RegExp(
  `[${UNSPACED}]|${IN_WORD}+(?:(?:['’]|(?<=\\p{N})\\.(?=\\p{N}))${IN_WORD}+)*(?:\\+\\+|#)?`,
  "gv",
);
// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
/** A word with one term. The term is a stem, so it begins with the same two letters, if `y` counts as `i`. */
const PLAIN = /^(?:[A-Za-z][a-z']*|[A-Z]+)$/;
/** Between two characters of one word: nothing, or the line break of wrapped prose. */
const JOINED = /^(?:[ \t]*\r?\n[ \t]*)?$/;

/** Most words and characters whose terms are remembered from one search to the next. A Chinese text seldom has more characters. */
const MOST_REMEMBERED = 1 << 12;

/** Finds the marks of texts. The terms of a word that several texts have are made once. */
export class MarkFinder {
  readonly #termsOf: (token: string) => readonly string[];
  readonly #fold: (unit: string) => string;

  constructor(tokenizer: Tokenizer) {
    this.#termsOf = remembered((token) => tokenizer.tokenize(token));
    // A character whose folded form has another length stays as it is, so that offsets remain right.
    this.#fold = remembered((unit) => {
      const folded = tokenizer.fold(unit);
      return folded.length === unit.length ? folded : unit;
    });
  }

  /** Returns the marks of a text in the order of their starts. Marks of pairs of characters overlap. */
  find(text: string, { terms, words }: MarkedWords): Mark[] {
    const marks: Mark[] = [];
    const add = (start: number, end: number, found: readonly string[]) => {
      let best: Mark | undefined;
      for (const term of found) {
        const weight = terms.get(term);
        if (weight !== undefined && weight > (best?.weight ?? -1)) best = { start, end, term, weight };
      }
      if (best !== undefined) marks.push(best);
    };
    // Nearly all of the time goes into the terms of words that have no mark. Most of them do not begin as a term of the question.
    const beginnings = new Beginnings(terms.keys());
    let before: { term: string; mayBegin: boolean; start: number; end: number } | undefined;
    for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
      const end = start + token.length;
      if (!IS_UNSPACED.test(token)) {
        if (!beginnings.excludesWord(token)) add(start, end, this.#termsOf(token));
        before = undefined;
        continue;
      }
      const own = this.#termsOf(token), term = own.join("");
      const mayBegin = own.length !== 1 || beginnings.includesCharacter(term);
      if (mayBegin) add(start, end, own);
      if (before?.mayBegin && (before.end === start || JOINED.test(text.slice(before.end, start)))) {
        add(before.start, end, [before.term + term]);
      }
      before = { term, mayBegin, start, end };
    }
    if (words.size > 0 && !ASCII.test(text)) marks.push(...wholeWords(text, words, this.#fold));
    return marks.sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

/** The beginnings of the terms of a question. Most words and characters are excluded by them, without computing their terms. */
class Beginnings {
  /** The first UTF-16 unit of each term, and its first two as a number. */
  readonly #one = new Set<number>();
  readonly #two = new Set<number>();

  constructor(terms: Iterable<string>) {
    for (const term of terms) {
      this.#one.add(term.charCodeAt(0));
      this.#two.add(pairOf(term));
    }
  }

  /** Whether no term of a word can be one of the question. False if that is not certain. */
  excludesWord(word: string): boolean {
    if (this.#two.has(pairOf(word)) || this.#two.has(unitAt(word, 0) << 16)) return false;
    return PLAIN.test(word);
  }

  /** Whether a term begins with a folded character. */
  includesCharacter(folded: string): boolean {
    return this.#one.has(folded.charCodeAt(0));
  }
}

/** Returns the first two units of a text as a number. */
function pairOf(text: string): number {
  return unitAt(text, 0) << 16 | unitAt(text, 1);
}

/** Returns a UTF-16 unit, ASCII letters in lower case and `y` as `i`; 0 after the end. */
function unitAt(text: string, at: number): number {
  const unit = at < text.length ? text.charCodeAt(at) : 0;
  const lower = unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit;
  return lower === LETTER_Y ? LETTER_I : lower;
}

const LETTER_I = 0x69, LETTER_Y = 0x79;

function wholeWords(
  text: string,
  words: ReadonlyMap<string, number>,
  fold: (unit: string) => string,
): Mark[] {
  let folded = "";
  for (const unit of text) folded += fold(unit);
  const marks: Mark[] = [];
  for (const [term, weight] of words) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      marks.push({ start: at, end: at + term.length, term, weight });
    }
  }
  return marks;
}

function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size === MOST_REMEMBERED) known.clear();
      known.set(text, value = compute(text));
    }
    return value;
  };
}
