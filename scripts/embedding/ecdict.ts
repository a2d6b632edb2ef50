import Papa from "papaparse";

/** An English word or phrase with its Chinese translations. */
export interface EcdictEntry {
  readonly phrase: string;
  /** Rank of a word by frequency, counted from 1; 0 if it is not known, as for all phrases. */
  readonly rank: number;
  /** Chinese words, in the order of the dictionary. */
  readonly chinese: readonly ChineseSense[];
}

/** A Chinese word, and its place in the line of the dictionary. Each part of speech and subject has a line. */
export interface ChineseSense {
  readonly word: string;
  readonly place: number;
}

/** Words after this place in a line of the dictionary are left out. */
const MOST_SENSES = 6;
/** A part of speech, a subject such as `[计]`, and remarks in parentheses. */
const NOT_WORDS = /^\s*[a-z]+\.|\[[^\]]*\]|〔[^〕]*〕|\([^)]*\)|（[^）]*）|<[^>]*>/gi;
const HAN = /^[\u3400-\u9fff]{1,8}$/;
const ASCII = /^[\x20-\x7e]+$/;

/**
 * Reads ECDICT's CSV. Only Chinese words of at most eight characters count, and lines that were collected from the web are
 * left out. `fold` returns the simplified form of a word.
 */
export function parseEcdict(csv: string, fold: (word: string) => string): EcdictEntry[] {
  const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
  return data.flatMap(({ word: phrase = "", translation = "", bnc = "", frq = "" }) => {
    if (!ASCII.test(phrase)) return [];
    const ranks = [bnc, frq].map(Number).filter((rank) => rank > 0);
    const chinese = translation.split(/\\n|\n/).filter((line) => !line.includes("[网络]")).flatMap((line) =>
      chineseWords(line, fold)
    );
    return chinese.length === 0
      ? []
      : [{ phrase, rank: ranks.length === 0 ? 0 : Math.min(...ranks), chinese }];
  });
}

function chineseWords(line: string, fold: (word: string) => string): ChineseSense[] {
  return line.replace(NOT_WORDS, "").split(/[；;，,、。:：\s/]+/)
    .map((part) => withoutEnding(fold(part)))
    .filter((word) => HAN.test(word))
    .slice(0, MOST_SENSES)
    .map((word, place) => ({ word, place }));
}

/** Returns 快速 for 快速的: texts have the adjective without the ending too. */
function withoutEnding(word: string): string {
  return word.length > 2 && word.endsWith("的") ? word.slice(0, -1) : word;
}
