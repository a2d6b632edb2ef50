/**
 * The sentences of an answer and of passages.
 */

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Marks of sources that assistants write: [1], [2, 3], 【1】, [^1]. */
const CITATION = /\[\^?\d{1,3}(?:[,，\-–] ?\d{1,3})*\]|【\d{1,3}[^】]{0,40}】/g;

/** A file and its lines as a source: [tea.md:12-40], (notes/tea.md:12). */
const CITED_LINES = /[[(（【][^[\](){}（）【】\n]{1,200}\.\w{1,8}:\d{1,7}(?:[-–]\d{1,7})?[\])）】]/g;

/** A link of Markdown, whose text is part of the sentence. */
const LINK = /!?\[([^[\]\n]{0,300})\]\([^()\s]{0,500}\)/g;

/** Matches the marks before the words of a line: of lists, headings and quotes, and numbers of lists. */
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
        // Most parts have a common letter: the pattern for all takes V8 a millisecond to compile.
        if (/[a-z\d一-鿿]/i.test(part) || /[\p{L}\p{N}]/u.test(part)) spans.push({ start, end });
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

/**
 * Groups of three digits with a narrow or fixed space or an apostrophe between them, as in French, Swiss and scientific texts. A plain space
 * may stand between two numbers: it counts with two groups, or in the midst of words.
 */
const GROUPED =
  /(?<![\d.,][  \u00a0\u2009\u202f'’]?)\d{1,3}(?:(?:[\u00a0\u2009\u202f'’]\d{3})+|(?: \d{3}){2,}|(?<=\p{L} \d{1,3}) \d{3}(?= \p{Ll}))(?![\d'’]|[., ]\d)/gu;

/** Matches the whole of a text that may have one. */
const MAY_BE_GROUPED = /^.*\d[ \u00a0\u2009\u202f'’]\d{3}.*$/s;

/** Returns a sentence in NFKC without marks of sources, of links and of emphasis, and with commas in large numbers. */
export function plainSentence(sentence: string): string {
  return sentence.replace(LINK, "$1").replace(CITATION, " ").replace(CITED_LINES, " ")
    .replace(/\*\*|__|`/g, "")
    .replace(MAY_BE_GROUPED, (text) => text.replace(GROUPED, (number) => number.replace(/\D/g, ",")))
    .normalize("NFKC").replace(/\s+/g, " ").trim();
}

/** How an answer says in lower case where a statement comes from: "according to the documents,", 根据文档，. */
const ATTRIBUTION =
  /^(?:(?:according to|based on|as (?:stated|mentioned|noted|described) in) (?:(?:the|these|your|all|provided|given|retrieved) ){0,3}(?:documents?|passages?|sources?|files?|texts?|context|excerpts?|search results?|knowledge base)(?: provided| above)?, |(?:根据|依据|按照|据)(?:所?(?:提供|给出|检索到|上传)的|上述|这些|以上|您的|相关){0,2}(?:文档|文件|资料|材料|片段|原文|上下文|知识库|检索结果)(?:中?的?(?:内容|信息|记载|说明))?,)/;

/** Returns a statement of an answer as {@linkcode plainSentence} does, without the words that only name its source. */
export function plainStatement(sentence: string): string {
  const plain = plainSentence(sentence);
  if (!/^(?:according|based|as |[根依按据])/i.test(plain)) return plain;
  const attribution = ATTRIBUTION.exec(plain.toLowerCase())?.[0] ?? "";
  return plain.slice(attribution.length).trimStart();
}
