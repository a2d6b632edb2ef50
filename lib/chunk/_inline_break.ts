import {
  BreakClass,
  breakClassOf,
  isCommonIdeograph,
  isHighSurrogate,
  isLowSurrogate,
  isSupplementaryIdeograph,
  joinsPrevious,
} from "./_characters.ts";
import { Rank } from "./_rank.ts";

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
