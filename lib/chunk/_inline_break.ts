import {
  isHighSurrogate,
  isLowSurrogate,
  isSupplementaryIdeograph,
  joinsPrevious,
  Kind,
  kindOf,
} from "./_characters.ts";
import { Rank } from "./_rank.ts";

/** Closing quotes and brackets that may stand between a full stop and the end of its sentence. */
const MOST_CLOSERS = 4;

/**
 * The best offset in `[low, high]` to cut a line at, the last among equals; -1 when each splits a surrogate
 * pair. `high` must lie before the end of the line's content.
 */
export function lastInlineBreak(text: string, low: number, high: number): number {
  let best = -1;
  let bestRank: number = Rank.NEVER;
  for (let at = high; at >= low; at--) {
    const code = text.charCodeAt(at - 1);
    // Most characters are letters: after one there is at most a word's end, between two not even that.
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

/** The first offset in `[low, high)` of the best rank that is at least `atLeast`, or -1. */
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
    : (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

/** Strength of a cut at `at`, which has a character of the same line on both sides. */
export function inlineRank(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const previousCode = text.charCodeAt(at - 1);
  if (isLowSurrogate(code) && isHighSurrogate(previousCode)) return Rank.NEVER;
  const next = kindOf(code);
  if (next === Kind.OTHER && joinsPrevious(text, at)) return Rank.WORST;
  if (previousCode === 0x200d && joinsPrevious(text, at)) return Rank.WORST;

  const previous = kindOf(previousCode);
  let stop = previous;
  let stopAt = at - 1;
  for (let closers = 0; stop === Kind.CLOSER && closers < MOST_CLOSERS && stopAt > 0; closers++) {
    stop = kindOf(text.charCodeAt(--stopAt));
  }
  const hangs = next === Kind.CLOSER || next === Kind.FULL_STOP || next === Kind.FULL_COMMA;
  if (stop === Kind.FULL_STOP && !hangs && next !== Kind.POINT) return Rank.SENTENCE;
  if (stop === Kind.POINT && endsSentence(text, stopAt, at, next)) return Rank.SENTENCE;
  if (previous === Kind.FULL_COMMA && !hangs) return Rank.CLAUSE;
  if (previous === Kind.COMMA && next === Kind.SPACE) return Rank.CLAUSE;

  if (next === Kind.SPACE || previous === Kind.SPACE) return Rank.WORD;
  if (hangs || previous === Kind.OPENER) return Rank.CODE_POINT;
  if (previous === Kind.COMMA || previous === Kind.SEPARATOR) {
    return next === Kind.SEPARATOR || next === Kind.COMMA ? Rank.CODE_POINT : Rank.WORD;
  }
  if (isIdeographic(previous) || next === Kind.IDEOGRAPH) return Rank.WORD;
  if (isHighSurrogate(code) && isSupplementaryIdeograph(code)) return Rank.WORD;
  if (isLowSurrogate(previousCode) && isSupplementaryIdeograph(text.charCodeAt(at - 2))) return Rank.WORD;
  return Rank.CODE_POINT;
}

function isIdeographic(kind: number): boolean {
  return kind === Kind.IDEOGRAPH || kind === Kind.FULL_STOP || kind === Kind.FULL_COMMA;
}

/** Whether `.`, `!` or `?` at `stop`, with closers up to `at`, ends a sentence: not in "e.g. so", "J. Doe", "3.14". */
function endsSentence(text: string, stop: number, at: number, next: number): boolean {
  const mark = text.charCodeAt(stop);
  const isPeriod = mark === 0x2e;
  if (next !== Kind.SPACE) return !isPeriod && (next === Kind.IDEOGRAPH || next === Kind.OPENER);
  if (!isPeriod) return true;
  const before = kindOf(text.charCodeAt(stop - 2));
  const isInitial = isLetter(text.charCodeAt(stop - 1)) &&
    (stop < 2 || before === Kind.SPACE || before === Kind.POINT || before === Kind.OPENER);
  if (isInitial) return false;
  const after = text.charCodeAt(at + 1);
  return !(after >= 0x61 && after <= 0x7a);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
