/**
 * The weighted terms of a question: its content words, synonyms, and less of the words that say little.
 */
import { CJK, type QueryTerm, type Tokenizer, wordParts } from "#engine/index/mod.ts";

/** Weight of a synonym's terms, as a factor of the weight of the word that the user wrote. */
export const SYNONYM_WEIGHT = 0.5;

/**
 * Returns the distinct terms of a question: first those of its content, then its stop words with a very small weight, then
 * the synonyms of its words. A chunk that contains any of them is found. A term that occurs twice has its greatest weight.
 */
export function queryTerms(tokenizer: Tokenizer, content: Content, synonyms: Synonyms): QueryTerm[] {
  const weights = new Map<string, number>();
  const add = (terms: readonly QueryTerm[], factor: number) => {
    for (const { term, weight } of terms) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * factor));
    }
  };
  add(tokenizer.queryTerms(content.text), 1);
  add(tokenizer.queryTerms(content.stopWords.join(" ")), STOP_WORD_WEIGHT);
  for (const { word, others } of synonyms.in(content.text)) {
    const written = sumOf(tokenizer.queryTerms(word));
    for (const other of others) {
      const terms = tokenizer.queryTerms(other);
      // A synonym with many terms must not outweigh the word that it replaces.
      add(terms, SYNONYM_WEIGHT * Math.min(1, written / sumOf(terms)));
    }
  }
  return [...weights].map(([term, weight]) => ({ term, weight }));
}

function sumOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** A question without its stop words. */
export interface Content {
  /** In NFKC. Chinese question words and English stop words have become spaces, unless there was nothing else. */
  readonly text: string;
  /** The English stop words, and the word for a kind of text, that were removed, in their order. */
  readonly stopWords: readonly string[];
  /** Whether the question has only such words, so that a match says nothing. */
  readonly isEmpty: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’]\p{L}+)*/gu;
const CHARACTER = new RegExp(`[${CJK}]`, "gu");
/**
 * Chinese particles. They stay in a question, but say nothing where no other word is left, and must not be translated then.
 */
const PARTICLES = /[的了吗嗎呢吧啊呀]/gu;
const SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
/** Characters that join words into one: `how-to`, `and/or`, `is.na`, `std::for_each`. */
const TIE_BEFORE = /[\p{L}\p{N}_)\]][-./\\:@&]+$/u;
const TIE_AFTER = /^[-./\\:@&]+[\p{L}\p{N}_([]/u;
/** Capitalized words that are stop words nevertheless: the pronoun `I`, and operators of search engines. */
const STOPS_IN_CAPITALS: ReadonlySet<string> = new Set(["I", "AND", "OR"]);

/**
 * Removes stop words from a question. English stop words are removed only from a question in English: in 「Python 的 for 循环」
 * every Latin word was chosen. They stay where they are written in capitals among words that are not (`IT`, `US`, `WHO`,
 * `vitamin A`), and where they are tied to another word (`how-to`). A word for a kind of text at the end of a short question
 * counts as a stop word: the `doc` of `onboarding doc`.
 */
export function contentOf(question: string): Content {
  const normal = question.normalize("NFKC");
  const stopWords: string[] = [];
  const latinWords = normal.match(/[a-z][\w'’]*/gi)?.length ?? 0;
  const characters = normal.match(CHARACTER)?.length ?? 0;
  let text = characters > 0 ? normal.replace(QUESTION_WORDS, " ") : normal;
  if (latinWords > characters) {
    const capitals = /[a-z]/.test(normal);
    text = text.replace(WORD, (word, at: number, whole: string) => {
      if (!isStopWord(word, at, whole, capitals)) return word;
      stopWords.push(word);
      return " ";
    });
  }
  const kind = textKindOf(normal);
  if (kind !== "") {
    text = text.slice(0, text.lastIndexOf(kind));
    stopWords.push(kind);
  }
  const said = latinWords > 0 ? text : text.replace(PARTICLES, "");
  return SOMETHING.test(said)
    ? { text: text.replace(/[^\S\n]+/g, " ").trim(), stopWords, isEmpty: false }
    : { text: normal, stopWords: [], isEmpty: true };
}

/** `capitals`: whether capitals mean something, because the question has small letters too. */
function isStopWord(word: string, at: number, whole: string, capitals: boolean): boolean {
  if (!STOP_WORDS.has(word.toLowerCase().replaceAll("’", "'"))) return false;
  const before = whole.slice(Math.max(0, at - 8), at);
  const after = whole.slice(at + word.length, at + word.length + 8);
  if (TIE_BEFORE.test(before) || TIE_AFTER.test(after)) return false;
  if (!capitals || /[a-z]/.test(word) || STOPS_IN_CAPITALS.has(word)) return true;
  return word === "A" && /(?:^|[.!?:;]\s*)$/.test(before);
}

/**
 * Chinese question words, in simplified and traditional characters, and the particle 的. Other words that contain one of
 * them are kept: 几何, 十几年, 哪吒, 任何时候, 吗啡, 目的.
 *
 * nDCG@10 of BM25 without the question words: CMRC 2018 .986 -> .991, XQuAD-zh .968 -> .971; without 的 .973. Removing other
 * particles (了, 是, 在) improved nothing.
 */
const SOURCES: readonly string[] = [
  // what, with the copula it takes: 什么是…, …是什么
  "(?:指的是|是指|就是|是|叫做|叫)?(?:什么|什麼|什麽|甚么|甚麼|甚麽|啥)(?:时候|時候|意思|样的|樣的|样|樣|叫做|叫|是|的)?",
  // why
  "(?:是)?(?:为什么|為什麼|為什麽|为甚么|為甚麼|为啥|為啥|为何|為何)",
  // how
  "(?:应该|應該|该|該|是)?(?:怎么样|怎麼樣|怎麽樣|怎么办|怎麼辦|怎麽辦|怎么|怎麼|怎麽|怎样|怎樣|如何|咋样|咋樣|咋办|咋辦)",
  // how many, how much
  "(?:有)?多少",
  "(?:有)?多久",
  "有多(?=[大小高低远遠近长長短深浅淺宽寬窄快慢厚薄])",
  "(?<![十百千好])第?[几幾](?=[个個年月日次种種岁歲号號点點名位家条條场場集届屆人天分只隻座所部项項级級层層时時张張本首倍支款处處章节節期回段句篇季代路块塊元米])",
  // which, where
  "(?:在|是)?哪(?:一个|一個|一些|一种|一種|一位|个|個|些|里|裡|裏|儿|兒|位|种|種|(?![吒怕]))",
  // who
  "(?:是|由|被)?[谁誰]",
  // when, where, who, what kind, in written style
  "(?<![任几幾如奈])(?:于|於|在|是)?何(?:时|時|地|处|處|人|种|種|事|物|方|以)",
  // whether
  "是否|能否|可否|是不是|有没有|有沒有|能不能|会不会|會不會|可不可以",
  // particles at the end of a question
  "[吗嗎呢](?![\\p{L}\\p{N}])",
  // politeness
  "请问|請問|(?:请|請)?告诉我|(?:请|請)?告訴我|我想(?:知道|了解|瞭解)",
  // the particle
  "(?<![目标標有])的(?![士确確放])",
];

/** See {@linkcode SOURCES}; to be used on text in NFKC. */
const QUESTION_WORDS: RegExp = new RegExp(SOURCES.join("|"), "gu");

/**
 * Weight of English stop words. It is not 0, so that texts with "World War I" or "for loop" still rank before others.
 * nDCG@10 of BM25 with weights 1, .2 and 0: Cranfield .386, .396, .393; XQuAD-en .971, .972, .971.
 */
export const STOP_WORD_WEIGHT = 0.2;

/**
 * English stop words: articles, pronouns, auxiliaries, prepositions, conjunctions, question words, and words of politeness.
 * `not`, `no`, `without` and `never` are missing, because they carry the meaning in "not found" and "without a password".
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  myself yourself himself herself itself ourselves themselves
  am is are was were be been being do does did doing done have has had having
  can could shall should will would may might must ought
  of in on at by to for from with as into onto upon about
  and or but if so than then
  what which who whom whose when where why how whether
  there here also just very too such some any each both
  please
  what's who's where's when's why's how's that's there's here's it's he's she's let's
  i'm i'd i'll i've you're you'd you'll you've we're we'd we'll we've they're they'd they'll they've
  he'd he'll she'd she'll it'd it'll`.split(/\s+/),
);

/** Words of a question at most that is a name for a text rather than a sentence. */
const FEW_WORDS = 4;
/** Chinese characters of such a question at most. */
const FEW_CHARACTERS = 8;

const WORDS = /[\p{L}\p{N}_]+/gu;
const KIND =
  /(?<=[\p{L}\p{N}]\s*)(?:\b(?:docs?|documents?|documentation|notes?|readme)\b|文档|笔记|资料)(?=[^\p{L}\p{N}]*$)/iu;

/**
 * Returns the last word of a short question if it names a kind of text, such as `doc` in `onboarding doc` and 文档 in 入职文档;
 * else an empty text. It says which file is wanted, and the file itself seldom contains it. `file` and 文件 are no such words:
 * they are mostly part of a term (`swap file`).
 */
function textKindOf(question: string): string {
  if (question.length > 80 || (question.match(WORDS)?.length ?? 0) > FEW_WORDS) return "";
  if ((question.match(/\p{Script=Han}/gu)?.length ?? 0) > FEW_CHARACTERS) return "";
  return KIND.exec(question)?.[0] ?? "";
}

/** A word of a query that belongs to a group, and the other words of the group. */
interface Expansion {
  readonly word: string;
  readonly others: readonly string[];
}

/** Groups of words that mean the same. */
export class Synonyms {
  readonly #tokenizer: Tokenizer;
  readonly #groups: readonly (readonly { readonly word: string; readonly stems: string }[])[];

  constructor(tokenizer: Tokenizer, groups: readonly (readonly string[])[]) {
    this.#tokenizer = tokenizer;
    this.#groups = groups.map((group) => group.map((word) => ({ word, stems: this.#stemsOf(word) })));
  }

  /**
   * Returns the words of groups that `text` contains, one for each group. English words match in any form of the stem,
   * Chinese words wherever their characters follow each other.
   */
  in(text: string): Expansion[] {
    if (this.#groups.length === 0) return [];
    const stems = this.#stemsOf(text);
    return this.#groups.flatMap((group) => {
      // A word that is only punctuation becomes a single space.
      const held = group.filter((entry) => entry.stems.length > 1 && stems.includes(entry.stems));
      const others = group.filter((entry) => !held.includes(entry)).map(({ word }) => word);
      return held.length === 0 || others.length === 0 ? [] : [{ word: held[0]!.word, others }];
    });
  }

  /**
   * Returns the stems of the words and the Chinese characters, each between spaces, so that substrings match only whole
   * words.
   */
  #stemsOf(text: string): string {
    const stems = wordParts(this.#tokenizer.fold(text)).map((part) =>
      this.#tokenizer.tokenize(part)[0] ?? part
    );
    return ` ${stems.map((stem) => `${stem} `).join("")}`;
  }
}

/** A word of one of the scripts that are written without spaces. */
const UNSPACED_WORD = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/**
 * Returns the pairs of characters that are the end of one word and the start of the next: 署到 and 到服 in 部署到服务器. A text need
 * not have them to answer. Pairs of two words of one character are left out, because most of them are part of a name or a word that the
 * dictionary of `Intl.Segmenter` lacks. `text`: in simplified characters.
 */
export function crossingPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  if (!/\p{Script=Han}/u.test(text)) return pairs;
  const words = Array.from(
    new Intl.Segmenter("zh", { granularity: "word" }).segment(text),
    ({ segment }) => segment,
  );
  const inside = words.join(" ");
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? "";
    if (!UNSPACED_WORD.test(word) || !UNSPACED_WORD.test(next)) continue;
    const [before, after] = [[...word], [...next]];
    const pair = `${before.at(-1)}${after[0]}`;
    if (before.length + after.length > 2 && !inside.includes(pair)) pairs.add(pair);
  }
  return pairs;
}
