import type { ListItem, MarkdownBuilder } from "../markdown_builder.ts";

/** Where the blocks of a page go: the document, or a cell of a table. */
export type Sink = Pick<
  MarkdownBuilder,
  "heading" | "paragraph" | "block" | "item" | "code" | "table" | "image"
>;

/** Puts blocks into one line, as a table's cell needs it. */
export class CellSink implements Sink {
  readonly #parts: string[] = [];

  get line(): string {
    return this.#parts.join(" ");
  }

  heading(_level: number, title: string): void {
    this.#add(title);
  }

  paragraph(text: string): void {
    this.#add(text);
  }

  block(markdown: string): void {
    this.#add(markdown.replace(/^> ?/gm, ""));
  }

  item({ number, text }: ListItem): void {
    this.#add(`${number === undefined ? "-" : `${number}.`} ${text}`);
  }

  code(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (line !== "") this.#add(line.includes("`") ? line : `\`${line}\``);
  }

  table(rows: readonly (readonly string[])[]): void {
    this.#add(rows.map((row) => row.filter((cell) => cell !== "").join(" ")).join("; "));
  }

  image(caption = ""): void {
    if (caption !== "") this.#add(`![${caption}]()`);
  }

  #add(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (line !== "") this.#parts.push(line);
  }
}

/** Blocks of a quotation, whose headings open no sections. */
export class QuoteSink implements Sink {
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
