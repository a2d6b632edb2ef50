import type { BlockSink } from "../writer/cell_builder.ts";
import { BREAK, joinBlanks, type Piece, renderInline } from "./inline.ts";

/** Collects the pieces of a line until it ends, and the lines of a list item until that ends. */
export class Writer {
  readonly #sink: BlockSink;
  #line: Piece[] = [];
  #item: { readonly depth: number; readonly number?: number; readonly lines: string[] } | undefined;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  /** Whether a list item is open. */
  get inItem(): boolean {
    return this.#item !== undefined;
  }

  /** Whether the line contains only blanks. */
  get isBlank(): boolean {
    return this.#line.every((piece) => typeof piece === "string" && piece.trim() === "");
  }

  push(piece: Piece): void {
    if (piece !== "") this.#line.push(piece);
  }

  /** Adds a text, with every run of blanks joined to one. */
  text(text: string): void {
    this.push(joinBlanks(text));
  }

  breakLine(): void {
    this.#line.push(BREAK);
  }

  /** Removes the pending line and returns it as plain text. */
  takePlain(): string {
    const text = renderInline(this.#line, { plain: true });
    this.#line = [];
    return text;
  }

  /** Ends the line. It becomes a paragraph, or a line of the open list item. */
  endLine(): void {
    if (this.#line.length === 0) return;
    const text = renderInline(this.#line);
    this.#line = [];
    if (text === "") return;
    if (this.#item === undefined) this.#sink.paragraph(text);
    else this.#item.lines.push(text);
  }

  openItem(depth: number, number?: number): void {
    this.endItem();
    this.#item = { depth, lines: [], ...(number === undefined ? {} : { number }) };
  }

  /** Ends the line and the list item, if one is open. */
  endItem(): void {
    this.endLine();
    const item = this.#item;
    this.#item = undefined;
    if (item === undefined || item.lines.length === 0) return;
    const { depth, number, lines } = item;
    this.#sink.item({ depth, text: lines.join("\n"), ...(number === undefined ? {} : { number }) });
  }
}
