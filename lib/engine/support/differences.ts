/**
 * The differences between a sentence and its evidence: a value, a name or a word in another's place, or a negation on one side.
 */
import { coverage, type Item, LEAST_SAME, type Sentence, type Source } from "./passages.ts";
import { type Relation, relation, type WrittenValue } from "./values.ts";
import { pairedElsewhere, swapped, turnedRange } from "./order.ts";
import { valueOfAnother } from "./owners.ts";
import { arePlacesApart, isSurname } from "./names.ts";
import { areOpposite, hasOpposite } from "./opposites.ts";
import type { Word, Words } from "./words.ts";

/** A difference between a sentence and its evidence. */
export interface Difference {
  readonly kind: Exclude<Relation, "same"> | "negation" | "word" | "opposite";
  /** Words of the sentence. */
  readonly claimed: string;
  /** The words of the evidence in their place; `undefined` if there are none. */
  readonly found?: string;
  /** Whether it decides the verdict. Other words in the same place may still mean the same. */
  readonly isCertain: boolean;
}

/** The clearest difference of values comes first. */
const RANK: readonly string[] = ["unit", "date", "number", "name"];

/** Returns the first value that chosen sources do not have, and what they have instead. */
export function valueDifference(
  claim: Sentence,
  items: readonly Item[],
  sources: readonly Source[],
  chosen: readonly number[],
): Difference | undefined {
  const missing = items.find((item) => item.value !== undefined && coverage(item, chosen) === 0)?.value;
  if (missing === undefined) return undefined;
  const near = neighbours(missing, claim);
  const [other] = chosen.flatMap((i) =>
    sources[i]!.values.flatMap((value) => {
      if (value.isLoose) return [];
      const kind = relation(missing, value);
      if (kind === undefined || kind === "same") return [];
      // Two numbers without units may count different things.
      const shared = neighbours(value, sources[i]!).filter((term) => near.includes(term)).length;
      return [{ kind, value, shared }];
    })
  ).sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind) || b.shared - a.shared);
  if (other !== undefined) {
    return { kind: other.kind, claimed: missing.text, found: other.value.text, isCertain: true };
  }
  const isDate = missing.value.kind === "date" || missing.value.kind === "time";
  return { kind: isDate ? "date" : "number", claimed: missing.text, isCertain: true };
}

/** Returns the terms of the words that stand next to a value. */
function neighbours(value: WrittenValue, { words }: Sentence): string[] {
  const telling = words.filter(({ weight }) => weight > 0);
  const behind = telling.findIndex(({ start }) => start >= value.end);
  const at = behind < 0 ? telling.length : behind;
  return telling.slice(Math.max(0, at - 1), at + 1).map(({ term }) => term);
}

/** Returns a negation before a word that both have, if it stands on one side only. */
export function negationDifference(claim: Sentence, source: Sentence): Difference | undefined {
  const [ofClaim, ofSource] = [negationsOf(claim), negationsOf(source)];
  const has = ({ words }: Sentence, term: string) =>
    words.some((word) => word.weight > 0 && word.term === term);
  const isNegated = (negations: readonly Negation[], { term }: Negation) =>
    negations.some((other) => other.term === term);
  const [left, right] = [
    ofClaim.filter((negation) => !isNegated(ofSource, negation)),
    ofSource.filter((negation) => !isNegated(ofClaim, negation)),
  ];
  // "It does not need a password", "it needs no password": the same negation in another place.
  const isSame = (a: Negation, b: Negation) =>
    a.near.includes(b.term) || b.near.includes(a.term) || PERMISSION.has(b.term) ||
    !has(claim, b.term) && a.near.some((term) => b.near.includes(term));
  for (const negation of left) {
    if (has(source, negation.term) && !right.some((other) => isSame(negation, other))) {
      return { kind: "negation", claimed: negation.text, isCertain: true };
    }
  }
  for (const negation of right) {
    if (has(claim, negation.term) && !left.some((other) => isSame(other, negation))) {
      return { kind: "negation", claimed: negation.term, found: negation.text, isCertain: true };
    }
  }
  return undefined;
}

/** 不允许进入, 不得进入 */
const PERMISSION = new Set(["允许", "准许", "allow", "permit"]);

/** Words that a negation reaches to. */
const REACH = 3;

/** A negation with the first term that stands closely behind it. */
interface Negation {
  readonly text: string;
  readonly term: string;
  /** The terms within its reach, and the subject before it. */
  readonly near: readonly string[];
}

function negationsOf({ plain, words }: Sentence): Negation[] {
  return words.flatMap((word, i) => {
    if (!word.isNegation) return [];
    // No longer supported: the negation is about what follows.
    const from = NO_LONGER.has(words[i + 1]?.term ?? "") ? i + 2 : i + 1;
    const reached = words.slice(from, from + REACH).filter(({ weight }) => weight > 0);
    const inClause = reached.filter(({ start }) => !/[,;:]\s?/.test(plain.slice(word.end, start)));
    const behind = (inClause.length > 0 ? inClause : reached).map(({ term }) => term);
    if (behind.length === 0) return [];
    // The screen is not covered; 损坏不在范围内.
    const isBehind = BE.has(words[i - 1]?.term ?? "") || words[i + 1]?.term === "在";
    const subject = isBehind ? words.slice(0, i).findLast(({ weight }) => weight > 0)?.term : undefined;
    const near = subject === undefined ? behind : [subject, ...behind];
    return [{ text: word.term, term: behind[0]!, near }];
  });
}

const BE = new Set(["is", "are", "was", "were", "be"]);
const NO_LONGER = new Set(["long", "longer"]);

/** Returns a word of a claim whose opposite the source has, where neither has both. */
function oppositeDifference(claim: Sentence, source: Sentence): Difference | undefined {
  const count = ({ words }: Sentence) => words.filter(({ isNegation }) => isNegation).length;
  // It did not rise, it fell.
  if (count(claim) !== count(source)) return undefined;
  const lacks = ({ words }: Sentence, term: string) => !words.some((word) => word.term === term);
  for (const word of claim.words) {
    if (!hasOpposite(word) && !(word.isHan && word.term.length >= 4) || !lacks(source, word.term)) continue;
    const other = source.words.find((each) => areOpposite(word, each) && lacks(claim, each.term));
    if (other === undefined) continue;
    const [claimed, found] = [textOf([word], claim), textOf([other], source)];
    return { kind: "opposite", claimed, found, isCertain: false };
  }
  return undefined;
}

/** Cosine of two words of one kind, such as two months or two nationalities. */
const SIBLING = 0.4;

/** Returns a value, a name or a word that stands where the evidence has another one between the same neighbours. */
export function placeDifference(
  claim: Sentence,
  source: Sentence,
  words: Words,
  others: readonly Sentence[],
): Difference | undefined {
  let uncertain = oppositeDifference(claim, source);
  for (const gap of gapsBetween(claim, source)) {
    const ours = gap.claim.filter((token) => !gap.source.some((other) => isEqual(token, other)));
    const theirs = gap.source.filter((token) => !gap.claim.some((other) => isEqual(token, other)));
    if (ours.length === 0 || theirs.length === 0) continue;
    const found = { claimed: textOf(ours, claim), found: textOf(theirs, source) };
    const kind = gap.isTight
      ? differentValue(ours, theirs, (value) => isElsewhere(value, claim, others))
      : undefined;
    if (kind !== undefined) return { ...found, kind, isCertain: true };
    const [ourWords, theirWords] = [ours.filter(isWord), theirs.filter(isWord)];
    const some = (test: (a: Word, b: Word) => boolean) =>
      ourWords.some((a) => theirWords.some((b) => test(a, b)));
    if (some((a, b) => words.sameness(a, b) >= LEAST_SAME) || areInitials(found.claimed, found.found)) {
      continue;
    }
    if (haveName(ourWords, claim) && haveName(theirWords, source)) {
      const areApart = some(({ term: a }, { term: b }) => arePlacesApart(a, b));
      if (gap.isTight && !areApart) return { ...found, kind: "name", isCertain: true };
      uncertain ??= { ...found, kind: "name", isCertain: false };
    } else if (some((a, b) => words.cosine(a, b) >= SIBLING)) {
      uncertain ??= { ...found, kind: "word", isCertain: false };
    }
  }
  return uncertain;
}

/** Returns how the first value of one list differs from the values of the other; `undefined` if it does not. */
function differentValue(
  ours: readonly Token[],
  theirs: readonly Token[],
  isElsewhere: (value: WrittenValue) => boolean,
): Difference["kind"] | undefined {
  const value = ours.find((token) => !isWord(token));
  if (value === undefined || isWord(value)) return undefined;
  const last = theirs.at(-1)!;
  // "One" and "first" stand for a value before the same word only.
  if (value.isLoose || !isWord(last) && last.isLoose) {
    if (value !== ours.at(-1) || isWord(last)) return undefined;
    const kind = relation(value, last);
    return kind === "same" ? undefined : kind;
  }
  const kinds = theirs.map((token) => isWord(token) ? undefined : relation(value, token));
  const kind = kinds.find((each) => each !== undefined && each !== "same") as Difference["kind"] | undefined;
  return kind === "unit" || !isElsewhere(value) ? kind : undefined;
}

/** Whether another sentence has a value of a claim behind the same word: the claim puts both together. */
function isElsewhere(value: WrittenValue, claim: Sentence, others: readonly Sentence[]): boolean {
  const tokens = tokensOf(claim);
  const before = tokens[tokens.indexOf(value) - 1];
  return before !== undefined &&
    others.some((other) =>
      tokensOf(other).some((token, i, all) => isEqual(value, token) && i > 0 && isEqual(before, all[i - 1]!))
    );
}

/** Returns values or words of a claim that have changed places in the source. */
export function orderDifference(claim: Sentence, source: Sentence, words: Words): Difference | undefined {
  const paired = pairedElsewhere(claim.plain, claim.values, source.values) ??
    turnedRange(claim, source) ??
    valueOfAnother(claim, source, words);
  if (paired !== undefined) {
    const [claimed, found] = paired;
    const kind = claimed.value.kind === "date" || claimed.value.kind === "time" ? "date" : "number";
    return { kind, claimed: claimed.text, found: found.text, isCertain: true };
  }
  const [a, b] = swapped(
    tokensOf(claim),
    tokensOf(source),
    isEqual,
    (a, b) => DIRECTED.test(claim.plain.slice(a.end, b.start)),
  ) ?? [];
  if (a === undefined || b === undefined) return undefined;
  const [claimed, found] = [textOf([a], claim), textOf([b], claim)];
  if (isWord(a) || isWord(b)) {
    const isPassive = PASSIVE.test(claim.plain) !== PASSIVE.test(source.plain);
    return isWord(a) && isWord(b) && !isPassive
      ? { kind: "opposite", claimed, found, isCertain: false }
      : undefined;
  }
  const kind = relation(a, b);
  return kind === undefined || kind === "same" ? undefined : { kind, claimed, found, isCertain: true };
}

/** Between two words that do not change places: as many women as men, older than Bob. */
const DIRECTED = /^(?: (?:as|than)(?: (?:the|an?))? |比)$/i;

/** The doer stands behind the deed. */
const PASSIVE = /\bby\b|[被由受]/i;

/** A word that says something, or a value. */
type Token = Word | WrittenValue;

function isWord(token: Token): token is Word {
  return "term" in token;
}

function tokensOf({ words, values }: Sentence): Token[] {
  const telling = words.filter(({ weight, isNegation }) => weight > 0 && !isNegation);
  const others = telling.filter(({ start, end }) =>
    !values.some((value) => value.isLoose && value.start < end && start < value.end)
  );
  return [...others, ...values].sort((a, b) => a.start - b.start);
}

function isEqual(a: Token, b: Token): boolean {
  return isWord(a) ? isWord(b) && a.term === b.term : !isWord(b) && relation(a, b) === "same";
}

function textOf(tokens: readonly Token[], { plain }: Sentence): string {
  return plain.slice(tokens[0]!.start, tokens.at(-1)!.end);
}

/** The dot between the parts of a foreign name in Chinese. */
const DOT = "·";

/** Least weight of a Chinese word that may be a name of a person which the table has, such as 王明. */
const PERSON_WEIGHT = 11;

/** Whether there is a name among words: Chinese names that the table lacks fall into single characters. */
function haveName(words: readonly Word[], { plain }: Sentence): boolean {
  return words.some((word, i) => {
    if (word.isName) return true;
    if (!word.isHan) return false;
    if (plain[word.end] === DOT || plain[word.start - 1] === DOT) return true;
    const { term, weight } = word;
    if (term.length > 1) return term.length <= 3 && weight >= PERSON_WEIGHT && isSurname(term[0]!);
    const next = words[i + 1];
    return next !== undefined && next.isHan && next.start === word.end && next.term.length === 1;
  });
}

/** Whether one side is made of the first letters of the other: UN, United Nations. */
function areInitials(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (!/^\p{Lu}[\p{Lu}.]+$/u.test(short)) return false;
  const initials = (long.match(/(?<!\p{L})\p{Lu}/gu) ?? []).join("");
  return short.replaceAll(".", "") === initials;
}

/** Tokens between two pairs of equal tokens. */
interface Gap {
  readonly claim: readonly Token[];
  readonly source: readonly Token[];
  /** Whether few tokens stand between. */
  readonly isTight: boolean;
}

const TIGHT = 4;

/** Returns what differs between two lists of tokens, by their longest common subsequence. */
function gapsBetween(ofClaim: Sentence, ofSource: Sentence): Gap[] {
  const [claim, source] = [tokensOf(ofClaim), tokensOf(ofSource)];
  const width = source.length + 1;
  const lengths = new Uint16Array((claim.length + 1) * width);
  for (let i = claim.length - 1; i >= 0; i--) {
    for (let j = source.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isEqual(claim[i]!, source[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const gaps: Gap[] = [];
  let i = 0, j = 0, fromI = 0, fromJ = 0;
  const add = () => {
    const [ours, theirs] = [claim.slice(fromI, i), source.slice(fromJ, j)];
    if (ours.length > 0 && theirs.length > 0) {
      gaps.push({
        claim: ours,
        source: theirs,
        isTight: lengthOf(ours, ofClaim) <= TIGHT && lengthOf(theirs, ofSource) <= TIGHT,
      });
    }
  };
  while (i < claim.length && j < source.length) {
    if (isEqual(claim[i]!, source[j]!)) {
      add();
      [fromI, fromJ] = [++i, ++j];
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  [i, j] = [claim.length, source.length];
  add();
  return gaps;
}

/** Number of tokens, with a Chinese name that falls into characters, or has a dot, as one. */
function lengthOf(tokens: readonly Token[], { plain }: Sentence): number {
  return tokens.filter((token, i) => {
    const before = tokens[i - 1];
    if (before === undefined || !isWord(token) || !isWord(before) || !token.isHan || !before.isHan) {
      return true;
    }
    if (token.start === before.end) return token.term.length > 1 && before.term.length > 1;
    return token.start !== before.end + 1 || plain[before.end] !== DOT;
  }).length;
}
