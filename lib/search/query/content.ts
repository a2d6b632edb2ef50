import { CJK } from "../../index/mod.ts";
import { QUESTION_WORDS } from "./question_words.ts";
import { STOP_WORDS } from "./stop_words.ts";
import { textKindOf } from "./text_kinds.ts";

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
