import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";
import { addLabelledItem } from "../writer/labelled_item.ts";
import { plainHeading } from "../writer/plain_heading.ts";

/** Properties of a paragraph, known at its end. */
export interface ParagraphEnd {
  /** Heading level from 1, 0 for the title, -1 for an entry of the table of contents. */
  readonly heading: number | undefined;
  readonly inTable: boolean;
  /** List level from 0. */
  readonly level: number;
}

const MOST_COLUMNS = 200;

/** Collects paragraphs and tables of a text: that of the document, or of a text box. */
export class Output {
  /** Text of the first paragraph with the style of a document title. */
  title: string | undefined;
  /** Inline Markdown of the open paragraph. */
  parts: string[] = [];
  /** Label of the open paragraph, if it is a list item. */
  label: string | undefined;
  /** Notes and comments to add after the open paragraph. */
  notes: string[] = [];
  pictures: (string | undefined)[] = [];
  readonly #sink: BlockSink;
  #rows: string[][] = [];
  #row: string[] = [];
  readonly #tableNotes: string[] = [];
  #cell: CellBuilder | undefined;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  paragraph(end: ParagraphEnd): void {
    if (end.inTable) return this.#write(this.#cell ??= new CellBuilder(), end);
    if (this.parts.length > 0 || this.pictures.length > 0) this.#endTable();
    this.#write(this.#sink, end);
    this.#addNotes(this.notes.splice(0));
  }

  endCell(end: ParagraphEnd): void {
    const cell = this.#cell ?? new CellBuilder();
    this.#write(cell, end);
    if (this.#row.length < MOST_COLUMNS) this.#row.push(cell.toString());
    this.#cell = undefined;
  }

  endRow(): void {
    if (this.#row.length > 0) this.#rows.push(this.#row);
    this.#row = [];
    this.#tableNotes.push(...this.notes.splice(0));
  }

  /** Adds the paragraphs and tables that are still pending. */
  finish(end: ParagraphEnd): void {
    if (this.#cell !== undefined) this.endCell(end);
    else this.paragraph({ ...end, inTable: false });
    this.#endTable();
  }

  #endTable(): void {
    if (this.#row.length > 0) this.#rows.push(this.#row);
    this.#row = [];
    const rows = this.#rows;
    this.#rows = [];
    // A table with a single cell is a frame around text.
    if (rows.length === 1 && rows[0]!.length === 1) this.#sink.paragraph(rows[0]![0]!);
    else if (rows.some((row) => row.some((cell) => cell !== ""))) this.#sink.table(rows);
    this.#addNotes(this.#tableNotes.splice(0));
  }

  #write(sink: BlockSink, { heading, level }: ParagraphEnd): void {
    const text = this.parts.join("").replace(/ *\n */g, "\n");
    const label = this.label;
    const pictures = this.pictures;
    this.parts = [];
    this.label = undefined;
    this.pictures = [];
    if (text.trim() !== "" && heading !== -1) {
      if (heading !== undefined) {
        const shown = `${label === undefined || isBullet(label) ? "" : `${label} `}${plainHeading(text)}`;
        sink.heading(heading === 0 ? 1 : heading + (this.title === undefined ? 0 : 1), shown);
        if (heading === 0) this.title ??= shown;
      } else if (label === undefined) sink.paragraph(text);
      else addLabelledItem(sink, level, isBullet(label) ? "" : label, text);
    }
    for (const caption of pictures) sink.image(caption);
  }

  #addNotes(notes: readonly string[]): void {
    for (const note of notes) this.#sink.block(note);
  }
}

function isBullet(label: string): boolean {
  return !/\p{L}|\p{N}/u.test(label) || label === "o";
}
