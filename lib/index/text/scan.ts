import { addToHash, HASH_START } from "../../open_addressing.ts";
import { classOfCodePoint, GRAM, LEAD, WORD } from "./character_class.ts";

/** Receives the tokens of {@linkcode scanTokens} in the order of the text. */
export interface TokenSink {
  /**
   * Called with each word as written, the `units` from `start` to `end`: letters, digits, `_`, inner apostrophes and the
   * points in `1.13`. `hash`: FNV-1a of these units. The units are valid until the call returns.
   */
  word(units: Uint16Array, start: number, end: number, hash: number): void;
  /** Called with each gram: a code point (`second` is 0) or two adjacent ones. */
  gram(first: number, second: number): void;
}

const TAB = 0x09, LF = 0x0a, CR = 0x0d, SPACE = 0x20;
const HASH = 0x23, APOSTROPHE = 0x27, PLUS = 0x2b, POINT = 0x2e, RIGHT_QUOTE = 0x2019;

/**
 * Finds the words and grams of a text in NFKC, the first `length` of `units`, in one pass; a 0 must follow them. Grams are
 * folded by `fold`. Two characters with a single line break between them are adjacent, because Chinese prose is often
 * wrapped.
 */
export function scanTokens(
  units: Uint16Array,
  length: number,
  classes: Uint8Array,
  fold: Uint16Array,
  sink: TokenSink,
): void {
  let previous = 0;
  let at = 0;
  while (at < length) {
    const unit = units[at]!;
    let kind = classes[unit]!;
    let codePoint = unit;
    let width = 1;
    if (kind === LEAD) {
      codePoint = codePointAt(units, at);
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
      at = scanWord(units, at, width, classes, sink);
    } else if (unit === LF && previous !== 0) {
      at = skipBlanks(units, at + 1);
      const next = classes[units[at]!];
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
  classes: Uint8Array,
  sink: TokenSink,
): number {
  let at = start;
  let hash = HASH_START;
  /** End of the units that are sure to belong to the word. They are added to the hash one by one. */
  let sure = start + width;
  for (;;) {
    for (; at < sure; at++) hash = addToHash(hash, units[at]!);
    const unit = units[at]!;
    const kind = classes[unit];
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
    else if (units[at] === HASH && classes[units[at + 1]!] !== WORD) sure = at + 1;
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
