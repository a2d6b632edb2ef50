import type { Document, Metadata } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import { codeText } from "./code_text.ts";
import { blockText } from "./headings.ts";
import { joinLines, toMarkdown } from "./join_lines.ts";
import { LEADERS } from "./leaders.ts";
import { piecesOf, textOf } from "./line_text.ts";
import { listMarker } from "./list_marker.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** Writes the blocks of all pages as Markdown. */
export function writeDocument(
  pages: readonly PageBlocks[],
  headings: ReadonlyMap<TextBlock, number>,
  { title, metadata }: { readonly title?: string; readonly metadata: Metadata },
): Document {
  const builder = new MarkdownBuilder();
  const emptyPages: number[] = [];
  const words = vocabularyOf(pages);
  for (const { page, blocks } of pages) {
    builder.page(page);
    const before = builder.length;
    const depths = new Depths();
    for (const block of blocks) {
      if (block.kind === "table") builder.table(block.table.rows);
      else writeText(builder, block, headings.get(block), depths.of(block), words);
    }
    if (builder.length === before) emptyPages.push(page);
  }
  return builder.finish({ title, metadata, emptyPages });
}

function writeText(
  builder: MarkdownBuilder,
  block: TextBlock,
  level: number | undefined,
  depth: number,
  words: ReadonlySet<string>,
): void {
  if (level !== undefined) {
    builder.heading(level, blockText(block));
    return;
  }
  if (block.kind === "code") {
    const code = codeText(block.lines);
    // A defined term, or a name on a line by itself.
    if (/^[\w .:-]{1,40}$/.test(code)) builder.paragraph(code);
    else builder.code(code);
    return;
  }
  if (block.lines.some((line) => LEADERS.test(textOf(line)))) {
    builder.paragraph(
      block.lines.map((line) => toMarkdown(piecesOf(line)).replace(LEADERS, " … ").replace(/ {2,}/g, " "))
        .join("\n"),
    );
    return;
  }
  const markdown = toMarkdown(joinLines(block.lines.map(piecesOf), words));
  const marker = listMarker(markdown);
  if (marker === undefined || marker.length === 0) builder.paragraph(markdown);
  else {
    builder.item({
      depth,
      ...(marker.number === undefined ? {} : { number: marker.number }),
      text: markdown.slice(marker.length),
    });
  }
}

/** Nesting levels of consecutive list items, by indentation. */
class Depths {
  #lefts: number[] = [];

  /** Returns the level of a block; 0 for a block that is not a list item, after which lists start again. */
  of(block: Block): number {
    if (block.kind !== "text" || listMarker(textOf(block.lines[0]!)) === undefined) {
      this.#lefts = [];
      return 0;
    }
    const { left, size } = block.lines[0]!;
    while (this.#lefts.length > 0 && left < this.#lefts.at(-1)! - 0.5 * size) this.#lefts.pop();
    if (this.#lefts.length === 0 || left > this.#lefts.at(-1)! + 0.5 * size) this.#lefts.push(left);
    return this.#lefts.length - 1;
  }
}
