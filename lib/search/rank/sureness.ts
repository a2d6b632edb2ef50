import type { Table } from "../../embedding/mod.ts";
import { stemOfTerm, termsOfStem } from "../../index/mod.ts";

/** A wording of a word of the question in the other language. */
export interface Wording {
  /** A Chinese word, or an English index term. */
  readonly word: string;
  /** Score of the wording among all wordings of the word: 1 for the best. */
  readonly score: number;
  /** How likely the wording means what the question asks, from 0 to 1. */
  readonly sureness: number;
}

/**
 * Sureness of a wording that is not translated back: it is one word of a longer gloss, such as `look` for 抬头 (raise one's
 * head).
 */
const ONE_WAY = 0.2;

/** Returns the weight of an occurrence of a wording. Figures are in RANKING.md. */
export function occurrenceWeight({ score, sureness }: Wording): number {
  return 0.6 * score + 0.4 * sureness;
}

/** Returns the Chinese wordings of an English index term, or of a phrase of two or three joined by spaces. */
export function chineseWordings(phrase: string, table: Table): Wording[] {
  const stems = phrase.split(" ").map(stemOfTerm).join(" ");
  return table.toChinese(stems).map(({ word, score }) => {
    const back = stems.includes(" ")
      ? 1
      : table.toEnglish(table.find(word)).find((other) => other.word === stems)?.score ?? ONE_WAY;
    return { word, score, sureness: score * back };
  });
}

/** Returns the English wordings (index terms) of the Chinese word with this id. */
export function englishWordings(id: number, table: Table): Wording[] {
  const own = table.words.word(id);
  return table.toEnglish(id).flatMap(({ word: stem, score }) => {
    const back = table.toChinese(stem).find((other) => other.word === own)?.score ?? ONE_WAY;
    return termsOfStem(stem).map((word) => ({ word, score, sureness: score * back }));
  });
}
