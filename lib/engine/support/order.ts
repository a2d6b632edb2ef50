/**
 * The same words and values in another order: what was 20 million in 2019 and 40 million in 2020 was not 40 million in 2019.
 */
import type { Sentence } from "./passages.ts";
import { isYear, relation, type WrittenValue } from "./values.ts";

/** A key with its value: a year and what was counted in it. */
type Pair = readonly [key: WrittenValue, value: WrittenValue];

/** Words with which a sentence speaks of two times, or of one in other words than its evidence. */
const COMPARES = /\b(?:than|compar\w+|from|since|before|after|until|versus|vs|by)\b|比|较|自|从|前|后|至|到/i;

/** Returns a value that belongs to another year, date or ordinal in the source, and the value that the source has in its place. */
export function pairedElsewhere(
  plain: string,
  claim: readonly WrittenValue[],
  source: readonly WrittenValue[],
): readonly [claimed: WrittenValue, found: WrittenValue] | undefined {
  const dimensions = new Set(claim.flatMap((value) => isKey(value) ? [] : [dimensionOf(value)]));
  for (const dimension of dimensions) {
    const [ours, theirs] = [pairsOf(claim, dimension), pairsOf(source, dimension)];
    if (theirs.length < 2 || ours.length === 0 || ours.length < theirs.length && COMPARES.test(plain)) {
      continue;
    }
    for (const [key, value] of ours) {
      const ofKey = theirs.filter(([other]) => relation(key, other) === "same");
      const isElsewhere = theirs.some(([, other]) => relation(value, other) === "same");
      if (ofKey.length !== 1 || !isElsewhere || relation(value, ofKey[0]![1]) === "same") continue;
      return [value, ofKey[0]![1]];
    }
  }
  return undefined;
}

/** Returns what a value counts or measures, "" for a number without a unit. */
export function dimensionOf({ value }: WrittenValue): string {
  return value.kind === "quantity" ? value.dimension ?? "" : value.kind;
}

function isKey(written: WrittenValue): boolean {
  return written.value.kind === "date" || dimensionOf(written) === "ordinal" || isYear(written);
}

/** Returns keys and values if they alternate, else nothing: their order does not say then which belong together. */
function pairsOf(values: readonly WrittenValue[], dimension: string): Pair[] {
  // A year that holds for all stands before the ordinals.
  const isOrdinal = (value: WrittenValue) => dimensionOf(value) === "ordinal";
  const ordinals = values.some(isOrdinal);
  const list = values.filter((value) =>
    !value.isLoose && (isKey(value) ? !ordinals || isOrdinal(value) : dimensionOf(value) === dimension)
  );
  const alternate = list.every((value, i) => i === 0 || isKey(value) !== isKey(list[i - 1]!));
  if (!alternate || list.length % 2 === 1) return [];
  return Array.from({ length: list.length / 2 }, (_, i): Pair => {
    const [first, second] = [list[2 * i]!, list[2 * i + 1]!];
    return isKey(first) ? [first, second] : [second, first];
  });
}

/** Words between the ends of a range or of a change: from 3 to 5, 从3万增加到5万. */
const TO = /^[^,;。、]{0,24}?(?:\b(?:to|until|till|through)\b|到|至|[→–—]|^ ?- ?$)[^,;。、]{0,12}$/i;
const FROM = /^[^,;。、]{0,12}\bfrom\b[^,;。、\d]{0,8}$/i;

/** Returns the first end of a range that the source has the other way round, and what the source has in its place. */
export function turnedRange(
  claim: Pick<Sentence, "plain" | "values">,
  source: Pick<Sentence, "plain" | "values">,
): readonly [claimed: WrittenValue, found: WrittenValue] | undefined {
  const theirs = rangesOf(source);
  if (theirs.length === 0) return undefined;
  for (const [from, to] of rangesOf(claim)) {
    const is = (a: WrittenValue, b: WrittenValue) => relation(a, b) === "same";
    if (is(from, to) || theirs.some(([start, end]) => is(from, start) && is(to, end))) continue;
    const turned = theirs.find(([start, end]) => is(from, end) && is(to, start));
    if (turned !== undefined) return [from, turned[0]];
  }
  return undefined;
}

function rangesOf({ plain, values }: Pick<Sentence, "plain" | "values">): Pair[] {
  return values.flatMap((value, i): Pair[] => {
    const next = values[i + 1];
    if (next === undefined || isKey(value) !== isKey(next)) return [];
    // From 3 to 5 dollars.
    if (![dimensionOf(next), ""].includes(dimensionOf(value))) return [];
    const between = plain.slice(value.end, next.start);
    return TO.test(between) ? [[value, next]] : FROM.test(between) ? [[next, value]] : [];
  });
}

/**
 * Returns two tokens that have changed places, with a token or a directing word between them on both sides, while all others that both have are in one order.
 * Tokens that stand twice on a side are left out.
 */
export function swapped<Token>(
  claim: readonly Token[],
  source: readonly Token[],
  isEqual: (a: Token, b: Token) => boolean,
  isDirected: (a: Token, b: Token) => boolean,
): readonly [Token, Token] | undefined {
  if (claim.length * source.length > MOST_COMPARED) return undefined;
  const shared = claim.flatMap((token) => {
    const places = source.flatMap((other, i) => isEqual(token, other) ? [i] : []);
    const isOnce = places.length === 1 && claim.filter((other) => isEqual(other, token)).length === 1;
    return isOnce ? [{ token, place: places[0]! }] : [];
  });
  const order = shared.map(({ place }) => place).sort((a, b) => a - b);
  const moved = shared.flatMap(({ place }, i) => order[i] === place ? [] : [i]);
  const [a, b] = moved;
  if (moved.length !== 2) return undefined;
  const [first, second] = [shared[a!]!.token, shared[b!]!.token];
  return b! - a! >= 2 || isDirected(first, second) ? [first, second] : undefined;
}

const MOST_COMPARED = 10_000;
