/**
 * The sentences of an answer and of passages.
 */

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether the line at an offset is a heading of Markdown. */
export function isHeading(text: string, at: number): boolean {
  return /^ {0,3}#{1,6} /.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at + 1));
}

/** Marks of sources that assistants write: [1], [2, 3], 【1】, [^1]. */
const CITATION = /\[\^?\d{1,3}(?:[,，\-–] ?\d{1,3})*\]|【\d{1,3}[^】]{0,40}】/g;

/** What stands before the words of a line: list markers, marks of headings and quotes, numbers of lists. */
const LEAD = /^(?:[ \t>#•·|]|[-*+–](?=[ \t])|\(?\d{1,3}[.)、）](?!\d))+/;

/** A full stop after one of these ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(“"])(?:[A-Z]|[Mm]rs?|[Dd]r|[Pp]rof|[Ss]t|[Nn]o|[Ff]ig|[Ee]q|vs|cf|approx|ca|Inc|Ltd|Co|Corp|Jr|Sr|e\.g|i\.e|al|U\.S|U\.K|a\.m|p\.m|Gen|Col|Rep|Sen|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/;

/** Units of a sentence at most; what is longer is cut. */
const LONGEST = 2000;

/** Returns the sentences of a text, line by line, without the marks of lists, headings and sources. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n\r]+/g)) {
    let from = LEAD.exec(line)?.[0].length ?? 0;
    const add = (to: number) => {
      for (let at = from; at < to; at += LONGEST) {
        const part = line.slice(at, Math.min(to, at + LONGEST));
        const start = index + at + part.length - part.trimStart().length;
        const end = index + at + part.trimEnd().length;
        if (/[\p{L}\p{N}]/u.test(part)) spans.push({ start, end });
      }
      from = to;
    };
    for (
      const { index: at, 0: mark } of line.matchAll(
        /[。！？；!?]+["'”’」』）)]*|[.;]["'”’)]*(?=\s|\[\^?\d|【|$)/g,
      )
    ) {
      const to = at + mark.length;
      if (mark.startsWith(".") && ABBREVIATION.test(line.slice(Math.max(0, at - 8), at + 1))) continue;
      // A source behind the full stop belongs to the sentence before it.
      const cited = /^(?:\s?(?:\[\^?\d{1,3}(?:[,，\-–] ?\d{1,3})*\]|【\d{1,3}[^】]{0,40}】))+/.exec(
        line.slice(to, to + 80),
      )?.[0].length ?? 0;
      add(to + cited);
    }
    add(line.length);
  }
  return spans;
}

/** Returns a sentence in NFKC without marks of sources and of emphasis. */
export function plainSentence(sentence: string): string {
  return sentence.replace(CITATION, " ").replace(/\*\*|__|`/g, "").normalize("NFKC").replace(/\s+/g, " ")
    .trim();
}
