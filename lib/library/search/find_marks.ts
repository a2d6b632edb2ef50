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

/** A character of a script without spaces, in the form of the index. */
interface Gram {
  readonly terms: readonly string[];
  /** All of them as one text. */
  readonly term: string;
}

/**
 * Finds the marks of texts. The terms of a word that several texts have are made once. Plain words and Chinese characters, which most
 * texts consist of, are read without the regular expression: each of its matches costs 200 bytes, and those of an answer were a seventh
 * of all that a search allocates.
 */
export class MarkFinder {
  readonly #termsOf: (token: string) => readonly string[];
  readonly #gramOf: (token: string) => Gram;
  /** The same for a Chinese character by its UTF-16 unit. */
  readonly #hanOf: (unit: number) => Gram;
  readonly #fold: (unit: string) => string;
  readonly #token = new RegExp(TOKEN);

  constructor(tokenizer: Tokenizer) {
    this.#termsOf = remembered((token: string) => tokenizer.tokenize(token));
    const gramOf = (token: string) => {
      const terms = tokenizer.tokenize(token);
      return { terms, term: terms.join("") };
    };
    this.#gramOf = remembered(gramOf);
    this.#hanOf = remembered((unit: number) => gramOf(String.fromCharCode(unit)));
    // A character whose folded form has another length stays as it is, so that offsets remain right.
    this.#fold = remembered((unit: string) => {
      const folded = tokenizer.fold(unit);
      return folded.length === unit.length ? folded : unit;
    });
  }

  /** Returns the marks of a text in the order of their starts. Marks of pairs of characters overlap. */
  find(text: string, { terms, words }: MarkedWords): Mark[] {
    const marks: Mark[] = [];
    const add = (start: number, end: number, found: readonly string[]) => {
      let best: string | undefined, most = -1;
      for (let i = 0; i < found.length; i++) {
        const weight = terms.get(found[i]!);
        if (weight !== undefined && weight > most) {
          best = found[i]!;
          most = weight;
        }
      }
      if (best !== undefined) marks.push({ start, end, term: best, weight: most });
    };
    // Nearly all of the time goes into the terms of words that have no mark. Most of them do not begin as a term of the question.
    const beginnings = new Beginnings(terms.keys());
    /** The character before, if it may begin a pair. */
    let before: Gram | undefined;
    let beforeStart = 0, beforeEnd = 0;
    const addGram = (start: number, end: number, gram: Gram) => {
      const mayBegin = gram.terms.length !== 1 || beginnings.includesCharacter(gram.term);
      if (mayBegin) add(start, end, gram.terms);
      if (before !== undefined && (beforeEnd === start || JOINED.test(text.slice(beforeEnd, start)))) {
        const term = before.term + gram.term, weight = terms.get(term);
        if (weight !== undefined) marks.push({ start: beforeStart, end, term, weight });
      }
      before = mayBegin ? gram : undefined;
      beforeStart = start;
      beforeEnd = end;
    };
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      if (unit >= FIRST_HAN && unit <= LAST_HAN) {
        addGram(at, ++at, this.#hanOf(unit));
        continue;
      }
      if (unit < 0x80) {
        // No token begins with it.
        if (!isAsciiWord(unit)) {
          at++;
          continue;
        }
        const end = plainWordEnd(text, at);
        if (end > at && beginnings.exclude(text, at, end)) {
          before = undefined;
          at = end;
          continue;
        }
      }
      this.#token.lastIndex = at;
      const match = this.#token.exec(text);
      if (match === null) break;
      const { 0: token, index: start } = match, end = start + token.length;
      at = end;
      if (IS_UNSPACED.test(token)) {
        addGram(start, end, this.#gramOf(token));
        continue;
      }
      if (!PLAIN.test(token) || !beginnings.exclude(token, 0, token.length)) {
        add(start, end, this.#termsOf(token));
      }
      before = undefined;
    }
    if (words.size > 0 && !ASCII.test(text)) marks.push(...wholeWords(text, words, this.#fold));
    return marks.sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

/** The first and the last of the characters U+4E00 to U+9FFF that every version of Unicode in use has as Chinese ones. */
const FIRST_HAN = 0x4e00, LAST_HAN = 0x9fea;
const APOSTROPHE = 0x27, PLUS = 0x2b, NUMBER_SIGN = 0x23, UNDERSCORE = 0x5f;

function isAsciiUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isAsciiLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

/** Whether an ASCII character can be part of a word. */
function isAsciiWord(unit: number): boolean {
  return isAsciiLower(unit) || isAsciiUpper(unit) || unit >= 0x30 && unit <= 0x39 || unit === UNDERSCORE;
}

/** End of the token at an offset if it is a word of ASCII letters, all in lower case but perhaps the first, or all in upper case; else `at`. */
function plainWordEnd(text: string, at: number): number {
  const isUpper = isAsciiUpper(text.charCodeAt(at)) && isAsciiUpper(text.charCodeAt(at + 1));
  if (!isUpper && !isAsciiUpper(text.charCodeAt(at)) && !isAsciiLower(text.charCodeAt(at))) return at;
  let end = at + 1;
  while (isUpper ? isAsciiUpper(text.charCodeAt(end)) : isAsciiLower(text.charCodeAt(end))) end++;
  if (end === text.length) return end;
  const next = text.charCodeAt(end);
  const mayGoOn = next >= 0x80 || isAsciiWord(next) || next === APOSTROPHE || next === PLUS ||
    next === NUMBER_SIGN;
  return mayGoOn ? at : end;
}

/** The beginnings of the terms of a question. Most words and characters are excluded by them, without computing their terms. */
class Beginnings {
  /** The first UTF-16 unit of each term, and its first two as a number. */
  readonly #one = new Set<number>();
  readonly #two = new Set<number>();

  constructor(terms: Iterable<string>) {
    for (const term of terms) {
      this.#one.add(term.charCodeAt(0));
      this.#two.add(pairOf(term, 0, term.length));
    }
  }

  /** Whether no term of the plain word from `from` to `to` in a text can be one of the question. False if that is not certain. */
  exclude(text: string, from: number, to: number): boolean {
    return !this.#two.has(pairOf(text, from, to)) && !this.#two.has(pairOf(text, from, from + 1));
  }

  /** Whether a term begins with a folded character. */
  includesCharacter(folded: string): boolean {
    return this.#one.has(folded.charCodeAt(0));
  }
}

/** Returns the first two units of the word from `from` to `to` in a text as a number. */
function pairOf(text: string, from: number, to: number): number {
  return unitAt(text, from, to) << 16 | unitAt(text, from + 1, to);
}

/** Returns a UTF-16 unit, ASCII letters in lower case and `y` as `i`; 0 after the end `to`. */
function unitAt(text: string, at: number, to: number): number {
  const unit = at < to ? text.charCodeAt(at) : 0;
  const lower = isAsciiUpper(unit) ? unit | 0x20 : unit;
  return lower === LETTER_Y ? LETTER_I : lower;
}

const LETTER_I = 0x69, LETTER_Y = 0x79;

function wholeWords(
  text: string,
  words: ReadonlyMap<string, number>,
  fold: (unit: string) => string,
): Mark[] {
  let folded = "", from = 0, at = 0;
  for (const unit of text) {
    const form = fold(unit);
    if (form !== unit) {
      folded += text.slice(from, at) + form;
      from = at + unit.length;
    }
    at += unit.length;
  }
  folded += text.slice(from);
  const marks: Mark[] = [];
  for (const [term, weight] of words) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      marks.push({ start: at, end: at + term.length, term, weight });
    }
  }
  return marks;
}

function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      if (known.size === MOST_REMEMBERED) known.clear();
      known.set(key, value = compute(key));
    }
    return value;
  };
}
