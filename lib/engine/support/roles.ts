/**
 * Names that passages have in another role: where the architect is Anna and the builder is Maria, the architect is not Maria.
 */
import { type Difference, placeDifference } from "./differences.ts";
import { areOpposite } from "./opposites.ts";
import { isChinese, type Item, LEAST_SAME, type Sentence, type Source } from "./passages.ts";
import type { Word, Words } from "./words.ts";

/** Where a sentence goes on to another name. */
const BREAK = /[,;]\s?|、|\b(?:and|but|while|whereas)\b|和|而|以及/gi;
/** Sentences that are looked at for each role and name, and pairs of words of one of them and the claim. */
const MOST_SOURCES = 4, MOST_COMPARED = 10_000;
/** Cosine of two words of one kind, such as two roles. */
const SIBLING = 0.3;

/** Least share of the other words of a claim that a sentence says of another name. */
const LEAST_SAID = 0.6;

/** Words that stand for the name of another sentence. */
const PRONOUN = /\b(?:he|she|it|they)\b|[他她它]/i;

/** Where a sentence goes on to say more of the name before: 审核人是李娜,她检查备份. */
const SAYS_MORE = /[,;]\s?(?:(?:and|but) )?(?:(?:he|she|it|they)\b|[他她它])/i;

/** A sentence, or a part of it that has a name of its own. */
interface Part extends Sentence {
  readonly isWhole: boolean;
}

/**
 * Returns a name of a claim that the passages have, but not with the other words of the claim: a sentence that has these says them of
 * another name.
 */
export function nameOfAnother(
  claim: Sentence,
  items: readonly Item[],
  sources: readonly Source[],
  chosen: readonly number[],
  words: Words,
): Difference | undefined {
  const named = items.filter(({ word }) => word?.isName);
  if (named.length === 0) return undefined;
  const isAcross = isChinese(claim) !== isChinese(sources[chosen[0]!]!);
  const isShort = (i: number) => sources[i]!.words.length * claim.words.length <= MOST_COMPARED;
  const near = [...chosen, ...furtherSources(items, chosen, isAcross)].slice(0, MOST_SOURCES).filter(isShort);
  const others = near.flatMap((i) => {
    const parts = partsOf(sources[i]!);
    // A sentence with all names says nothing of another one instead.
    const all = [...parts, ...partsBeforePronoun(sources[i]!)];
    return all.length < 2 && named.every(({ covers }) => covers.has(i)) ? [] : all;
  });
  if (others.length === 0) return undefined;
  for (const ours of partsOf(claim)) {
    const names = named.filter(({ word }) => ours.words.some(({ term }) => term === word!.term));
    const holders = sources.flatMap((_, i) => names.every(({ covers }) => covers.has(i)) ? [i] : [])
      .filter(isShort).slice(0, MOST_HOLDERS).flatMap((i) => partsOf(sources[i]!));
    for (const theirs of others) {
      const difference = roleDifference(ours, theirs, holders, words);
      if (difference !== undefined && !claimHas(ours, difference.found!)) return difference;
    }
  }
  return undefined;
}

/** Sentences with a name that are looked at for its role. */
const MOST_HOLDERS = 16;

function claimHas({ plain, words }: Sentence, text: string): boolean {
  return plain.slice(words[0]!.start, words.at(-1)!.end).includes(text);
}

/** Returns the name of a part that another one has instead, if no holder of the name says the same as this part. */
function roleDifference(
  ours: Part,
  theirs: Part,
  holders: readonly Part[],
  words: Words,
): Difference | undefined {
  if (!theirs.words.some(({ isName }) => isName)) return undefined;
  const isAcross = isChinese(ours) !== isChinese(theirs);
  const placed = isAcross ? undefined : placeDifference(ours, theirs, words, []);
  const isPlaced = placed?.kind === "name" && placed.isCertain;
  const difference = isPlaced ? placed : onlyNames(ours, theirs);
  if (difference?.found === undefined) return undefined;
  const { claimed, found } = difference;
  if (!areNames(claimed, found, theirs.plain)) return undefined;
  const isIn = (word: Word, part: Part) =>
    part.words.some((other) => words.sameness(word, other) >= LEAST_SAME && !areOpposite(word, other));
  const names = ours.words.filter((word) =>
    word.isName && claimed.includes(ours.plain.slice(word.start, word.end))
  );
  if (names.length === 0 || names.some((word) => isIn(word, theirs)) || refersBack(theirs, found)) {
    return undefined;
  }
  const rest = tellingWords(ours).filter((word) => !names.includes(word));
  const said = rest.filter((word) => isIn(word, theirs));
  const own = holders.filter((part) => names.every((word) => isIn(word, part)));
  const weightOf = (list: readonly Word[]) => list.reduce((sum, { weight }) => sum + weight, 0);
  if (own.length === 0 || said.length === 0 || weightOf(said) < LEAST_SAID * weightOf(rest)) return undefined;
  // An architect may be a 设计师, but a 建筑师 is nearer.
  const isSaid = (word: Word, part: Part) =>
    isIn(word, part) && (!isAcross || nearness(word, part, words) >= nearness(word, theirs, words));
  if (own.some((part) => said.every((word) => isSaid(word, part)))) return undefined;
  // Parts of a sentence, and a name in another place, may say the same of both: Alice and Bob are doctors.
  const isSibling = (word: Word, other: Word) =>
    other.weight > 0 && !other.isName && !word.isName && !isIn(other, ours) && !isIn(other, theirs) &&
    words.cosine(word, other) >= SIBLING;
  // In another language, a sentence that says nothing else says the same.
  const saysSame = isAcross && tellingWords(theirs).every((word) => word.isName || isIn(word, ours));
  const isSure = isPlaced && theirs.isWhole || saysSame ||
    own.some((part) => said.some((word) => part.words.some((other) => isSibling(word, other))));
  return isSure ? difference : undefined;
}

/** Returns the greatest sameness of a word with one of a part. */
function nearness(word: Word, part: Part, words: Words): number {
  return Math.max(0, ...part.words.map((other) => words.sameness(word, other)));
}

function tellingWords({ words }: Sentence): Word[] {
  return words.filter(({ weight, isNegation }) => weight > 0 && !isNegation);
}

/** A Latin name, and an article before a word that only looks like one: an American author. */
const LATIN_NAME = /^(?:\p{Lu}[\p{L}\p{M}\p{N}.'’-]* ?)+$/u, ARTICLE = /\ban? (?:\p{Ll}+ )?$/u;

/** Whether two texts, the second in a sentence, are nothing but names. */
function areNames(claimed: string, found: string, plain: string): boolean {
  return [claimed, found].every((text) => /\p{Script=Han}/u.test(text) || LATIN_NAME.test(text)) &&
    !ARTICLE.test(plain.slice(Math.max(0, plain.indexOf(found) - 40), plain.indexOf(found)));
}

/** Returns the sources that have most of what the best one lacks; in another language, of what a claim says, since translations are vague. */
function furtherSources(items: readonly Item[], chosen: readonly number[], isAcross: boolean): number[] {
  const gains = new Map<number, number>();
  for (const { covers, weight } of items) {
    if (!isAcross && covers.has(chosen[0]!)) continue;
    for (const [i, share] of covers) gains.set(i, (gains.get(i) ?? 0) + weight * share);
  }
  return [...gains.keys()].filter((i) => !chosen.includes(i)).sort((a, b) => gains.get(b)! - gains.get(a)!);
}

/** Returns the only name of each of two parts, as a difference. */
function onlyNames(ours: Part, theirs: Part): Difference | undefined {
  const [claimed, found] = [onlyName(ours), onlyName(theirs)];
  if (claimed === undefined || found === undefined) return undefined;
  return { kind: "name", claimed, found, isCertain: true };
}

/** Returns the name of a part that has one. */
function onlyName({ plain, words }: Part): string | undefined {
  const names = words.flatMap((word, i) => isNameAt(word, i, words) ? [i] : []);
  if (names.length === 0 || names.at(-1)! - names[0]! !== names.length - 1) return undefined;
  return plain.slice(words[names[0]!]!.start, words[names.at(-1)!]!.end);
}

/** Whether a word is a name. The first one of a sentence has a capital letter in any case. */
function isNameAt(word: Word, i: number, words: readonly Word[]): boolean {
  return word.isName && (i > 0 || word.isHan || words[1]?.isName === true);
}

/** Whether a part speaks of the name of another sentence: a pronoun before its name, or in the same clause. */
function refersBack({ plain, words }: Part, name: string): boolean {
  const text = plain.slice(words[0]!.start, words.at(-1)!.end);
  const end = text.indexOf(name) + name.length;
  return PRONOUN.test(text.slice(0, end) + text.slice(end).split(/[,;]/, 1)[0]);
}

/** Returns the parts of a sentence before a pronoun; none if there is no pronoun. */
function partsBeforePronoun({ plain, words, values }: Sentence): Part[] {
  const end = SAYS_MORE.exec(plain)?.index ?? 0;
  const isBefore = (each: { readonly end: number }) => each.end <= end;
  return partsOf({
    plain: plain.slice(0, end),
    words: words.filter(isBefore),
    values: values.filter(isBefore),
  });
}

/** Returns the parts of a sentence that each have a name; the whole sentence if one has none. */
function partsOf(sentence: Sentence): Part[] {
  const { plain, words, values } = sentence;
  const breaks = Array.from(plain.matchAll(BREAK), ({ index }) => index);
  const ends = [...breaks, plain.length];
  const parts = ends.map((end, i) => {
    const from = ends[i - 1] ?? 0;
    const isIn = (each: { readonly start: number; readonly end: number }) =>
      each.start >= from && each.end <= end;
    return { plain, words: words.filter(isIn), values: values.filter(isIn), isWhole: false };
  });
  return parts.length > 1 && parts.every(({ words }) => words.some((word, i) => isNameAt(word, i, words)))
    ? parts
    : words.length === 0
    ? []
    : [{ ...sentence, isWhole: true }];
}
