import type { ListItem, MarkdownBuilder } from "./markdown_builder.ts";

/** A target for blocks: a document, or a cell of a table. */
export type BlockSink = Pick<
  MarkdownBuilder,
  "heading" | "paragraph" | "block" | "item" | "code" | "table" | "image"
>;

/** Writes the blocks in a table cell on one line, since a cell of a Markdown table has only one. */
export class CellBuilder implements BlockSink {
  readonly #parts: string[] = [];

  heading(_level: number, title: string): void {
    this.#add(title);
  }

  paragraph(text: string): void {
    this.#add(text);
  }

  block(markdown: string): void {
    this.#add(markdown);
  }

  item({ number, text }: ListItem): void {
    if (text.trim() !== "") this.#add(`${number === undefined ? "-" : `${number}.`} ${text}`);
  }

  code(text: string): void {
    this.#add(text);
  }

  table(rows: readonly (readonly string[])[]): void {
    for (const row of rows) for (const cell of row) this.#add(cell);
  }

  image(caption?: string): void {
    const text = (caption ?? "").replace(/[[\]]|\s+/g, " ").trim();
    if (text !== "") this.#add(`![${text}]()`);
  }

  toString(): string {
    return this.#parts.join(" ");
  }

  #add(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (line !== "") this.#parts.push(line);
  }
}
