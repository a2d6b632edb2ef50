/**
 * Loads Word documents of the binary format of 1997 to 2003 (MS-DOC).
 * Below it: how paragraphs become headings, list items and tables.
 */
import { readStreams } from "../office/binary.ts";
import { readSummary } from "../office/properties.ts";
import { DocPictures } from "./pictures.ts";
import { guarded, joined, type Loader } from "../types.ts";
import { type BlockSink, CellBuilder, MarkdownBuilder } from "../markdown_builder.ts";
import { characterRuns, cutOff, Lists, paragraphRuns, PART, readFib, readStyles } from "./properties.ts";
import {
  type FormattedText,
  type Note,
  type Paragraph,
  paragraphsBetween,
  Pieces,
  readNotes,
} from "./text.ts";
import { addLabelledItem, Headings, plainHeading, TableCells } from "../office/text.ts";

/** Word documents of the binary format of 1997 to 2003 (MS-DOC). */
export const loader: Loader = guarded((bytes, name) => {
  const streams = readStreams(bytes);
  const stream = streams.get("worddocument");
  const fib = readFib(stream);
  const table = streams.get(fib.isSecondTable ? "1table" : "0table");
  if (stream === undefined || table === undefined) throw cutOff();
  const part = (index: number) => {
    const { at, size } = fib.part(index);
    return table.subarray(at, at + size);
  };
  const formatted: FormattedText = {
    pieces: new Pieces(stream, part(PART.pieces)),
    paragraphs: paragraphRuns(stream, part(PART.paragraphProperties)),
    characters: characterRuns(stream, part(PART.characterProperties)),
    notes: readNotes(fib, part),
  };
  const lists = new Lists(table, fib.part(PART.lists), part(PART.listUses));
  const builder = new MarkdownBuilder(name);
  const pictures = new DocPictures({ stream, data: streams.get("data"), part }, fib);
  const blocks = new Blocks(formatted, readStyles(part(PART.styles)), lists, pictures, builder);
  const { text, footnotes, headers, comments, endnotes, textBoxes } = fib.lengths;
  blocks.add(0, text);
  const boxes = text + footnotes + headers + comments + endnotes;
  blocks.add(boxes, boxes + textBoxes);
  const { title, metadata } = readSummary(streams);
  return builder.finish({ title: blocks.headings.title ?? title, metadata });
});

/** Word's number of the style of the title. Those of a table of contents are 19 to 27. */
const TITLE = 62;

/** Turns paragraphs into blocks of Markdown. */
class Blocks {
  readonly headings: Headings = new Headings();
  readonly #formatted: FormattedText;
  readonly #styles: ReturnType<typeof readStyles>;
  readonly #lists: Lists;
  readonly #pictures: DocPictures;
  /** The cells of the open table that hold pictures. */
  readonly #withPictures: CellBuilder[] = [];
  readonly #sink: BlockSink;
  readonly #notes: Note[] = [];
  readonly #table = new TableCells();
  #cell = new CellBuilder();

  constructor(
    formatted: FormattedText,
    styles: ReturnType<typeof readStyles>,
    lists: Lists,
    pictures: DocPictures,
    sink: BlockSink,
  ) {
    this.#formatted = formatted;
    this.#styles = styles;
    this.#lists = lists;
    this.#pictures = pictures;
    this.#sink = sink;
  }

  /** Adds the text between two offsets. */
  add(from: number, to: number): void {
    for (const paragraph of paragraphsBetween(this.#formatted, from, to)) {
      const isInTable = (paragraph.properties.depth ?? 0) > 0 || paragraph.end === "\x07";
      if (!isInTable) this.#endTable();
      this.#notes.push(...paragraph.notes);
      if (isInTable) this.#inTable(paragraph);
      else {
        this.#one(paragraph, this.#sink);
        this.#addNotes();
      }
    }
    this.#endTable();
  }

  #endTable(): void {
    this.#table.end(this.#sink);
    for (const cell of this.#withPictures.splice(0)) cell.addPictures(this.#sink);
    this.#addNotes();
  }

  #inTable(paragraph: Paragraph): void {
    const { properties: { depth = 1, endsRow }, end } = paragraph;
    if (endsRow && depth <= 1) return this.#table.endRow();
    // Tables in a cell become part of its text.
    this.#one(paragraph, this.#cell);
    if (end !== "\x07" || depth > 1) return;
    this.#table.add(this.#cell.toString());
    if (this.#cell.hasPictures) this.#withPictures.push(this.#cell);
    this.#cell = new CellBuilder();
  }

  #one(paragraph: Paragraph, sink: BlockSink): void {
    const { properties, pictures, text } = paragraph;
    const style = this.#styles.get(properties.style ?? 0);
    const { builtIn = 0 } = style;
    if (builtIn >= 19 && builtIn <= 27) return;
    if (text.trim() !== "") {
      const { outline = 9, list = 0, level = 0 } = { ...style, ...properties };
      const label = list > 0 && list < 0x7ff ? this.#lists.next(list, level) : undefined;
      const isTitle = builtIn === TITLE;
      if (isTitle || outline < 9) {
        const shown = `${label ?? ""} ${plainHeading(text)}`.trim();
        this.headings.add(sink, isTitle ? 0 : outline + 1, shown);
      } else if (label !== undefined) addLabelledItem(sink, level, label, text);
      else sink.paragraph(text);
    }
    for (const { at, place } of pictures) {
      const source = this.#pictures.source(at, place);
      if (source !== undefined) sink.image(undefined, source);
    }
  }

  /** Adds notes and comments after the block that refers to them. */
  #addNotes(): void {
    for (const { label, start, end } of this.#notes.splice(0)) {
      // Notes within notes are ignored.
      const paragraphs = [...paragraphsBetween(this.#formatted, start, end)];
      const text = joined(paragraphs.map((one) => one.text.replace(/\s+/g, " ").trim()), " ");
      if (text !== "") this.#sink.block(`${label} ${text}`);
    }
  }
}
