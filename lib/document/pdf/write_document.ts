import { MarkdownBuilder } from "../markdown_builder.ts";
import type { Document, Metadata } from "../types.ts";
import type { TextBlock } from "./blocks.ts";
import { codeText } from "./code_text.ts";
import { blockText, type PageBlocks } from "./headings.ts";
import { joinLines, toMarkdown } from "./join_lines.ts";
import { piecesOf } from "./line_text.ts";
import { listMarker } from "./list_marker.ts";

/** Writes the blocks of all pages as Markdown. */
export function writeDocument(
  pages: readonly PageBlocks[],
  headings: ReadonlyMap<TextBlock, number>,
  { title, metadata }: { readonly title?: string; readonly metadata: Metadata },
): Document {
  const builder = new MarkdownBuilder();
  const emptyPages: number[] = [];
  for (const { page, blocks } of pages) {
    builder.page(page);
    const before = builder.length;
    for (const block of blocks) {
      if (block.kind === "table") builder.table(block.table.rows);
      else writeText(builder, block, headings.get(block));
    }
    if (builder.length === before) emptyPages.push(page);
  }
  return builder.finish({ title, metadata, emptyPages });
}

function writeText(builder: MarkdownBuilder, block: TextBlock, level: number | undefined): void {
  if (level !== undefined) {
    builder.heading(level, blockText(block));
    return;
  }
  if (block.kind === "code") {
    builder.code(codeText(block.lines));
    return;
  }
  const markdown = toMarkdown(joinLines(block.lines.map(piecesOf)));
  const marker = listMarker(markdown);
  if (marker === undefined || marker.length === 0) builder.paragraph(markdown);
  else {
    const depth = Math.max(
      0,
      Math.min(5, Math.round((block.lines[0]!.left - block.column.left) / (2.2 * block.size)) - 1),
    );
    const text = markdown.slice(marker.length);
    builder.item({ depth, ...(marker.number === undefined ? {} : { number: marker.number }), text });
  }
}
