/**
 * From text to terms: words and their stems, identifiers in parts, characters and pairs of scripts
 * without spaces, and the language of a text.
 */
import { simplifiedUnit } from "#foundation/simplified.ts";
import { addToHash, HASH_START } from "#foundation/open_addressing.ts";
import { characterAt } from "#foundation/text_offsets.ts";
import { mayHoldValues, writtenValues } from "#foundation/written_values.ts";
import { FALSE_FRIENDS } from "./false_friends.ts";
import { stem } from "./porter2.ts";
import { Utf8Units } from "./utf8_units.ts";

/** Raised if the terms of a text change: an index of another version must be rebuilt. */
export const TOKENIZER_VERSION = 4;

/** Longer texts are normalised in pieces of at most this many UTF-16 units. */
const MAX_PIECE = 1 << 20;

/** A term of a query with its weight. */
export interface QueryTerm {
  readonly term: string;
  /**
   * 1 for words and bigrams, {@linkcode UNIGRAM_WEIGHT} for single characters of unspaced scripts, {@linkcode VALUE_WEIGHT} for
   * dates and numbers.
   */
  readonly weight: number;
}

/** Weight of a single Chinese character, which means less than a word. Weight 0 was worse (RANKING.md, token weights). */
const UNIGRAM_WEIGHT = 0.5;
/** Weight of a date or number as a whole. It stands for three words, each of which is in many texts with another date. */
const VALUE_WEIGHT = 3;

/**
 * Turns text into terms, in the same way for documents and queries: NFKC, then the terms of words (see
 * {@linkcode wordTerms}) and, in scripts written without spaces, unigrams and bigrams of simplified characters.
 *
 * ```ts
 * import { Tokenizer } from "./tokenizer.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * const tokenizer = new Tokenizer();
 * deepEqual(tokenizer.tokenize("Running 長江"), ["run", "长", "江", "长江"]);
 * ```
 */
export class Tokenizer {
  readonly #text = new Utf8Units();

  /** Passes the words and grams of `text` to `sink`, and the terms of its numbers and dates if it takes them. */
  scan(text: string, sink: TokenSink): void {
    for (let from = 0; from < text.length;) {
      const to = pieceEnd(text, from);
      const piece = from === 0 && to === text.length ? text : text.slice(from, to);
      this.#scanPiece(piece, sink);
      from = to;
    }
  }

  #scanPiece(piece: string, sink: TokenSink): void {
    this.#text.loadString(piece.normalize("NFKC"));
    this.#scanLoaded(sink);
  }

  /** Like {@linkcode scan}, for a text in UTF-8. Returns its language: one of {@linkcode LANGUAGE_CODES}. */
  scanUtf8(bytes: Uint8Array, sink: TokenSink): number {
    const text = this.#text;
    if (bytes.length > MAX_PIECE) {
      const string = utf8.decode(bytes);
      this.scan(string, sink);
      return languageOf(string);
    }
    const isAscii = text.load(bytes);
    const language = isAscii
      ? languageOfAscii(text.units, text.length)
      : languageOfUnits(text.units, text.length);
    if (!isAscii && !text.normalize()) text.loadString(utf8.decode(bytes).normalize("NFKC"));
    this.#scanLoaded(sink);
    return language;
  }

  #scanLoaded(sink: TokenSink): void {
    const { units, length } = this.#text;
    scanTokens(units, length, sink);
    sink.wordsEnd?.();
    if (sink.value === undefined || !mayHoldValues(units, length)) return;
    passValues(utf16.decode(units.subarray(0, length)), sink);
  }

  /** Returns `text` in NFKC and simplified characters. */
  fold(text: string): string {
    const normal = text.normalize("NFKC");
    let folded = "", from = 0;
    for (let i = 0; i < normal.length; i++) {
      const unit = normal.charCodeAt(i), form = simplifiedUnit(unit);
      if (form === unit) continue;
      folded += normal.slice(from, i) + String.fromCharCode(form);
      from = i + 1;
    }
    return from === 0 ? normal : folded + normal.slice(from);
  }

  /** Returns the terms of the words and grams of `text` in their order, repetitions included. */
  tokenize(text: string): string[] {
    const terms: string[] = [];
    this.scan(text, {
      word: (units, start, end) => void terms.push(...termsOfUnits(units, start, end)),
      gram(character, previous) {
        terms.push(gramTerm(character, 0));
        if (previous !== 0) terms.push(gramTerm(previous, character));
      },
    });
    return terms;
  }

  /**
   * Returns the distinct terms of a query in the order of their first occurrence. Single characters have a lower weight if
   * the query also has bigrams.
   */
  queryTerms(text: string): QueryTerm[] {
    const terms = new Map<string, number>();
    let bigrams = 0;
    const grams: string[] = [];
    this.scan(text, {
      word: (units, start, end) => termsOfUnits(units, start, end).forEach((term) => terms.set(term, 1)),
      gram: (character, previous) => {
        const term = gramTerm(character, 0);
        grams.push(term);
        terms.set(term, 1);
        if (previous === 0) return;
        bigrams++;
        terms.set(gramTerm(previous, character), 1);
      },
      value: (term) => void terms.set(term, VALUE_WEIGHT),
    });
    if (bigrams > 0) grams.forEach((gram) => terms.set(gram, UNIGRAM_WEIGHT));
    return [...terms].map(([term, weight]) => ({ term, weight }));
  }
}

/**
 * Returns the end of the piece that begins at `from`: at white space, if there is any in its second half. Texts are
 * normalised in pieces because NFKC can make a text 18 times as long, which may exceed the maximum length of a string.
 */
function pieceEnd(text: string, from: number): number {
  if (text.length - from <= MAX_PIECE) return text.length;
  let to = from + MAX_PIECE;
  while (to > from + MAX_PIECE / 2 && text.charCodeAt(to - 1) > 0x20) to--;
  if (to > from + MAX_PIECE / 2) return to;
  return characterAt(text, from + MAX_PIECE);
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Returns the term of a gram. */
export function gramTerm(first: number, second: number): string {
  return second === 0 ? String.fromCodePoint(first) : String.fromCodePoint(first, second);
}

/** Receives the tokens of {@linkcode scanTokens} in the order of the text. */
export interface TokenSink {
  /**
   * Called with each word as written, the `units` from `start` to `end`: letters, digits, `_`, inner apostrophes and the
   * points in `1.13`. `hash`: FNV-1a of these units. The units are valid until `wordsEnd` is called.
   */
  word(units: Uint16Array, start: number, end: number, hash: number): void;
  /** Called with each character of a script without spaces, and the one before if they are adjacent, or 0: two grams, or one. */
  gram(character: number, previous: number): void;
  /** Called after the words and grams of a text, or of a piece of a long one. */
  wordsEnd?(): void;
  /** Called with each term of {@linkcode writtenValues}; absent if only words as they are written are wanted. */
  value?(term: string): void;
}

/**
 * Passes on dates and numbers, so that a question finds them however they are written. A date is one term, `2024-01-18`, which
 * no word is. `1,234.5` gives the term `1234`, which `1234.5` has, too; a term for all of the number would say little more, and
 * nearly every cell of a table would have its own.
 */
function passValues(text: string, sink: TokenSink): void {
  for (const value of writtenValues(text)) {
    const point = value.indexOf(".");
    sink.value!(point < 0 ? value : value.slice(0, point));
  }
}

const TAB = 0x09, LF = 0x0a, CR = 0x0d, SPACE = 0x20;
const HASH = 0x23, APOSTROPHE = 0x27, PLUS = 0x2b, POINT = 0x2e, RIGHT_QUOTE = 0x2019;

/**
 * Finds the words and grams of a text in NFKC, the first `length` of `units`, in one pass; a 0 must follow them. Grams are
 * folded to simplified characters. Two characters with a single line break between them are adjacent, because Chinese prose is often
 * wrapped.
 */
function scanTokens(
  units: Uint16Array,
  length: number,
  sink: TokenSink,
): void {
  let previous = 0;
  let at = 0;
  while (at < length) {
    const unit = units[at]!;
    let kind = classOfUnit(unit);
    let codePoint = unit;
    let width = 1;
    if (kind === LEAD) {
      codePoint = codePointAt(units, at);
      width = codePoint > 0xffff ? 2 : 1;
      kind = width === 2 ? classOfCodePoint(codePoint) : SEPARATOR;
    }
    if (kind === GRAM) {
      if (width === 1) codePoint = simplifiedUnit(unit);
      sink.gram(codePoint, previous);
      previous = codePoint;
      at += width;
    } else if (kind === WORD) {
      previous = 0;
      at = scanWord(units, at, width, sink);
    } else if (unit === LF && previous !== 0) {
      at = skipBlanks(units, at + 1);
      const next = classOfUnit(units[at]!);
      if (at >= length || next !== GRAM && next !== LEAD) previous = 0;
    } else {
      if (unit !== CR) previous = 0;
      at += width;
    }
  }
}

function skipBlanks(units: Uint16Array, from: number): number {
  let at = from;
  while (units[at] === SPACE || units[at] === TAB) at++;
  return at;
}

/** Passes on the word at `start`, whose first character has `width` units. Returns its end. */
function scanWord(
  units: Uint16Array,
  start: number,
  width: number,
  sink: TokenSink,
): number {
  let at = start;
  let hash = HASH_START;
  /** End of the units that are sure to belong to the word. They are added to the hash one by one. */
  let sure = start + width;
  for (;;) {
    for (; at < sure; at++) hash = addToHash(hash, units[at]!);
    const unit = units[at]!;
    const kind = classOfUnit(unit);
    if (kind === WORD) sure = at + 1;
    else if (kind === LEAD && classOfCodePoint(codePointAt(units, at)) === WORD) sure = at + 2;
    else if (unit === APOSTROPHE || unit === RIGHT_QUOTE) {
      if (!isLetter(units[at - 1]!) || !isLetter(units[at + 1]!)) break;
      sure = at + 2;
    } else if (unit === POINT) {
      if (!isDigit(units[at - 1]!) || !isDigit(units[at + 1]!)) break;
      sure = at + 2;
    } else break;
  }
  // "C++", "C#" and "F#" are words; "a+b" and "x#1" are not.
  if (at === start + 1 && isLetter(units[start]!)) {
    if (units[at] === PLUS && units[at + 1] === PLUS) sure = at + 2;
    else if (units[at] === HASH && classOfUnit(units[at + 1]!) !== WORD) sure = at + 1;
    for (; at < sure; at++) hash = addToHash(hash, units[at]!);
  }
  sink.word(units, start, at, hash);
  return at;
}

function codePointAt(units: Uint16Array, at: number): number {
  const unit = units[at]!, next = units[at + 1]!;
  if ((unit & 0xfc00) !== 0xd800 || (next & 0xfc00) !== 0xdc00) return unit;
  return ((unit & 0x3ff) << 10 | next & 0x3ff) + 0x10000;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Longer words, mostly encoded data, are cut to this many UTF-16 units. */
const MAX_TERM = 64;
/** The most terms of a word: the whole, and each unit as a part. */
export const MOST_TERMS = MAX_TERM + 1;
/** UTF-16 units of the longest word that is stemmed. English words are shorter. */
const MAX_STEMMED = 30;

/**
 * Returns the index terms of a written word: its stem (Snowball's English stemmer, Porter2), or a term of its
 * own for a word that shares its stem with a word of another meaning (`false_friends.ts`). An identifier or a number with
 * parts gives the term of the whole, so that `getusername` finds it, followed by the terms of its parts.
 *
 * `Running` -> `run`; `severance` -> `severance`, because `sever` is the stem of `several` too; `getUserName` -> `getusernam, get, user, name`; `user_id` -> `user_id, user, id`;
 * `1.13` -> `1.13, 1, 13`; `café` -> `cafe`.
 */
export function wordTerms(raw: string): string[] {
  const forms = wordForms(raw);
  return forms.length === 1 ? [stemmed(forms[0]!)] : [...new Set(forms.map(stemmed))];
}

/** Returns a written word, and its parts if it is an identifier or a number with parts: the forms that {@linkcode wordTerms} stems. */
export function wordForms(raw: string): string[] {
  const word = foldAccents(raw.length > MAX_TERM ? cut(raw) : raw).replaceAll("’", "'");
  const parts = splitIdentifier(word);
  return parts.length < 2 ? [parts[0] ?? word] : [word, ...parts];
}

/** Returns the index terms of the word with the units from `start` to `end`, see {@linkcode wordTerms}. */
export function termsOfUnits(units: Uint16Array, start: number, end: number): string[] {
  // One unit more than a term may have tells that the word must be cut.
  return wordTerms(String.fromCharCode(...units.subarray(start, Math.min(end, start + MAX_TERM + 1))));
}

/** Returns the first {@linkcode MAX_TERM} units, or one less if that would split a surrogate pair. */
function cut(word: string): string {
  const parted = word.codePointAt(MAX_TERM - 1)! > 0xffff;
  return word.slice(0, parted ? MAX_TERM - 1 : MAX_TERM);
}

/** Removes accents from words with Latin letters. Other scripts are kept: й is a letter, not an accented и. */
export function foldAccents(word: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(word) || !/\p{Script=Latin}/u.test(word)) return word;
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/**
 * Splits an identifier at `_` and `.`, between lower and upper case (`userName`), before the last capital of a run
 * (`HTMLParser`) and between letters and digits. Other words are one part.
 */
function splitIdentifier(word: string): string[] {
  if (/^[A-Z]?[a-z']*$|^[A-Z]+$|^[0-9]+$/.test(word)) return [word];
  return word.split(
    /[_.]+|(?<=[\p{Ll}])(?=[\p{Lu}])|(?<=[\p{Lu}])(?=[\p{Lu}][\p{Ll}])|(?<=[\p{L}])(?=[0-9])|(?<=[0-9])(?=[\p{L}])/u,
  ).filter((part) => part !== "");
}

function stemmed(word: string): string {
  const lower = word.toLowerCase();
  if (!isStemmed(lower)) return lower;
  return apart().ofWords.get(lower) ?? stem(lower);
}

/** Whether a word in lower case is stemmed. Other words are their own terms. */
export function isStemmed(lower: string): boolean {
  return lower.length > 2 && lower.length <= MAX_STEMMED && /^[a-z']+$/.test(lower);
}

/** Returns the words of a term that is not their stem (`false_friends.ts`); `undefined` for any other term. */
export function wordsOfTerm(term: string): readonly string[] | undefined {
  if (apart().ofWords.get(term) !== term) return undefined;
  return [...apart().ofWords].filter(([, other]) => other === term).map(([word]) => word);
}

/** The words whose term is not their stem, and the terms of each stem. */
interface Apart {
  readonly ofWords: ReadonlyMap<string, string>;
  readonly ofStems: ReadonlyMap<string, readonly string[]>;
}

let parsed: Apart | undefined;

function apart(): Apart {
  if (parsed !== undefined) return parsed;
  const ofWords = new Map<string, string>(), ofStems = new Map<string, string[]>();
  for (const group of FALSE_FRIENDS.split(",")) {
    const words = group.trim().split(/\s+/);
    const [term] = words as [string];
    for (const word of words) ofWords.set(word, term);
    const ofStem = stem(term);
    ofStems.set(ofStem, [...ofStems.get(ofStem) ?? [], term]);
  }
  return parsed = { ofWords, ofStems };
}

/** Returns Snowball's stem of an index term, which the dictionaries of the built-in table know it by. */
export function stemOfTerm(term: string): string {
  return apart().ofWords.get(term) === term ? stem(term) : term;
}

/** Returns the index terms of the words with a stem: the stem, and the terms of the words that mean something else. */
export function termsOfStem(ofWords: string): readonly string[] {
  return [ofWords, ...apart().ofStems.get(ofWords) ?? []];
}

/** Chinese, Japanese and Korean characters, for a class `[…]` of a regular expression with the flag `u`. */
export const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";

/**
 * Characters of scripts written without spaces between words, for the same use. `ー` (U+30FC) is listed because it belongs
 * to two scripts. Hangul is included because Korean words are inflected.
 */
export const UNSPACED =
  `${CJK}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc`;

/** Classes of UTF-16 code units. A separator belongs to no term. */
const SEPARATOR = 1;
/** Part of a word in a script that puts spaces between words. */
const WORD = 2;
/** A character of a script written without spaces: indexed as unigram and bigrams. */
export const GRAM = 3;
/** First half of a surrogate pair: the code point decides. */
const LEAD = 4;

const GRAM_SCRIPTS = new RegExp(`[${UNSPACED}]`, "u");
const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}_]/u;
/**
 * These only select how the character before is drawn. As word characters they would turn the second half of `⚠️` into a
 * word.
 */
const VARIATION_SELECTOR = /\p{Variation_Selector}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

/** Returns the class of a code point. Pictographs (emoji) are grams, so that they can be searched for. */
export function classOfCodePoint(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (GRAM_SCRIPTS.test(character)) return WORD_CHARACTERS.test(character) ? GRAM : SEPARATOR;
  if (VARIATION_SELECTOR.test(character)) return SEPARATOR;
  if (WORD_CHARACTERS.test(character)) return WORD;
  return codePoint > 0xffff && PICTOGRAPH.test(character) ? GRAM : SEPARATOR;
}

/**
 * Classes of the code units that were met, 0 for the others. Tests of all 65,536 would take some milliseconds of every start, most of
 * them in V8's optimizing compiler, which so long a loop calls.
 */
const CLASSES = new Uint8Array(0x10000);

function classOfUnit(unit: number): number {
  return CLASSES[unit]! || learnedClass(unit);
}

function learnedClass(unit: number): number {
  // The ranges with the most characters, Chinese and Korean, are known without a test.
  if (unit >= 0x4e00 && unit <= 0x9fff || unit >= 0xac00 && unit <= 0xd7a3) return CLASSES[unit] = GRAM;
  if (unit >= 0xd800 && unit <= 0xdbff) return CLASSES[unit] = LEAD;
  if (unit >= 0xdc00 && unit <= 0xf8ff) return CLASSES[unit] = SEPARATOR;
  return CLASSES[unit] = classOfCodePoint(unit);
}

/** Codes of languages by script, as bytes. */
export const LANGUAGE_CODES = { other: 0, en: 1, zh: 2, ja: 3, ko: 4 } as const;

/** UTF-16 units that are examined, evenly spread. More would seldom change the result. */
const SAMPLE = 256;
/** Latin letters that count as much as one Chinese character. */
const HAN_LETTERS = 2.5;
/** Least share of kana in Japanese text. In prose it is about half; a Chinese text may quote a Japanese name. */
const KANA_SHARE = 0.1;

/**
 * Returns one of {@linkcode LANGUAGE_CODES} by the main script of `text`. `en` stands for all languages in Latin letters.
 */
export function languageOf(text: string): number {
  const step = stepOf(text.length);
  const sample = new Uint16Array(Math.ceil(text.length / step));
  for (let i = 0; i < sample.length; i++) sample[i] = text.charCodeAt(i * step);
  return languageOfSample(sample, sample.length, 1);
}

function languageOfUnits(units: Uint16Array, length: number): number {
  return languageOfSample(units, length, stepOf(length));
}

/** The same for ASCII: the first letter that is examined decides. */
function languageOfAscii(units: Uint16Array, length: number): number {
  for (let i = 0, step = stepOf(length); i < length; i += step) {
    if (isLetter(units[i]!)) return LANGUAGE_CODES.en;
  }
  return LANGUAGE_CODES.other;
}

function stepOf(length: number): number {
  return Math.max(1, Math.floor(length / SAMPLE));
}

function languageOfSample(units: Uint16Array, length: number, step: number): number {
  let latin = 0, han = 0, kana = 0, hangul = 0;
  for (let i = 0; i < length; i += step) {
    const unit = units[i]!;
    if (unit < 0x250) {
      const lower = unit | 0x20;
      if (lower >= 0x61 && lower <= 0x7a || unit >= 0xc0) latin++;
    } else if (unit >= 0x3400 && unit <= 0x9fff) han++;
    else if (unit >= 0x3041 && unit <= 0x30ff) kana++;
    else if (unit >= 0xac00 && unit <= 0xd7a3) hangul++;
  }
  const wide = han + kana + hangul;
  if (wide * HAN_LETTERS < latin) return LANGUAGE_CODES.en;
  if (wide === 0) return latin > 0 ? LANGUAGE_CODES.en : LANGUAGE_CODES.other;
  if (hangul > han + kana) return LANGUAGE_CODES.ko;
  return kana > wide * KANA_SHARE ? LANGUAGE_CODES.ja : LANGUAGE_CODES.zh;
}
