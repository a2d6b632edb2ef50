import { addLabelledItem } from "../writer/labelled_item.ts";
import { plainHeading } from "../writer/plain_heading.ts";
import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";

/** Facts about a paragraph when it ends. */
export interface ParagraphEnd {
  /** Level of a heading from 1, 0 for the title, -1 for an entry of the contents. */
  readonly heading: number | undefined;
  readonly inTable: boolean;
  /** Level in a list, from 0. */
  readonly level: number;
}

const MOST_COLUMNS = 200;

/** A text that is being read: the document's, or that of a text box, which both have paragraphs and tables. */
export class Output {
  /** Text of the first paragraph that is the document's title. */
  title: string | undefined;
  /** Inline Markdown of the open paragraph. */
  parts: string[] = [];
  /** The label of the open paragraph of a list. */
  label: string | undefined;
  /** Notes and comments to be added behind the open paragraph. */
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

  /** Adds what is still held back. */
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
    // A single cell is a frame around text.
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
