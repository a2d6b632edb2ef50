/**
 * What is different between a sentence and its evidence: a value, a name or a word in another's place, or a negation on one side.
 */
import { coverage, type Item, LEAST_SAME, type Sentence, type Source } from "./passages.ts";
import { type Relation, relation, type WrittenValue } from "./values.ts";
import type { Word, Words } from "./words.ts";

/** A difference between a sentence and its evidence. */
export interface Difference {
  readonly kind: Exclude<Relation, "same"> | "name" | "negation" | "word";
  /** Words of the sentence. */
  readonly claimed: string;
  /** What the evidence has in their place; `undefined` if nothing. */
  readonly found?: string;
  /** Whether it decides the verdict. Other words in the same place may still mean the same. */
  readonly isCertain: boolean;
}

/** The clearest difference of values comes first. */
const RANK: readonly string[] = ["unit", "date", "number"];

/** Returns the first value that chosen sources do not have, and what they have instead. */
export function valueDifference(
  items: readonly Item[],
  sources: readonly Source[],
  chosen: readonly number[],
): Difference | undefined {
  const missing = items.find((item) => item.value !== undefined && coverage(item, chosen) === 0)?.value;
  if (missing === undefined) return undefined;
  const [other] = chosen.flatMap((i) => sources[i]!.values).flatMap((value) => {
    const kind = relation(missing, value);
    return kind === undefined || kind === "same" ? [] : [{ kind, value }];
  }).sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind));
  if (other !== undefined) {
    return { kind: other.kind, claimed: missing.text, found: other.value.text, isCertain: true };
  }
  const isDate = missing.value.kind === "date" || missing.value.kind === "time";
  return { kind: isDate ? "date" : "number", claimed: missing.text, isCertain: true };
}

/** Returns a negation before a word that both have, if it stands on one side only. */
export function negationDifference(claim: Sentence, source: Sentence): Difference | undefined {
  const [ofClaim, ofSource] = [negatedTerms(claim.words), negatedTerms(source.words)];
  const has = ({ words }: Sentence, term: string) =>
    words.some((word) => word.weight > 0 && word.term === term);
  for (const [term, negation] of ofClaim) {
    if (has(source, term) && !ofSource.has(term)) {
      return { kind: "negation", claimed: negation, isCertain: true };
    }
  }
  for (const [term, negation] of ofSource) {
    if (has(claim, term) && !ofClaim.has(term)) {
      return { kind: "negation", claimed: term, found: negation, isCertain: true };
    }
  }
  return undefined;
}

/** Words that a negation reaches to. */
const REACH = 3;

/** Returns the terms that stand closely behind a negation, and the negation. */
function negatedTerms(words: readonly Word[]): ReadonlyMap<string, string> {
  const negated = new Map<string, string>();
  for (const [i, word] of words.entries()) {
    if (!word.isNegation) continue;
    for (const next of words.slice(i + 1, i + 1 + REACH)) {
      if (next.weight > 0) {
        negated.set(next.term, word.term);
        break;
      }
    }
  }
  return negated;
}

/** Cosine of two words of one kind, such as two months or two nationalities. */
const SIBLING = 0.4;

/** Returns a value, a name or a word that stands where the evidence has another one between the same neighbours. */
export function placeDifference(claim: Sentence, source: Sentence, words: Words): Difference | undefined {
  let uncertain: Difference | undefined;
  for (const gap of gapsBetween(claim, source)) {
    const ours = gap.claim.filter((token) => !gap.source.some((other) => isEqual(token, other)));
    const theirs = gap.source.filter((token) => !gap.claim.some((other) => isEqual(token, other)));
    if (ours.length === 0 || theirs.length === 0) continue;
    const found = { claimed: textOf(ours, claim), found: textOf(theirs, source) };
    const kind = gap.isTight ? differentValue(ours, theirs) : undefined;
    if (kind !== undefined) return { ...found, kind, isCertain: true };
    const [ourWords, theirWords] = [ours.filter(isWord), theirs.filter(isWord)];
    const some = (test: (a: Word, b: Word) => boolean) =>
      ourWords.some((a) => theirWords.some((b) => test(a, b)));
    if (some((a, b) => words.sameness(a, b) >= LEAST_SAME)) continue;
    if (haveName(ourWords, claim) && haveName(theirWords, source)) {
      if (gap.isTight) return { ...found, kind: "name", isCertain: true };
      uncertain ??= { ...found, kind: "name", isCertain: false };
    } else if (some((a, b) => words.cosine(a, b) >= SIBLING)) {
      uncertain ??= { ...found, kind: "word", isCertain: false };
    }
  }
  return uncertain;
}

/** Returns how the first value of one list differs from the values of the other; `undefined` if it does not. */
function differentValue(ours: readonly Token[], theirs: readonly Token[]): Difference["kind"] | undefined {
  const value = ours.find((token) => !isWord(token));
  if (value === undefined || isWord(value)) return undefined;
  const kinds = theirs.map((token) => isWord(token) ? undefined : relation(value, token));
  return kinds.find((kind) => kind !== undefined && kind !== "same") as Difference["kind"] | undefined;
}

/** A word that says something, or a value. */
type Token = Word | WrittenValue;

function isWord(token: Token): token is Word {
  return "term" in token;
}

function tokensOf({ words, values }: Sentence): Token[] {
  const telling = words.filter(({ weight, isNegation }) => weight > 0 && !isNegation);
  return [...telling, ...values].sort((a, b) => a.start - b.start);
}

function isEqual(a: Token, b: Token): boolean {
  return isWord(a) ? isWord(b) && a.term === b.term : !isWord(b) && relation(a, b) === "same";
}

function textOf(tokens: readonly Token[], { plain }: Sentence): string {
  return plain.slice(tokens[0]!.start, tokens.at(-1)!.end);
}

/** The most frequent surnames of China. */
const SURNAMES = new Set(
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高梁郑谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严武戴孔向汤",
);

/** The dot between the parts of a foreign name in Chinese. */
const DOT = "·";

/** Whether there is a name among words: Chinese names that the table lacks fall into single characters, or a surname and a word. */
function haveName(words: readonly Word[], { plain }: Sentence): boolean {
  return words.some((word, i) => {
    const next = words[i + 1];
    if (word.isName || word.isHan && (plain[word.end] === DOT || plain[word.start - 1] === DOT)) return true;
    if (!word.isHan || word.term.length > 1 || next === undefined || !next.isHan || next.start !== word.end) {
      return false;
    }
    return next.term.length === 1 || next.term.length === 2 && SURNAMES.has(word.term);
  });
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
