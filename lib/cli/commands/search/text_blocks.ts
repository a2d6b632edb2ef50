import type { Hit } from "../../../search/mod.ts";

/** A line or a paragraph of a passage, as offsets in UTF-16 units. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Files whose texts are prose, where a line break within a paragraph means nothing. Documents are read as Markdown. */
const PROSE =
  /\.(?:md|markdown|mdx|txt|text|rst|adoc|org|tex|pdf|docx?|odt|rtf|html?|xhtml|mhtml|epub|eml|msg|mbox|pptx?)$/i;

/** Columns of a line that may have been broken because the next word did not fit. */
const BROKEN_FROM = 50;
/** Starts of lines that begin something new: lists, tables, headings, quotations, code. */
const NEW = /^(?:\s|[-*+•|#>=~]|\d+[.)、]|```)/;

/** The line before a block of code in Markdown. */
const FENCE = /^\s*(?:`{3,}|~{3,})\w*\s*$/;

/** The lines of a text, without their line ends. */
export function linesOf(text: string): Block[] {
  const lines: Block[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** The lines of a passage that hold a letter or a digit. In prose, the lines of a paragraph are joined. */
export function blocksOf({ content, filePath }: Pick<Hit, "content" | "filePath">): Block[] {
  const isProse = PROSE.test(filePath);
  const blocks: Block[] = [];
  let before = "";
  for (const { start, end } of linesOf(content)) {
    const line = content.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(line) && !FENCE.test(line)) {
      const last = blocks.at(-1);
      if (isProse && last !== undefined && continues(before, line)) {
        blocks[blocks.length - 1] = { start: last.start, end };
      } else blocks.push({ start, end });
    }
    before = line;
  }
  return blocks;
}

function continues(before: string, line: string): boolean {
  return before.length >= BROKEN_FROM / (/^[^\p{ASCII}]/u.test(before.trim()) ? 2 : 1) && !NEW.test(line) &&
    !/^[|#]|\|$/.test(before.trim());
}
