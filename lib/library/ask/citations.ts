/** The numbers of passages that a model writes behind its sentences. */

/** `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1】`, `［1］`, `[passage 1]`, and the spaces before it; or code, which stays as it is. */
const CITED =
  /`[^`]*`|\s*(?:[[［【(（]\s?(?:passages?|sources?|片段|来源|资料|文献)[\s\-#]*(\d{1,3})\s?[\]］】)）]|[[［]\^?\s?(\d{1,3}(?:\s?[,，、;；\-–~]\s?\^?\d{1,3}){0,20})\s?[\]］](?!\()|【(\d{1,3})[^】]{0,40}】)/giu;

/** A sentence without the marks of its citations. */
export interface CitedSentence {
  readonly text: string;
  /** The numbers that passages have, each once, in their order in the sentence. */
  readonly numbers: readonly number[];
  /** The numbers that no passage has. */
  readonly unknown: readonly number[];
}

/** Stands for a citation that was taken out. No text that is shown has it. */
const TAKEN = "\0";

/** The full stop behind `2 a.m. [1].`, which the abbreviation has already. */
const STOP_TWICE = /(?<=[.!?。！？])\0+[.。](?=\s|$)/g;

/** Returns a sentence without its citations of passages, which are numbered from 1 to `count`. */
export function citationsIn(sentence: string, count: number): CitedSentence {
  const found = new Set<number>();
  const text = sentence.replace(CITED, (mark, named: string, listed: string, chinese: string) => {
    if (mark.startsWith("`")) return mark;
    for (const number of numbersIn(named ?? listed ?? chinese)) found.add(number);
    return TAKEN;
  }).replace(STOP_TWICE, "").replaceAll(TAKEN, "");
  const isKnown = (number: number) => number >= 1 && number <= count;
  return {
    text,
    numbers: [...found].filter(isKnown),
    unknown: [...found].filter((number) => !isKnown(number)),
  };
}

/** Numbers of a range at most. A longer one is its first and its last number. */
const LONGEST_RANGE = 20;

function numbersIn(list: string): number[] {
  return list.split(/[,，、;；]/).flatMap((part) => {
    const [from = 0, to = from] = part.match(/\d+/g)?.map(Number) ?? [];
    if (to < from || to - from >= LONGEST_RANGE) return [from, to];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}
