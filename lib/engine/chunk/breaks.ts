/**
 * The ranks of the places where a text may be cut, and the best place inside a line.
 * Below them: the classes of characters. These loops run for every character of a long line.
 */

/**
 * Ranks of cuts: a higher one is a better place to cut. A heading of level n has `HEADING - n`, so outer headings rank
 * higher.
 */
export const Rank = {
  /** Inside a surrogate pair. */
  NEVER: -1,
  /** Before a combining mark or another character that is drawn with the one before. Used only as a last resort. */
  WORST: 0,
  CODE_POINT: 1,
  WORD: 2,
  CLAUSE: 3,
  SENTENCE: 4,
  LINE: 5,
  /** Before a list item, a table row or a line that is not indented. */
  ITEM: 6,
  /** At a blank line before an indented line. */
  INNER_PARAGRAPH: 7,
  /** At a blank line before any other line, and at the edges of code blocks and tables. */
  PARAGRAPH: 8,
  HEADING: 32,
} as const;

/** Most closing quotes and brackets between a full stop and the end of its sentence. */
const MOST_CLOSERS = 4;

/**
 * Returns the offset of the highest rank in `[low, high]` to cut a line at, the last among equals, or -1 if every offset
 * splits a surrogate pair. `high` must be before the end of the line's content.
 */
export function lastInlineBreak(text: string, low: number, high: number): number {
  let best = -1;
  let bestRank: number = Rank.NEVER;
  for (let at = high; at >= low; at--) {
    const code = text.charCodeAt(at - 1);
    // Skips most offsets: after a letter the rank is at most WORD, between two ASCII letters at most CODE_POINT.
    if (
      isPlain(code) &&
      (bestRank >= Rank.WORD || (bestRank >= Rank.CODE_POINT && code < 128 && isPlainAscii(text, at)))
    ) continue;
    const rank = inlineRank(text, at);
    if (rank > bestRank) {
      best = at;
      bestRank = rank;
      if (rank === Rank.SENTENCE) break;
    }
  }
  return best;
}

/** Returns the first offset of the highest rank in `[low, high)` if that rank is at least `atLeast`, or -1. */
export function firstInlineBreak(text: string, low: number, high: number, atLeast: number): number {
  let best = -1;
  let bestRank = atLeast - 1;
  for (let at = Math.max(low, 1); at < high; at++) {
    if (bestRank >= Rank.WORD && isPlain(text.charCodeAt(at - 1))) continue;
    const rank = inlineRank(text, at);
    if (rank > bestRank) {
      best = at;
      bestRank = rank;
      if (rank === Rank.SENTENCE) break;
    }
  }
  return best;
}

function isPlainAscii(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && isPlain(code);
}

function isPlain(code: number): boolean {
  return code < 128
    ? (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
    : isCommonIdeograph(code);
}

/** Returns the rank of a cut at `at`, between two characters of a line. */
export function inlineRank(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const previousCode = text.charCodeAt(at - 1);
  if (isLowSurrogate(code) && isHighSurrogate(previousCode)) return Rank.NEVER;
  const next = breakClassOf(code);
  if (next === BreakClass.OTHER && joinsPrevious(text, at)) return Rank.WORST;
  if (previousCode === 0x200d && joinsPrevious(text, at)) return Rank.WORST;

  const previous = breakClassOf(previousCode);
  let stop = previous;
  let stopAt = at - 1;
  for (let closers = 0; stop === BreakClass.CLOSER && closers < MOST_CLOSERS && stopAt > 0; closers++) {
    stop = breakClassOf(text.charCodeAt(--stopAt));
  }
  const hangs = next === BreakClass.CLOSER || next === BreakClass.FULL_STOP || next === BreakClass.FULL_COMMA;
  if (stop === BreakClass.FULL_STOP && !hangs && next !== BreakClass.POINT) return Rank.SENTENCE;
  if (stop === BreakClass.POINT && endsSentence(text, stopAt, at, next)) return Rank.SENTENCE;
  if (previous === BreakClass.FULL_COMMA && !hangs) return Rank.CLAUSE;
  if (previous === BreakClass.COMMA && next === BreakClass.SPACE) return Rank.CLAUSE;

  if (next === BreakClass.SPACE || previous === BreakClass.SPACE) return Rank.WORD;
  if (hangs || previous === BreakClass.OPENER) return Rank.CODE_POINT;
  if (previous === BreakClass.COMMA || previous === BreakClass.SEPARATOR) {
    return next === BreakClass.SEPARATOR || next === BreakClass.COMMA ? Rank.CODE_POINT : Rank.WORD;
  }
  if (isIdeographic(previous) || next === BreakClass.IDEOGRAPH) return Rank.WORD;
  if (isHighSurrogate(code) && isSupplementaryIdeograph(code)) return Rank.WORD;
  if (isLowSurrogate(previousCode) && isSupplementaryIdeograph(text.charCodeAt(at - 2))) return Rank.WORD;
  return Rank.CODE_POINT;
}

function isIdeographic(breakClass: number): boolean {
  return breakClass === BreakClass.IDEOGRAPH || breakClass === BreakClass.FULL_STOP ||
    breakClass === BreakClass.FULL_COMMA;
}

/**
 * Whether `.`, `!` or `?` at `stop`, followed by closers up to `at`, ends a sentence. It does not in "e.g. so", "J. Doe" or
 * "3.14".
 */
function endsSentence(text: string, stop: number, at: number, next: number): boolean {
  const mark = text.charCodeAt(stop);
  const isPeriod = mark === 0x2e;
  if (next !== BreakClass.SPACE) {
    return !isPeriod && (next === BreakClass.IDEOGRAPH || next === BreakClass.OPENER);
  }
  if (!isPeriod) return true;
  const before = breakClassOf(text.charCodeAt(stop - 2));
  const isInitial = isLetter(text.charCodeAt(stop - 1)) &&
    (stop < 2 || before === BreakClass.SPACE || before === BreakClass.POINT || before === BreakClass.OPENER);
  if (isInitial) return false;
  const after = text.charCodeAt(at + 1);
  return !(after >= 0x61 && after <= 0x7a);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Classes of UTF-16 units that decide where a line may be cut. */
const BreakClass = {
  /** Letters and digits of scripts with spaces between words, and everything else. */
  OTHER: 0,
  SPACE: 1,
  /** Ends a sentence: 。！？；… */
  FULL_STOP: 2,
  /** Ends a sentence if a space follows: . ! ? */
  POINT: 3,
  /** Ends a clause: ，、 */
  FULL_COMMA: 4,
  /** Ends a clause if a space follows: , ; */
  COMMA: 5,
  /** Belongs to the text before it: ” 」 ） ] " */
  CLOSER: 6,
  /** Belongs to the text after it: “ 「 （ [ */
  OPENER: 7,
  /** Ideographs, kana and hangul: a word may end at each. */
  IDEOGRAPH: 8,
  /** Separates words without a space: | / & = : */
  SEPARATOR: 9,
} as const;

/** Ranges of units of one class, and below single characters that have another class. */
const RANGES = [
  [BreakClass.IDEOGRAPH, 0x1100, 0x11ff],
  [BreakClass.SPACE, 0x2000, 0x200a],
  [BreakClass.IDEOGRAPH, 0x2e80, 0x9fff],
  [BreakClass.IDEOGRAPH, 0xac00, 0xd7a3],
  [BreakClass.IDEOGRAPH, 0xf900, 0xfaff],
  [BreakClass.IDEOGRAPH, 0xff66, 0xffdc],
] as const;
const CHARACTERS = [
  [BreakClass.SPACE, "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"],
  [BreakClass.POINT, ".!?"],
  [BreakClass.FULL_STOP, "。．｡！？；…‼⁇⁈⁉\u0964\u0965\u061f\u06d4"],
  [BreakClass.COMMA, ",;"],
  [BreakClass.FULL_COMMA, "，、､\u060c\u061b"],
  [BreakClass.CLOSER, ")]}\"'>»’”〉》」』】〕〗﹂﹄）］｝｣"],
  [BreakClass.OPENER, "([{<«‘“〈《「『【〔〖﹁﹃（［｛｢"],
  [BreakClass.SEPARATOR, "|/&=:\\+：・—–"],
  // Marks that are drawn with the character before.
  [BreakClass.OTHER, "\u302a\u302b\u302c\u302d\u302e\u302f\u3099\u309a"],
] as const;

/** The {@linkcode BreakClass} of each UTF-16 unit. Halves of surrogate pairs are `OTHER`. */
const CLASSES = new Uint8Array(0x10000);
for (const [breakClass, first, last] of RANGES) CLASSES.fill(breakClass, first, last + 1);
for (const [breakClass, characters] of CHARACTERS) {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = breakClass;
}

function breakClassOf(code: number): number {
  return CLASSES[code] ?? BreakClass.OTHER;
}

/** Whether a unit is in the two ranges that most Chinese and Korean text consists of. */
function isCommonIdeograph(code: number): boolean {
  return (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

/** Whether a unit is white space by the rules of `\s` and `trim`, line ends included. */
export function isSpace(code: number): boolean {
  return CLASSES[code] === BreakClass.SPACE;
}

export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** Whether the offset is between the halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
}

/**
 * Whether the code point at `at` is drawn together with the one before: combining marks, variation selectors, joiners, skin
 * tones, the second half of a flag.
 */
export function joinsPrevious(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x300) return false;
  const previous = text.charCodeAt(at - 1);
  if (previous === 0x200d) return true;
  if (code >= 0x3400 && code <= 0xd7ff) return code >= 0xa66f && code < 0xac00 && isMark(code);
  if (isHighSurrogate(code)) {
    if (code === 0xdb40) return true; // tags and supplementary variation selectors
    const point = text.codePointAt(at)!;
    if (point >= 0x1f3fb && point <= 0x1f3ff) return true;
    if (point >= 0x1f1e6 && point <= 0x1f1ff) return indicatorsBefore(text, at) % 2 === 1;
    return code < 0xd83c && !isSupplementaryIdeograph(code) && isMark(point);
  }
  return isMark(code);
}

/** Whether a unit is the first half of an ideograph beyond the basic plane. */
function isSupplementaryIdeograph(highSurrogate: number): boolean {
  return highSurrogate >= 0xd840 && highSurrogate <= 0xd888;
}

/** Returns the number of regional indicators directly before `at`, at most 32 (sixteen flags). */
function indicatorsBefore(text: string, at: number): number {
  let count = 0;
  while (count < 32 && text.charCodeAt(at - 2) === 0xd83c) {
    const low = text.charCodeAt(at - 1);
    if (low < 0xdde6 || low > 0xddff) break;
    count++;
    at -= 2;
  }
  return count;
}

function isMark(point: number): boolean {
  if (point < 0x300) return false;
  if (point <= 0x36f || point === 0x200d || (point >= 0xfe00 && point <= 0xfe0f)) return true;
  if (point < 0x483) return false;
  return /^[\p{M}\u200d]/u.test(String.fromCodePoint(point));
}
