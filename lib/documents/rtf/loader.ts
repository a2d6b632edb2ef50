/**
 * Loads Rich Text Format: follows groups and control words, and writes paragraphs and tables.
 * Below the reader: notes, and the paragraphs and tables of one text.
 */
import { DocumentError, guarded, type Loader } from "../types.ts";
import { alternative, type BlockSink, CellBuilder, MarkdownBuilder, scripted } from "../markdown_builder.ts";
import {
  changeState,
  CHARACTERS,
  type Destination,
  destinationOf,
  FIRST_STATE,
  type Handler,
  scan,
  type State,
  SYMBOLS,
} from "./tokens.ts";
import { codePageLabel } from "../office/binary.ts";
import { addLabelledItem, commentLabel, Headings, link, plainHeading, TableCells } from "../office/text.ts";
import { Decoder, HeaderTables } from "./header.ts";
import { pictureIn } from "./picture.ts";
import type { PictureSource } from "../pictures/types.ts";
import { described } from "../metadata.ts";

/** Rich Text Format. A file that is cut off gives the text before the cut. */
export const loader: Loader = guarded((bytes, name) => {
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 5)) !== "{\\rtf") {
    throw new DocumentError("damaged", "the file does not begin like RTF");
  }
  const builder = new MarkdownBuilder(name);
  const reader = new Reader(bytes, builder);
  scan(bytes, reader);
  reader.end();
  const { info } = reader;
  const { title, metadata } = described([
    ["title", info.get("title")],
    ["author", info.get("author")],
    ["created", dateOf(info, "created")],
    ["modified", dateOf(info, "saved")],
    ["keywords", info.get("keywords")],
    ...["description", "subject", "category", "manager", "company"].map((name) =>
      [name, info.get(name)] as const
    ),
    ...[...info].flatMap(([name, value]) =>
      name.startsWith("user ") ? [[name.slice(5), value] as const] : []
    ),
  ]);
  return builder.finish({ title: reader.main.headings.title ?? title, metadata });
});

function dateOf(info: ReadonlyMap<string, string>, name: string): string | undefined {
  const [year, month, day, ...clock] = ["yr", "mo", "dy", "hr", "min", "sec"].map((one) =>
    info.get(`${name} ${one}`)?.padStart(2, "0")
  );
  if (!(Number(year) > 1970)) return undefined;
  const time = clock.filter((part) => part !== undefined).join(":");
  return `${year}-${month}-${day}${time.length < 5 ? "" : `T${time}`}`;
}

/** Deepest nesting of groups. Real files have a few dozen levels. */
const DEEPEST = 2000;
/** Bytes that are decoded together. */
const MOST_BYTES = 65_536;
/** Destinations whose bytes are not text. Pictures have many of them. */
const UNREAD: ReadonlySet<Destination> = new Set(["skip", "picture", "quiet"]);

/** Turns the groups, control words and bytes of an RTF file into blocks. */
class Reader implements Handler {
  readonly main: Output;
  readonly #sink: BlockSink;
  readonly #decoder = new Decoder();
  readonly #tables = new HeaderTables(this.#decoder);
  readonly #groups: State[] = [];
  readonly #file: Uint8Array;
  /** Offset behind the brace of each open group, and of the brace that closes one. */
  readonly #starts: number[] = [];
  #end = 0;
  #state: State = { ...FIRST_STATE };
  #output: Output;
  /** Pending bytes of text: a character may take two. */
  readonly #bytes: number[] = [];
  /** Text of destinations that do not belong to the document, such as the instruction of a field. */
  #collected: string[] = [];
  #starred = false;
  #toSkip = 0;
  #usualFont: number | undefined;
  #property = "";
  #caption: string | undefined;
  #instruction = "";
  readonly #notes = new Notes();

  constructor(file: Uint8Array, sink: BlockSink) {
    this.#file = file;
    this.#end = file.length;
    this.#sink = sink;
    this.main = new Output(sink);
    this.#output = this.main;
  }

  get info(): ReadonlyMap<string, string> {
    return this.#tables.info;
  }

  open(at: number): void {
    this.#flush();
    if (this.#groups.length >= DEEPEST) {
      throw new DocumentError("too_complex", `groups are nested more than ${DEEPEST} deep`);
    }
    this.#groups.push(this.#state);
    this.#starts.push(at);
    this.#state = { ...this.#state, onClose: undefined };
    this.#starred = false;
    this.#toSkip = 0;
  }

  close(at = this.#file.length): boolean {
    this.#flush();
    this.#end = at;
    this.#toSkip = 0;
    this.#starred = false;
    this.#state.onClose?.();
    const outer = this.#groups.pop();
    this.#starts.pop();
    if (outer === undefined) return false;
    this.#state = outer;
    return this.#groups.length > 0;
  }

  /** Closes all open groups at the end of the file. */
  end(): void {
    while (this.#groups.length > 0) this.close();
    this.#flush();
    this.main.finish(this.#paragraph());
  }

  byte(value: number): void {
    if (this.#toSkip > 0) this.#toSkip--;
    else if (!UNREAD.has(this.#state.destination)) {
      this.#bytes.push(value);
      // A blank is never the second byte of a character.
      if (value === 0x20 && this.#bytes.length > MOST_BYTES) this.#flush();
    }
  }

  symbol(char: string): void {
    if (char === "*") {
      this.#starred = true;
      return;
    }
    if (this.#skipped()) return;
    const text = SYMBOLS[char];
    if (text !== undefined) this.#add(text);
  }

  word(name: string, value: number | undefined): void {
    const state = this.#state;
    const starred = this.#starred;
    this.#starred = false;
    if (state.destination === "skip") return;
    if (name === "u") return this.#unicode(value ?? 0);
    if (this.#skipped()) return;
    this.#flush();
    const destination = destinationOf(name, starred);
    if (destination !== undefined) return this.#begin(destination);
    if (this.#tables.word(state, name, value)) return;
    if (changeState(state, name, value, this.#usualFont)) return;
    const text = CHARACTERS[name];
    if (text === undefined) this.#structure(name, value);
    else this.#add(text);
  }

  #structure(name: string, value: number | undefined): void {
    if (name === "ansicpg") this.#decoder.document = codePageLabel(value ?? 0) ?? this.#decoder.document;
    else if (name === "mac") this.#decoder.document = "macintosh";
    else if (name === "deff") this.#usualFont = this.#state.font = value ?? 0;
    else if (name === "ftnalt") this.#notes.isEndnote = true;
    else if (this.#state.destination !== "text") return;
    else if (name === "par" || name === "sect" || name === "page") {
      this.#output.paragraph(this.#paragraph());
    } else if (name === "cell") this.#output.endCell(this.#paragraph());
    else if (name === "nestcell") this.#output.paragraph({ ...this.#paragraph(), inTable: true });
    else if (name === "row") this.#output.endRow();
  }

  #begin(destination: Destination): void {
    const state = this.#state;
    state.destination = destination;
    switch (destination) {
      case "label":
      case "instruction":
      case "comment author":
      case "property name":
      case "property value":
        return this.#collect(destination);
      case "note":
      case "comment":
        return this.#note(destination);
      case "text box": {
        const output = new Output(this.#sink);
        output.headings.title = this.main.headings.title;
        return this.#redirect(output);
      }
      case "field": {
        state.destination = "text";
        const output = this.#output;
        const from = output.parts.length;
        state.onClose = () => {
          const address = /^\s*HYPERLINK\s+"([^"]*)"/i.exec(this.#instruction)?.[1];
          if (output === this.#output) link(output.parts, from, address);
          this.#instruction = "";
        };
        return;
      }
      case "picture": {
        this.#caption = undefined;
        // A picture in the group of another would be read as often as they are nested.
        if (this.#groups.at(-1)?.destination === "picture") return;
        const start = this.#starts.at(-1) ?? 0;
        state.onClose = () => {
          const group = this.#file.subarray(start, this.#end);
          const source = { bytes: () => pictureIn(group) };
          this.#output.pictures.push({ caption: this.#caption, source });
        };
        return;
      }
    }
    if (destination.startsWith("info ")) this.#collect(destination);
  }

  /** Collects the text of a group instead of showing it. */
  #collect(destination: Destination): void {
    const outer = this.#collected;
    const own: string[] = this.#collected = [];
    this.#state.onClose = () => {
      this.#collected = outer;
      const text = own.join("").trim();
      if (destination === "label") this.#output.label = text;
      else if (destination === "instruction") this.#instruction = text;
      else if (destination === "comment author") this.#notes.author = text;
      else if (destination === "property name") this.#property = text;
      else if (destination === "property value") {
        if (this.#property === "wzDescription") this.#caption = alternative(text);
      } else if (destination === "info value") {
        this.#tables.info.set(`user ${this.#tables.info.get("property") ?? ""}`, text);
      } else this.#tables.info.set(destination.slice(5), text);
    };
  }

  /** Reads a note or comment, which is added on one line after the paragraph. */
  #note(kind: "note" | "comment"): void {
    const outer = this.#output;
    const parts: string[] = [];
    const at = kind === "note" ? outer.parts.push("") - 1 : -1;
    this.#notes.isEndnote = false;
    this.#redirect(new Output(lineSink(parts)), () => {
      this.#notes.add(kind, parts.join(" ").replace(/\s+/g, " ").trim(), outer, at);
    });
  }

  /** Sends the paragraphs of a group to another output. */
  #redirect(output: Output, onClose?: () => void): void {
    const outer = this.#output;
    this.#output = output;
    Object.assign(this.#state, { ...FIRST_STATE, destination: "text", font: this.#usualFont });
    this.#state.onClose = () => {
      output.finish(this.#paragraph());
      this.#output = outer;
      onClose?.();
    };
  }

  #unicode(value: number): void {
    this.#flush();
    this.#add(String.fromCharCode(value & 0xffff));
    this.#toSkip = this.#state.fallback;
  }

  /** Returns whether the current token is a fallback for the character before it. */
  #skipped(): boolean {
    if (this.#toSkip === 0) return this.#state.destination === "skip";
    this.#toSkip--;
    return true;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Uint8Array.from(this.#bytes.splice(0));
    this.#add(this.#decoder.text(bytes, this.#state.font));
  }

  #add(text: string): void {
    if (this.#bytes.length > 0) this.#flush();
    const { destination, script, hidden } = this.#state;
    if (destination === "text") {
      if (!hidden) this.#output.parts.push(scripted(text, script));
    } else if (destination === "style sheet" || destination === "style") {
      this.#tables.addStyleText(text);
    } else if (destination !== "quiet" && destination !== "font" && destination !== "picture") {
      if (this.#collected.length < 10_000) this.#collected.push(text);
    }
  }

  #paragraph(): ParagraphEnd {
    const { outline, style, inTable, level } = this.#state;
    const heading = outline === undefined
      ? this.#tables.headingLevel(style)
      : outline < 9
      ? outline + 1
      : undefined;
    return { heading, inTable, level };
  }
}

/** Returns a sink that adds the text of every block to `lines`. Pictures are left out. */
function lineSink(lines: string[]): BlockSink {
  const add = (text: string) => {
    lines.push(text);
  };
  return {
    heading: (_, text) => add(text),
    paragraph: add,
    block: add,
    code: add,
    item: ({ text }) => add(text),
    table: (rows) => rows.forEach((row) => add(row.join(" "))),
    image: () => {},
  };
}

/** Numbers the notes of a document, and adds notes and comments after the paragraph that refers to them. */
class Notes {
  /** Author of the next comment. */
  author = "";
  /** Whether the open note is an endnote. */
  isEndnote = false;
  #footnotes = 0;
  #endnotes = 0;

  /** Adds a note or comment. `at`: index in the parts of the paragraph where the mark of a note goes. */
  add(kind: "note" | "comment", text: string, output: Output, at: number): void {
    if (text === "") return;
    if (kind === "comment") {
      output.notes.push(`${commentLabel(this.author)} ${text}`);
      this.author = "";
    } else {
      const mark = this.isEndnote ? `[^e${++this.#endnotes}]` : `[^${++this.#footnotes}]`;
      output.parts[at] = mark;
      output.notes.push(`${mark}: ${text}`);
    }
  }
}

/** Properties of a paragraph, known at its end. */
interface ParagraphEnd {
  /** Heading level from 1, 0 for the title, -1 for an entry of the table of contents. */
  readonly heading: number | undefined;
  readonly inTable: boolean;
  /** List level from 0. */
  readonly level: number;
}

/** Collects paragraphs and tables of a text: that of the document, or of a text box. */
class Output {
  readonly headings: Headings = new Headings();
  /** Inline Markdown of the open paragraph. */
  parts: string[] = [];
  /** Label of the open paragraph, if it is a list item. */
  label: string | undefined;
  /** Notes and comments to add after the open paragraph. */
  notes: string[] = [];
  pictures: { readonly caption: string | undefined; readonly source: PictureSource }[] = [];
  readonly #sink: BlockSink;
  readonly #table = new TableCells();
  readonly #tableNotes: string[] = [];
  /** The cells of the open table that hold pictures. */
  readonly #withPictures: CellBuilder[] = [];
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
    this.#table.add(cell.toString());
    if (cell.hasPictures) this.#withPictures.push(cell);
    this.#cell = undefined;
  }

  endRow(): void {
    this.#table.endRow();
    this.#tableNotes.push(...this.notes.splice(0));
  }

  /** Adds the paragraphs and tables that are still pending. */
  finish(end: ParagraphEnd): void {
    if (this.#cell !== undefined) this.endCell(end);
    else this.paragraph({ ...end, inTable: false });
    this.#endTable();
  }

  #endTable(): void {
    this.#table.end(this.#sink);
    for (const cell of this.#withPictures.splice(0)) cell.addPictures(this.#sink);
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
        this.headings.add(sink, heading, shown);
      } else if (label === undefined) sink.paragraph(text);
      else addLabelledItem(sink, level, isBullet(label) ? "" : label, text);
    }
    for (const { caption, source } of pictures) sink.image(caption, source);
  }

  #addNotes(notes: readonly string[]): void {
    for (const note of notes) this.#sink.block(note);
  }
}

function isBullet(label: string): boolean {
  return !/\p{L}|\p{N}/u.test(label) || label === "o";
}
