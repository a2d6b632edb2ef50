/**
 * The words of a sentence with their weights, and whether two words mean the same: two words of one language that have a translation in
 * common do (`film`, `movie`), two that only stand in the same surroundings do not (`increase`, `decrease`), however near their vectors are.
 */
import { wordTerms } from "#engine/index/mod.ts";
import type { Table, WordFinder } from "#models/embedding/mod.ts";
import { isDividedPlace, isPlace, isSurname, soundOfSurname } from "./names.ts";
import { soundsOf } from "./sounds.ts";

/** A word of a sentence. */
export interface Word {
  /** Index term of a Latin word, simplified characters of a Chinese one. */
  readonly term: string;
  /** Number of the word in the table; negative for a word that it lacks. */
  readonly id: number;
  /** −ln of its probability in running text, at most {@linkcode MOST}; 0 for words of grammar. */
  readonly weight: number;
  /** Whether it looks like a name: a capital letter, or a word that the table lacks. */
  readonly isName: boolean;
  readonly isHan: boolean;
  /** Whether it is a Chinese name of a person or a part of one. */
  readonly isPerson?: true;
  /** Whether it turns a statement into its opposite. */
  readonly isNegation: boolean;
  /** Place in the sentence in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Weight of the rarest words, and of those that the table lacks. */
const MOST = 12;

const GRAMMAR = new Set(
  ("a an the of to in on at for by with from as and or but is are was were be been being it its this that these those he she they his her their him " +
    "them we us who whom whose which what there here has have had having do does did done will would can could should may might " +
    "must shall also so than then into about if while when where because since just very too both each own same s t d m re ve ll " +
    "的 了 在 是 和 与 及 也 都 就 而 并 对 为 以 将 被 从 到 由 于 等 这 那 他 她 它 我 你 们 他们 她们 它们 我们 你们 其 之 所 或 但 向 把 给 让 会 能 可以 已 已经 该 此 这个 那个 一个 一种 一些 还 又 着 过 地 得 而且 以及 因为 所以 如果 其中 通过 根据 进行 个 中 上 下 里 后 前 座 条 件 次 家 名 位 项 种 类 些 只 张 本 部 辆 台")
    .split(" "),
);

/** Words for the assistant and the reader. Statements about them stand in no document, unless it speaks of them too. */
const SPEAKER = new Set("i my me mine myself you your yours 我 我的 你 您 你的 您的".split(" "));
const SPEAKER_WEIGHT = 6;

/** Words that turn a statement into its opposite. */
const NEGATIONS = new Set(
  ("not no never cannot without neither nor none nobody nothing refuse refused refuses refusing fail failed fails failing unable incapable zero lack " +
    "lacks lacked deny denied denies decline declined reject rejected avoid avoided hardly barely instead 未 没 没有 不 不是 并非 非 无 未能 没能 不能 不会 不再 从未 " +
    "并未 不得 拒绝 否认 未曾 毫无 不可 不必 无法 无需 不曾 从不 绝不").split(" "),
);

/** Chinese characters, or letters and digits of other scripts. */
const RUN = /(\p{Script=Han}+)|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}'’])+/gu;
/** The same for text in Latin letters and Chinese only: V8 compiles it in a twentieth of the time. */
const LATIN_OR_HAN_RUN = /([々〇一-鿿]+)|['’\dA-Za-zÀ-ÖØ-öø-ʯ\u0300-\u036f]+/g;
const LATIN_OR_HAN =
  /^[\0-\u02af\u0300-\u036f\u2000-\u206f\u20a0-\u20bf\u2190-\u22ff\u3000-\u3003\u3005\u3007-\u3020\u4e00-\u9fff]*$/;

/** Finds the words of sentences and compares them. Keeps state between calls: use one for each thread. */
export class Words {
  readonly #table: Table;
  readonly #finder: WordFinder;
  readonly #translations = new Map<string, ReadonlyMap<string, number>>();
  readonly #sounds = new Map<string, readonly string[]>();
  /** Words in other letters than Chinese as they are written; `null` for marks only. */
  readonly #latin = new Map<string, Omit<Word, "start" | "end"> | null>();

  /** `finder`: of the same table. */
  constructor(table: Table, finder: WordFinder) {
    this.#table = table;
    this.#finder = finder;
  }

  /** Returns the words of a sentence in NFKC, those of grammar and negations too. */
  of(sentence: string): Word[] {
    const words: Word[] = [];
    const pattern = LATIN_OR_HAN.test(sentence) ? LATIN_OR_HAN_RUN : RUN;
    for (const { 0: run, 1: han, index } of sentence.matchAll(pattern)) {
      if (han === undefined) this.#addLatin(run, index, words);
      else this.#addHan(han, index, words);
    }
    return words;
  }

  #addHan(run: string, start: number, words: Word[]): void {
    const simple = this.#table.simplify(run);
    const parts: { readonly term: string; readonly id: number }[] = [];
    let from = 0;
    const add = (term: string, id: number) => {
      const before = parts.at(-1)?.term ?? "";
      if (before !== "" && isDividedPlace(before + term)) {
        parts[parts.length - 1] = { term: before + term, id: -1 };
      } else parts.push({ term, id });
      from += term.length;
    };
    for (const id of this.#finder.find(simple)) {
      const term = id < 0 ? "" : this.#table.words.word(id);
      // The table passes over characters that it lacks: each is a word of its own.
      while (from < simple.length && term !== "" && !simple.startsWith(term, from)) add(simple[from]!, -1);
      if (term !== "") add(term, this.#table.resolve(id));
    }
    while (from < simple.length) add(simple[from]!, -1);
    const weighed = parts.map(({ term, id }) => this.#weighed(term, id));
    const named = peopleIn(weighed, COUNTED.test(words.at(-1)?.term ?? ""));
    let at = start;
    for (const [i, word] of weighed.entries()) {
      const end = at + word.term.length;
      const isDivided = named.has(i);
      const isPerson = isDivided || this.#isPerson(word.term, word.id);
      words.push({
        ...word,
        // 张 is also a counter.
        weight: isDivided && word.weight === 0 ? SURNAME_WEIGHT : word.weight,
        isName: isPerson || word.isName,
        isHan: true,
        ...(isPerson && { isPerson }),
        isNegation: NEGATIONS.has(word.term),
        start: at,
        end,
      });
      at = end;
    }
  }

  /** Whether a word that the table has is the name of a person: 李娜 is translated as "Li Na". */
  #isPerson(term: string, id: number): boolean {
    const sound = term.length > 1 && term.length < 4 ? soundOfSurname(term[0]!) : undefined;
    return sound !== undefined && this.#table.toEnglish(id).some(({ word }) => word === sound);
  }

  #addLatin(run: string, start: number, words: Word[]): void {
    let known = this.#latin.get(run);
    if (known === undefined) {
      if (this.#latin.size > MAX_REMEMBERED) this.#latin.clear();
      this.#latin.set(run, known = this.#latinWord(run));
    }
    if (known !== null) words.push({ ...known, start, end: start + run.length });
  }

  #latinWord(run: string): Omit<Word, "start" | "end"> | null {
    const isNegated = /n['’]t$/i.test(run);
    const bare = /['’]/.test(run)
      ? run.replace(/['’](?:s|t|d|m|re|ve|ll)$/i, "").replace(/^['’]+|['’]+$/g, "")
      : run;
    if (bare === "") return null;
    const lower = bare.toLowerCase();
    const found = this.#table.find(lower);
    return {
      ...this.#weighed(lower, found < 0 ? this.#finder.find(bare)[0] ?? -1 : found),
      term: isNegated ? "not" : wordTerms(bare)[0] ?? lower,
      ...(isNegated ? { weight: 0 } : {}),
      isName: /^\p{Lu}/u.test(bare) && !GRAMMAR.has(lower),
      isHan: false,
      isNegation: isNegated || NEGATIONS.has(lower),
    };
  }

  #weighed(term: string, id: number): Pick<Word, "term" | "id" | "weight" | "isName"> {
    const isGrammar = GRAMMAR.has(term) || NEGATIONS.has(term);
    const weight = SPEAKER.has(term)
      ? SPEAKER_WEIGHT
      : isGrammar
      ? 0
      : id < 0
      ? MOST
      : Math.min(MOST, -Math.log(this.#table.p[id]! + 1e-6));
    return { term, id, weight, isName: id < 0 || isPlace(term) };
  }

  /** Returns how far two words mean the same, 0 to 1: 1 for the same word, else the score of their best common translation. */
  sameness(a: Word, b: Word): number {
    if (a.term === b.term) return 1;
    if (a.isHan !== b.isHan) {
      const [han, latin] = a.isHan ? [a, b] : [b, a];
      if (this.soundsOf(han).includes(latin.term)) return 1;
      const [toHan, toLatin] = [
        this.translationsOf(latin).get(han.term),
        this.translationsOf(han).get(latin.term),
      ];
      return Math.max(toHan ?? 0, isOfPerson(han) ? 0 : toLatin ?? 0);
    }
    if (isOfPerson(a) || isOfPerson(b)) return 0;
    if (beginAlike(a, b)) return ALIKE;
    if (isVague(a, b)) return 0;
    const [ofA, ofB] = [this.translationsOf(a), this.translationsOf(b)];
    let best = 0;
    for (const [word, score] of ofA) best = Math.max(best, Math.min(score, ofB.get(word) ?? 0));
    return best;
  }

  /** Returns how the Chinese name of a person is written in Latin letters, as terms: 建国 as jian, guo and jianguo. None for other words. */
  soundsOf({ term, isPerson }: Word): readonly string[] {
    if (!isPerson) return [];
    let known = this.#sounds.get(term);
    if (known === undefined) {
      const sounds = soundsOf(term) ?? [];
      known = [...new Set([...sounds, sounds.join("")])].flatMap((sound) => wordTerms(sound)[0] ?? []);
      if (this.#sounds.size > MAX_REMEMBERED) this.#sounds.clear();
      this.#sounds.set(term, known);
    }
    return known;
  }

  /** Returns the cosine of the vectors of two words. */
  cosine(a: Word, b: Word): number {
    return this.#table.cosine(a.id, b.id);
  }

  /** Returns the words of the other language for a word, with scores from 0 to 1. */
  translationsOf(word: Word): ReadonlyMap<string, number> {
    let known = this.#translations.get(word.term);
    if (known === undefined) {
      const found = word.isHan ? this.#table.toEnglish(word.id) : this.#table.toChinese(word.term);
      this.#translations.set(word.term, known = new Map(found.map(({ word, score }) => [word, score])));
      if (this.#translations.size > MAX_REMEMBERED) this.#translations.clear();
    }
    return known;
  }
}

const MAX_REMEMBERED = 20_000;

/** Whether a word is one character of a Chinese name, whose meaning says nothing. */
export function isOfPerson({ term, isHan, isName }: Word): boolean {
  return isHan && isName && term.length === 1;
}

const SURNAME_WEIGHT = 8;
/** Least weight of a given name of two characters. */
const GIVEN_WEIGHT = 9;
/** Before a counter: 两张, 3张. */
const COUNTED = /[\d一二两三四五六七八九十百千万几每这那整数]$/;

/** Returns the places of Chinese words that are names of people: a surname, and one or two characters or a word of two. */
function peopleIn(
  words: readonly Pick<Word, "term" | "weight">[],
  isCounted: boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, { term, weight }] of words.entries()) {
    const [given, more] = [words[i + 1], words[i + 2]];
    if (term.length > 1 || !isSurname(term) || given === undefined || given.weight === 0) continue;
    const before = words[i - 1]?.term;
    if (weight === 0 && (term !== "张" || (before === undefined ? isCounted : COUNTED.test(before)))) {
      continue;
    }
    if (given.term.length > 2 || given.term.length === 2 && given.weight < GIVEN_WEIGHT) continue;
    found.add(i).add(i + 1);
    if (given.term.length === 1 && more?.term.length === 1 && more.weight > 0) found.add(i + 2);
  }
  return found;
}

/** Whether one of two words is a single Chinese character and the other has more than two: 人 is no 负责人, though both are a "person". */
export function isVague({ term: a, isHan }: Word, { term: b }: Pick<Word, "term">): boolean {
  return isHan && (a.length === 1 ? b.length > 2 : b.length === 1 && a.length > 2);
}

/** Sameness of words of one family: `politics`, `politician`; 会议, 会. */
const ALIKE = 0.6;
const LEAST_ALIKE = 5;

function beginAlike(a: Word, b: Word): boolean {
  if (a.isHan) {
    if (a.weight === 0 || b.weight === 0) return false;
    const [short, long] = a.term.length < b.term.length ? [a.term, b.term] : [b.term, a.term];
    return long.startsWith(short) && !(short.length === 1 && isSurname(short));
  }
  const least = Math.min(a.term.length, b.term.length);
  if (least < LEAST_ALIKE || /\d/.test(a.term + b.term)) return false;
  let shared = 0;
  while (shared < least && a.term[shared] === b.term[shared]) shared++;
  return shared >= LEAST_ALIKE && shared >= least - 2;
}
