import type { BlockSink } from "../writer/cell_builder.ts";
import type { ListItem, MarkdownBuilder } from "../writer/markdown_builder.ts";

/** A sink for a quotation. Its headings become bold paragraphs, since they must not open sections. */
export class QuoteSink implements BlockSink {
  constructor(private readonly builder: MarkdownBuilder) {}

  heading(_level: number, title: string): void {
    this.builder.paragraph(`**${title}**`);
  }

  paragraph(text: string): void {
    this.builder.paragraph(text);
  }

  block(markdown: string): void {
    this.builder.block(markdown);
  }

  item(item: ListItem): void {
    this.builder.item(item);
  }

  code(text: string, language?: string): void {
    this.builder.code(text, language);
  }

  table(rows: readonly (readonly string[])[]): void {
    this.builder.table(rows);
  }

  image(caption?: string): void {
    this.builder.image(caption);
  }
}
