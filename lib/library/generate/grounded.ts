/**
 * Whether a text of a language model says only what its source can say: no number, date, unit, name or identifier that is not
 * there. Values are compared as the check of answers compares them, so 三成 stands for 30 %; words may be others than those of
 * the source, as long as they are no names.
 */
import { relation, sentencesOf, valuesIn, type Word, Words, type WrittenValue } from "#engine/support/mod.ts";
import type { Table, WordFinder } from "#models/embedding/mod.ts";

/** UTF-16 units of a source that are compared. Chunks are shorter. */
const MOST_SOURCE = 60_000;
/** Weight from which a Chinese word may be a name: it looks like any other (微软 weighs 10.4, 上海市 10.3). */
const RARE_HAN = 10;
/** Least sameness of a word with one of the source by a translation. */
const SAME = 0.3;

/** Compares texts with their sources. Keeps state between calls: use one for each thread. */
export class Grounding {
  readonly #words: Words;

  /** `finder`: of the same table. */
  constructor(table: Table, finder: WordFinder) {
    this.#words = new Words(table, finder);
  }

  /** Prepares a source for several texts. */
  of(source: string): GroundedTexts {
    return new GroundedTexts(this.#words, source);
  }
}

/** The texts that a source supports. */
export class GroundedTexts {
  readonly #words: Words;
  readonly #values: readonly WrittenValue[];
  readonly #terms: ReadonlyMap<string, Word>;
  /** The source in lower case, for names that the table cuts in another way. */
  readonly #lower: string;

  constructor(words: Words, source: string) {
    this.#words = words;
    const plain = source.slice(0, MOST_SOURCE).toWellFormed().normalize("NFKC");
    this.#values = sentencesOf(plain).flatMap(({ start, end }) => valuesIn(plain.slice(start, end)));
    this.#terms = new Map(words.of(plain).map((word) => [word.term, word]));
    this.#lower = plain.toLowerCase();
  }

  /** Returns a text if everything in it is grounded. */
  whole(text: string): string | undefined {
    return text !== "" && this.#foreignTo(text) === undefined ? text : undefined;
  }

  /** Returns the sentences of a text that are grounded; `undefined` if there are none. */
  sentences(text: string): string | undefined {
    const kept = sentencesOf(text).map(({ start, end }) => text.slice(start, end))
      .filter((sentence) => this.#foreignTo(sentence) === undefined);
    if (kept.length === 0) return undefined;
    return kept.join(/\p{Script=Han}/u.test(kept[0]!) ? "" : " ");
  }

  /** Whether the source has all names of a text: those that are surely names. Rare Chinese words and first words of sentences may be none. */
  hasNames(text: string): boolean {
    const plain = text.normalize("NFKC");
    return this.#foreignName(plain, valuesIn(plain), { isSure: true }) === undefined;
  }

  /** Returns the first value, identifier or name that the source does not have. */
  #foreignTo(text: string): string | undefined {
    const plain = text.normalize("NFKC");
    const values = valuesIn(plain);
    const foreign = values.find((value) => !value.isLoose && !this.#hasValue(value));
    return foreign === undefined ? this.#foreignName(plain, values) : foreign.text;
  }

  #foreignName(plain: string, values: readonly WrittenValue[], { isSure = false } = {}): string | undefined {
    const identifier = plain.match(IDENTIFIER)?.find((name) => !this.#lower.includes(name.toLowerCase()));
    if (identifier !== undefined) return identifier;
    const isOutside = ({ start, end }: Word) => !values.some((one) => one.start < end && start < one.end);
    const words = this.#words.of(plain).filter(isOutside);
    const isSurely = (word: Word, i: number) => {
      if (isRareHan(word) && SURNAMES.has(word.term.charAt(0))) return true;
      return this.#isName(word, plain, words, i) && (word.isHan || word.id < 0 || !isFirst(word, plain));
    };
    const isName = (word: Word, i: number) =>
      this.#isName(word, plain, words, i) || isRareHan(word) && !GENERIC.has(word.term);
    const isWanted = isSure ? isSurely : isName;
    return words.find((word, i) => isWanted(word, i) && !this.#hasWord(word, plain))?.term;
  }

  #hasValue(claimed: WrittenValue): boolean {
    // A bound or "about" makes no other number the same.
    const { bound: _, ...exact } = { ...claimed, rounded: false };
    return this.#values.some((value) => relation(exact, value) === "same") ||
      this.#lower.includes(claimed.text.toLowerCase()) && claimed.value.kind === "code";
  }

  #isName(word: Word, text: string, words: readonly Word[], i: number): boolean {
    if (GENERIC.has(word.term)) return false;
    if (word.isHan) return word.isName || isPartOfHanName(words, i);
    const written = text.slice(word.start, word.end);
    if (/\d/.test(written) || /\p{Ll}\p{Lu}|\p{Lu}{2}/u.test(written)) return true;
    return /^\p{Lu}/u.test(written) && word.weight > 0 && !(isFirst(word, text) && OPENING.test(written));
  }

  #hasWord(word: Word, text: string): boolean {
    if (this.#terms.has(word.term)) return true;
    const written = text.slice(word.start, word.end).toLowerCase();
    if (this.#lower.includes(written)) return true;
    if (word.id < 0) return false;
    // 水温 for 热水: a name has hardly a character in common with the source by chance.
    if (word.isHan && !word.isName) {
      const known = Array.from(word.term).filter((character) => this.#lower.includes(character)).length;
      if (known >= word.term.length / 2) return true;
    }
    // 北京 and 上海 have translations in common, but name two things.
    return this.#terms.values().some((other) =>
      (!word.isName || word.isHan !== other.isHan) && this.#words.sameness(word, other) >= SAME
    );
  }
}

/** Names of settings, functions and files, whose parts are words: `max_flow`, `pump.yaml`. */
const IDENTIFIER = /[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+|[\p{L}\p{N}]{2,}(?:\.[\p{L}\p{N}]{2,})+/gu;

/** Words that say what kind of text the source is, or ask about it, and name nothing. */
const GENERIC: ReadonlySet<string> = new Set(
  ("how what why when where which who explain describ list show summari compar defin overview introduct guid instruct step setup usag exampl note tip " +
    "faq question answer detail summari purpos reason featur benefit requir rule topic section document passag text tabl " +
    "步骤 方法 说明 概述 介绍 简介 常见 问题 常见问题 故障 排查 指南 设置 配置 使用 用法 如何 怎么 怎样 什么 为什么 哪些 多少 是否 何时 原因 目的 特点 优点 缺点 要求 规则 规定 主题 摘要 " +
    "总结 概览 描述 解释 列出 对比 比较 定义 示例 例子 注意 事项 注意事项 提示 作用 功能 流程 过程 条件 内容 文档 片段 章节 表格")
    .split(" "),
);

function isRareHan({ isHan, weight, term }: Word): boolean {
  return isHan && weight >= RARE_HAN && term.length > 1;
}

/** The first word of a sentence has a capital letter anyway. With these endings it is no name. */
const OPENING =
  /(?:tion|sion|ment|ness|ance|ence|able|ible|ally|ful|ous|ive|ize|ise|ify|ed|[a-z]{3}ing|[a-z]{3}ly|ers|ors)$/;

function isFirst({ start }: Word, text: string): boolean {
  return start === 0 || /[.!?:;。！？：；"“(]\s*$/.test(text.slice(Math.max(0, start - 4), start));
}

const SURNAMES = new Set(
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖贾韦夏付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤",
);

/** Whether a single character stands beside others after a surname: 张伟 is in no table. */
function isPartOfHanName(words: readonly Word[], i: number): boolean {
  const at = (place: number, other: Word | undefined) =>
    other !== undefined && other.isHan && other.term.length === 1 && place >= 0;
  const word = words[i]!, next = words[i + 1];
  return SURNAMES.has(word.term) && at(i, next) && next!.start === word.end && next!.weight > 0;
}
