import { classOfCodePoint, GRAM, LEAD, WORD } from "./character_class.ts";

/** Receives the tokens of {@linkcode scanTokens} in the order of the text. */
export interface TokenSink {
  /**
   * Called with each word, `text.slice(start, end)`, as written: letters, digits, `_`, inner apostrophes and the points in
   * `1.13`.
   */
  word(text: string, start: number, end: number): void;
  /** Called with each gram: a code point (`second` is 0) or two adjacent ones. */
  gram(first: number, second: number): void;
}

const TAB = 0x09, LF = 0x0a, CR = 0x0d, SPACE = 0x20;
const HASH = 0x23, APOSTROPHE = 0x27, PLUS = 0x2b, POINT = 0x2e, RIGHT_QUOTE = 0x2019;

/**
 * Finds the words and grams of `text`, which must be in NFKC, in one pass. Grams are folded by `fold`. Two characters with a
 * single line break between them are adjacent, because Chinese prose is often wrapped.
 */
export function scanTokens(text: string, classes: Uint8Array, fold: Uint16Array, sink: TokenSink): void {
  const length = text.length;
  let previous = 0;
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    let kind = classes[unit]!;
    let codePoint = unit;
    let width = 1;
    if (kind === LEAD) {
      codePoint = text.codePointAt(at)!;
      width = codePoint > 0xffff ? 2 : 1;
      kind = width === 2 ? classOfCodePoint(codePoint) : 0;
    }
    if (kind === GRAM) {
      if (width === 1) codePoint = fold[unit]!;
      sink.gram(codePoint, 0);
      if (previous !== 0) sink.gram(previous, codePoint);
      previous = codePoint;
      at += width;
    } else if (kind === WORD) {
      previous = 0;
      const end = wordEnd(text, at + width, classes);
      sink.word(text, at, end);
      at = end;
    } else if (unit === LF && previous !== 0) {
      at = skipBlanks(text, at + 1);
      const next = at < length ? classes[text.charCodeAt(at)] : 0;
      if (next !== GRAM && next !== LEAD) previous = 0;
    } else {
      if (unit !== CR) previous = 0;
      at += width;
    }
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit !== SPACE && unit !== TAB) break;
    at++;
  }
  return at;
}

function wordEnd(text: string, from: number, classes: Uint8Array): number {
  const start = from - 1;
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const kind = classes[unit];
    if (kind === WORD) at++;
    else if (kind === LEAD && classOfCodePoint(text.codePointAt(at)!) === WORD) at += 2;
    else if (unit === APOSTROPHE || unit === RIGHT_QUOTE) {
      if (!isLetter(text.charCodeAt(at - 1)) || !isLetter(text.charCodeAt(at + 1))) break;
      at += 2;
    } else if (unit === POINT) {
      if (!isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at + 1))) break;
      at += 2;
    } else break;
  }
  // "C++", "C#" and "F#" are words; "a+b" and "x#1" are not.
  if (at === start + 1 && isLetter(text.charCodeAt(start))) {
    if (text.charCodeAt(at) === PLUS && text.charCodeAt(at + 1) === PLUS) at += 2;
    else if (text.charCodeAt(at) === HASH && classes[text.charCodeAt(at + 1)] !== WORD) at += 1;
  }
  return at;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
