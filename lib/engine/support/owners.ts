/**
 * Values that a sentence states of several things: where Alpha has 3 doors and Beta has 5, Alpha does not have 5.
 */
import { LEAST_SAME, type Sentence } from "./passages.ts";
import { areOpposite } from "./opposites.ts";
import { dimensionOf } from "./order.ts";
import { isYear, relation, type WrittenValue } from "./values.ts";
import type { Word, Words } from "./words.ts";

/** Where a sentence goes on to another thing. */
const BREAK = /[,;:、。]\s?|\b(?:and|but|while|whereas|or)\b|和|而|以及/gi;
/** Cosine of two words of one kind, such as two drinks. */
const SIBLING = 0.4;
/** Pairs of words at most: longer sentences are lists. */
const MOST_COMPARED = 10_000;

/** A part of a sentence with one value, and its words. */
interface Part {
  readonly value: WrittenValue;
  readonly words: readonly Word[];
}

/** Returns a value of a claim that the source states of another thing of the same kind, and the value that it states in its place. */
export function valueOfAnother(
  claim: Sentence,
  source: Sentence,
  words: Words,
): readonly [claimed: WrittenValue, found: WrittenValue] | undefined {
  for (const dimension of new Set(claim.values.map(kindOf))) {
    const theirs = partsOf(source, dimension);
    if (theirs.length < 2 || source.words.length * claim.words.length > MOST_COMPARED) continue;
    for (const ours of claimedParts(claim, dimension)) {
      const found = ownValue(ours, theirs, words);
      if (found !== undefined) return [ours.value, found];
    }
  }
  return undefined;
}

function ownValue(ours: Part, theirs: readonly Part[], words: Words): WrittenValue | undefined {
  const isSame = (a: Word, b: Word) => words.sameness(a, b) >= LEAST_SAME && !areOpposite(a, b);
  const isIn = (word: Word, part: Part) => part.words.some((other) => isSame(word, other));
  const others = theirs.filter(({ value }) => relation(ours.value, value) === "same");
  if (others.length === 0 || others.length === theirs.length) return undefined;
  // The claim names the one thing and not the other. Otherwise the parts may speak of one thing: "with 30 people in Oslo, it grew to 50".
  const isOf = (own: Part, other: Part) => {
    const [owns, rest] = [own, other].map((part, i) =>
      part.words.filter((word) => !isIn(word, i === 0 ? other : own))
    ) as [Word[], Word[]];
    const namesOther = rest.some((word) =>
      isIn(word, ours) && owns.some((each) => isSibling(word, each, words))
    );
    return !namesOther && rest.some((word) => {
      const counterpart = nearest(word, other, own, owns, words);
      return counterpart !== undefined && isIn(counterpart, ours);
    });
  };
  return theirs.find((own) => !others.includes(own) && others.every((other) => isOf(own, other)))?.value;
}

/** Whether two words name things of one kind. */
function isSibling(a: Word, b: Word, words: Words): boolean {
  return a.isName && b.isName || areOpposite(a, b) || words.cosine(a, b) >= SIBLING;
}

/** Returns the one of some words of a part that is of one kind with a word of another part and stands most alike to the value. */
function nearest(word: Word, of: Part, part: Part, among: readonly Word[], words: Words): Word | undefined {
  const place = placeOf(word, of);
  const apart = (each: Word) => Math.abs(placeOf(each, part) - place);
  return among.filter((each) => isSibling(each, word, words)).sort((a, b) => apart(a) - apart(b))[0];
}

/** Number of words between a word and the value of its part, negative before the value. */
function placeOf(word: Word, { value, words }: Part): number {
  const before = words.filter(({ start }) => start < value.start).length;
  return words.indexOf(word) - before;
}

/** The parts of a claim; the whole claim where it has one value of the dimension. */
function claimedParts(claim: Sentence, dimension: string): readonly Part[] {
  const values = valuesOf(claim, dimension);
  const [value] = values;
  if (values.length === 1) return [{ value: value!, words: tellingWords(claim) }];
  return partsOf(claim, dimension);
}

/** Returns the parts of a sentence that each have one value; none if a part has more. */
function partsOf(sentence: Sentence, dimension: string): readonly Part[] {
  const values = valuesOf(sentence, dimension);
  if (values.length < 2) return [];
  const breaks = Array.from(sentence.plain.matchAll(BREAK), ({ index }) => index)
    .filter((at) => !sentence.values.some(({ start, end }) => start <= at && at < end));
  const words = tellingWords(sentence);
  const parts: Part[] = [];
  let from = 0;
  for (const [i, value] of values.entries()) {
    const next = values[i + 1];
    const end = next === undefined
      ? sentence.plain.length
      : breaks.find((at) => at >= value.end && at < next.start);
    if (end === undefined) return [];
    parts.push({ value, words: words.filter((word) => word.start >= from && word.end <= end) });
    from = end;
  }
  // Alpha has 3 doors, Beta has 5: the doors belong to both.
  if (parts.every((part) => counted(part) !== undefined)) return parts;
  return parts.map((part) => ({ ...part, words: part.words.filter((word) => word !== counted(part)) }));
}

/** Returns the first word behind the value of a part. */
function counted({ value, words }: Part): Word | undefined {
  return words.find(({ start }) => start >= value.end);
}

function valuesOf({ values }: Sentence, dimension: string): WrittenValue[] {
  return values.filter((value) => !value.isLoose && kindOf(value) === dimension);
}

function kindOf(value: WrittenValue): string {
  return isYear(value) ? "date" : dimensionOf(value);
}

function tellingWords({ words }: Sentence): Word[] {
  return words.filter(({ weight, isNegation }) => weight > 0 && !isNegation);
}
