/** Classes of UTF-16 units that decide where a line may be cut. */
export const BreakClass = {
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

const ASCII = new Uint8Array(128);
for (
  const [characters, breakClass] of [
    ["\t\n\v\f\r ", BreakClass.SPACE],
    [".!?", BreakClass.POINT],
    [",;", BreakClass.COMMA],
    [")]}\"'>", BreakClass.CLOSER],
    ["([{<", BreakClass.OPENER],
    ["|/&=:\\+", BreakClass.SEPARATOR],
  ] as const
) {
  for (const character of characters) ASCII[character.charCodeAt(0)] = breakClass;
}

/** Returns the {@linkcode BreakClass} of a UTF-16 unit. Halves of surrogate pairs are `OTHER`. */
export function breakClassOf(code: number): number {
  return code < 128 ? ASCII[code]! : classBeyondAscii(code);
}

function classBeyondAscii(code: number): number {
  if (isCommonIdeograph(code)) return BreakClass.IDEOGRAPH;
  if (code < 0x2000) {
    if (code === 0xa0 || code === 0x1680) return BreakClass.SPACE;
    if (code === 0x964 || code === 0x965 || code === 0x61f || code === 0x6d4) return BreakClass.FULL_STOP;
    if (code === 0x60c || code === 0x61b) return BreakClass.FULL_COMMA;
    if (code === 0xab) return BreakClass.OPENER;
    if (code === 0xbb) return BreakClass.CLOSER;
    return code >= 0x1100 && code < 0x1200 ? BreakClass.IDEOGRAPH : BreakClass.OTHER;
  }
  switch (code) {
    case 0x3002: // 。
    case 0xff0e: // ．
    case 0xff61: // ｡
    case 0xff01: // ！
    case 0xff1f: // ？
    case 0xff1b: // ；
    case 0x2026: // …
    case 0x203c: // ‼
    case 0x2047: // ⁇
    case 0x2048: // ⁈
    case 0x2049: // ⁉
      return BreakClass.FULL_STOP;
    case 0xff0c: // ，
    case 0x3001: // 、
    case 0xff64: // ､
      return BreakClass.FULL_COMMA;
    case 0x2019: // ’
    case 0x201d: // ”
    case 0x3009: // 〉
    case 0x300b: // 》
    case 0x300d: // 」
    case 0x300f: // 』
    case 0x3011: // 】
    case 0x3015: // 〕
    case 0x3017: // 〗
    case 0xfe42: // ﹂
    case 0xfe44: // ﹄
    case 0xff09: // ）
    case 0xff3d: // ］
    case 0xff5d: // ｝
    case 0xff63: // ｣
      return BreakClass.CLOSER;
    case 0x2018: // ‘
    case 0x201c: // “
    case 0x3008: // 〈
    case 0x300a: // 《
    case 0x300c: // 「
    case 0x300e: // 『
    case 0x3010: // 【
    case 0x3014: // 〔
    case 0x3016: // 〖
    case 0xfe41: // ﹁
    case 0xfe43: // ﹃
    case 0xff08: // （
    case 0xff3b: // ［
    case 0xff5b: // ｛
    case 0xff62: // ｢
      return BreakClass.OPENER;
    case 0xff1a: // ：
    case 0x30fb: // ・
    case 0x2014: // —
    case 0x2013: // –
      return BreakClass.SEPARATOR;
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
    case 0xfeff:
      return BreakClass.SPACE;
  }
  if (code <= 0x200a) return BreakClass.SPACE;
  if (code >= 0x2e80 && code <= 0x33ff) return isMark(code) ? BreakClass.OTHER : BreakClass.IDEOGRAPH;
  if (code >= 0xf900 && code <= 0xfaff) return BreakClass.IDEOGRAPH;
  if (code >= 0xff66 && code <= 0xffdc) return BreakClass.IDEOGRAPH;
  return BreakClass.OTHER;
}

/** Whether a unit is in the two ranges that most Chinese and Korean text consists of. */
export function isCommonIdeograph(code: number): boolean {
  return (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

/** Whether a unit is white space by the rules of `\s` and `trim`, line ends included. */
export function isSpace(code: number): boolean {
  return code < 128
    ? code === 0x20 || (code >= 9 && code <= 13)
    : classBeyondAscii(code) === BreakClass.SPACE;
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
export function isSupplementaryIdeograph(highSurrogate: number): boolean {
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
