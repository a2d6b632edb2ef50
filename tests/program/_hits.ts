import { Tokenizer } from "#engine/index/mod.ts";
import type { Hit, SearchAnswer } from "#library/search/mod.ts";
import { MarkFinder } from "#library/search/find_marks.ts";
import type { Style } from "#program/terminal_text.ts";

const same = (text: string) => text;

/** A style without sequences. Words that were searched for stand in «». */
export const PLAIN: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  match: (text) => `«${text}»`,
};

/** A hit with marks at the words of `query`. */
export function hit(query: string, given: Partial<Hit> & Pick<Hit, "filePath" | "content">): Hit {
  const tokenizer = new Tokenizer();
  const terms = new Map(
    tokenizer.queryTerms(query).filter(({ weight }) => weight === 1).map((
      { term, weight },
    ) => [term, weight]),
  );
  const finder = new MarkFinder(tokenizer);
  const marksOf = (text: string) => finder.find(text, { terms, words: new Map() });
  return {
    chunkId: "0123456789abcdef",
    score: 1,
    degree: "high",
    startLine: 1,
    endLine: 1 + given.content.trimEnd().split("\n").length - 1,
    section: [],
    marks: marksOf(given.content),
    sectionMarks: (given.section ?? []).map(marksOf),
    ...given,
  };
}

/** An answer with these hits. */
export function answerOf(...hits: Hit[]): SearchAnswer {
  return { hits, seconds: 0.0123, notices: [] };
}
