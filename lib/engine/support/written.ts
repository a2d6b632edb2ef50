/**
 * The values that a sentence states: dates, times, and quantities with their units, in English and Chinese, in one form: 三成, 30 % and
 * thirty percent are .3; 1.2万, 12,000 and twelve thousand are 12000; 公斤 and kg are 1000 g.
 */
import { RULES } from "./patterns.ts";
import type { Bound, WrittenValue } from "./values.ts";

const ROUNDED =
  /(?:\b(?:about|around|approximately|roughly|nearly|almost|some|circa|c\.)|约|大约|近|将近|达到?|左右)\s*$/;
const ROUNDED_AFTER = /^\s*(?:左右|上下|or so)/;

const OVER =
  "(?:over|more than|above|exceed(?:s|ed|ing)?|at least|greater than|higher than|longer than|older than)";
const UNDER = "(?:under|less than|fewer than|below|at most|up to|lower than|shorter than|younger than)";
/** Words before a value that make it a bound. With a negation they mean the opposite. */
const BOUND_BEFORE = new RegExp(
  `(?:(?<no>(?:\\b(?:no|not|never|cannot)|n['’]t) (?:\\w{1,9} )?)|\\b)(?:(?<over>${OVER})|${UNDER})\\s?$|` +
    "(?<非>[不未没])?(?:(?<超>超过|超出|逾|少于|低于|小于|至少|最少|高于|大于|多于|超)|至多|最多|不足|不到|未满|不满)\\s?$",
);
/** Words that mean less than a value, in the place of those that mean more. */
const LESS = /[少低小]于\s?$/;
const OVER_AFTER = /^\s?(?:多|余|以上|or (?:more|older|above)\b|and (?:over|above)\b|plus\b|\+)/;
const UNDER_AFTER = /^\s?(?:以下|以内|or (?:less|fewer|younger|below)\b)/;

/** Returns how a value at a place is bounded, and how many units before it the words begin that say it. */
function boundAt(
  sentence: string,
  start: number,
  end: number,
): { readonly bound: Bound | undefined; readonly before: number } {
  const found = BOUND_BEFORE.exec(sentence.slice(Math.max(0, start - 32), start));
  if (found !== null) {
    const { no, over, 非, 超 } = found.groups!;
    const isOver = (over !== undefined || 超 !== undefined && !LESS.test(found[0])) !==
      (no !== undefined || 非 !== undefined);
    return { bound: isOver ? "over" : "under", before: found[0].length };
  }
  const after = sentence.slice(end, end + 12);
  const isOver = /[余多]/.test(sentence.slice(start, end)) || OVER_AFTER.test(after);
  return { bound: isOver ? "over" : UNDER_AFTER.test(after) ? "under" : undefined, before: 0 };
}

/** Returns the values in a sentence in NFKC, in the order of their places. */
export function valuesIn(sentence: string): WrittenValue[] {
  const found: WrittenValue[] = [];
  const taken = new Uint8Array(sentence.length);
  const lower = lowerCase(sentence);
  for (const { find, isLoose } of RULES) {
    for (const { start: at, end, value } of find(lower)) {
      if (taken.subarray(at, end).includes(1)) continue;
      const { bound, before } = value.kind === "quantity" && value.dimension !== "ordinal"
        ? boundAt(lower, at, end)
        : { bound: undefined, before: 0 };
      const start = at - before;
      const rounded = ROUNDED.test(lower.slice(Math.max(0, at - 24), at)) ||
        ROUNDED_AFTER.test(lower.slice(end, end + 10)) || /[余多]/.test(lower.slice(at, end + 1));
      taken.fill(1, start, end);
      const text = sentence.slice(start, end);
      found.push({ value, text, start, end, rounded, ...(bound && { bound }), ...(isLoose && { isLoose }) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Returns a text in lower case with all its places: İ alone would become two characters. */
function lowerCase(text: string): string {
  return text.replaceAll("İ", "ı").toLowerCase();
}
