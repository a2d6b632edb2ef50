/**
 * The text of a binary Word document, paragraph by paragraph.
 * Below it: the pieces of the text in the file, and its notes and comments.
 */
import { commentLabel, Fields, link } from "../office/text.ts";
import { scripted } from "../markdown_builder.ts";
import {
  type CharacterProperties,
  cutOff,
  type Fib,
  type ParagraphProperties,
  PART,
  type Run,
  runAt,
} from "./properties.ts";
import { DocumentError, viewOf } from "../types.ts";

/** A paragraph of the text. */
export interface Paragraph {
  /** Inline Markdown. */
  readonly text: string;
  readonly properties: ParagraphProperties;
  /** `\r`, or `\x07` at the end of a table cell or row. */
  readonly end: string;
  readonly notes: readonly Note[];
  /** The pictures in the paragraph: their place in the text, and in the stream `Data` if they stand in the line. */
  readonly pictures: readonly { readonly at: number; readonly place: number | undefined }[];
}

/** The text of a document, with its formatting by offset in the stream, and its notes by offset in the text. */
export interface FormattedText {
  readonly pieces: Pieces;
  readonly paragraphs: readonly Run<ParagraphProperties>[];
  readonly characters: readonly Run<CharacterProperties>[];
  readonly notes: ReadonlyMap<number, Note>;
}

/** Yields the paragraphs between two offsets of the text. */
export function* paragraphsBetween(
  formatted: FormattedText,
  from: number,
  to: number,
): Generator<Paragraph, void, undefined> {
  const { pieces, paragraphs } = formatted;
  const { text } = pieces;
  const fields = new Fields();
  const last = Math.min(to, text.length);
  for (let start = from; start < last;) {
    let end = start;
    while (end < last && !ENDS.has(text[end]!)) end++;
    const run = runAt(paragraphs, pieces.at(Math.min(end, text.length - 1)).offset);
    yield {
      ...inlineText(formatted, start, end, fields),
      properties: run?.value ?? {},
      end: text[end] ?? "\r",
    };
    start = end + 1;
  }
}

function inlineText(
  { pieces, characters, notes }: FormattedText,
  from: number,
  to: number,
  fields: Fields,
): Pick<Paragraph, "text" | "notes" | "pictures"> {
  fields.newParagraph();
  const parts: string[] = [];
  const referred: Note[] = [];
  const pictures: { at: number; place: number | undefined }[] = [];
  for (let start = from; start < to;) {
    const [end, { hidden, script, picture: place }] = charactersAt(start);
    let plain = "";
    const flush = () => {
      if (plain !== "" && !fields.hidden) parts.push(scripted(plain, script));
      else if (plain !== "") fields.instruction(plain);
      plain = "";
    };
    for (let at = start; at < end; at++) {
      const char = pieces.text[at]!;
      const note = char === "\x02" || char === "\x05" ? notes.get(at) : undefined;
      if (FIELD[char] !== undefined) {
        flush();
        const ended = fields.mark(FIELD[char], parts.length);
        if (ended !== undefined) link(parts, ended.from, ended.link);
      } else if (hidden && !fields.hidden) continue;
      else if (note !== undefined) {
        plain += note.mark;
        referred.push(note);
      } else if (char === "\x01" || char === "\x08") {
        if (!fields.hidden) pictures.push({ at, place });
      } else plain += SPECIAL[char] ?? (char < " " ? "" : char);
    }
    flush();
    start = end;
  }
  return { text: parts.join(""), notes: referred, pictures };

  /** Returns the end of the run of characters with the same properties, and these properties. */
  function charactersAt(character: number): [number, CharacterProperties] {
    const { offset, width, end } = pieces.at(character);
    const run = runAt(characters, offset);
    if (run === undefined) return [Math.min(to, end), {}];
    const isIn = run.start <= offset;
    const length = Math.ceil(((isIn ? run.end : run.start) - offset) / width);
    return [Math.min(to, end, character + Math.max(1, length)), isIn ? run.value : {}];
  }
}

/** Characters that end paragraphs, cells and sections. */
const ENDS = new Set(["\r", "\x07", "\x0c"]);
const FIELD: Readonly<Record<string, string>> = { "\x13": "begin", "\x14": "separate", "\x15": "end" };
const SPECIAL: Readonly<Record<string, string>> = {
  "\t": " ",
  "\x0b": "\n",
  "\x0e": "\n",
  "\x1e": "-",
  "\x1f": "",
  "\xa0": " ",
};

interface Piece {
  /** Offset of its first character in the text. */
  readonly start: number;
  readonly end: number;
  /** Offset in the stream. */
  readonly at: number;
  /** Bytes per character: 1 (Windows-1252) or 2 (UTF-16). */
  readonly width: 1 | 2;
}

/** The whole text of a document, and the offset of each character in the stream. */
export class Pieces {
  readonly text: string;
  readonly #pieces: readonly Piece[];

  /** `table`: the piece table (MS-DOC 2.9.38, Clx). Throws {@linkcode DocumentError}. */
  constructor(stream: Uint8Array, table: Uint8Array) {
    this.#pieces = readPieces(table);
    const parts: string[] = [];
    const narrow = new TextDecoder("windows-1252");
    const wide = new TextDecoder("utf-16le", { ignoreBOM: true });
    let total = 0;
    for (const { start, end, at, width } of this.#pieces) {
      const size = (end - start) * width;
      total += size;
      if (at + size > stream.length) throw cutOff();
      // Fast saving makes pieces overlap, but only to some extent.
      if (total > 4 * stream.length + 1_000_000) {
        throw new DocumentError("too_complex", "its text is far longer than the file");
      }
      const bytes = stream.subarray(at, at + size);
      parts.push(width === 1 ? narrow.decode(bytes) : wide.decode(bytes));
    }
    this.text = parts.join("");
  }

  /** Returns the offset of a character in the stream, its bytes, and where its piece ends in the text. */
  at(character: number): { readonly offset: number; readonly width: number; readonly end: number } {
    const piece = runAt(this.#pieces, character) ?? this.#pieces.at(-1);
    if (piece === undefined) return { offset: 0, width: 1, end: character + 1 };
    const { start, at, width, end } = piece;
    return { offset: at + (character - start) * width, width, end };
  }
}

function readPieces(table: Uint8Array): Piece[] {
  const view = viewOf(table);
  let at = 0;
  // Properties precede the table.
  while (at + 3 <= table.length && table[at] === 1) at += 3 + view.getUint16(at + 1, true);
  if (at + 5 > table.length || table[at] !== 2) throw cutOff();
  const size = Math.min(view.getUint32(at + 1, true), table.length - at - 5);
  const first = at + 5;
  const count = Math.floor((size - 4) / 12);
  const pieces: Piece[] = [];
  for (let i = 0; i < count; i++) {
    const start = view.getUint32(first + 4 * i, true);
    const end = view.getUint32(first + 4 * i + 4, true);
    const encoded = view.getUint32(first + 4 * (count + 1) + 8 * i + 2, true);
    if (end < start || start !== (pieces.at(-1)?.end ?? 0)) throw cutOff();
    const isNarrow = (encoded & 0x40000000) !== 0;
    const offset = encoded & 0x3fffffff;
    pieces.push({ start, end, at: isNarrow ? offset / 2 | 0 : offset, width: isNarrow ? 1 : 2 });
  }
  return pieces;
}

/** A note or comment: its range in the text, and its label. */
export interface Note {
  readonly label: string;
  /** The mark at the reference. Empty for comments. */
  readonly mark: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the notes and comments of a document by the offset of their references in the text. */
export function readNotes(fib: Fib, part: (index: number) => Uint8Array): Map<number, Note> {
  const notes = new Map<number, Note>();
  const { text, footnotes, headers, comments } = fib.lengths;
  const add = (references: number, texts: number, width: number, from: number, label: Label) => {
    const refers = part(references);
    const places = part(texts);
    const count = Math.floor((refers.length - 4) / (4 + width));
    const [view, ends] = [viewOf(refers), viewOf(places)];
    // Overlapping notes are dropped, since they could be read many times.
    let last = 0;
    for (let i = 0; i < count && 4 * i + 8 <= places.length; i++) {
      const start = Math.max(last, ends.getUint32(4 * i, true));
      last = Math.max(start, ends.getUint32(4 * i + 4, true));
      notes.set(view.getUint32(4 * i, true), {
        start: from + start,
        end: from + last,
        ...label(i, refers.subarray(4 * (count + 1) + width * i)),
      });
    }
  };
  const numbered = (prefix: string): Label => (i) => ({
    label: `[^${prefix}${i + 1}]:`,
    mark: `[^${prefix}${i + 1}]`,
  });
  add(PART.footnoteReferences, PART.footnotes, 2, text, numbered(""));
  const endnotes = text + footnotes + headers + comments;
  add(PART.endnoteReferences, PART.endnotes, 2, endnotes, numbered("e"));
  const authors = readAuthors(part(PART.commentAuthors));
  add(PART.commentReferences, PART.comments, 30, text + footnotes + headers, (_, data) => ({
    label: commentLabel(data.length < 22 ? undefined : authors[data[20]! | data[21]! << 8]),
    mark: "",
  }));
  return notes;
}

type Label = (i: number, data: Uint8Array) => { readonly label: string; readonly mark: string };

function readAuthors(bytes: Uint8Array): string[] {
  const authors: string[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const size = 2 * (bytes[at]! | bytes[at + 1]! << 8);
    authors.push(new TextDecoder("utf-16le").decode(bytes.subarray(at + 2, at + 2 + size)));
    at += 2 + size;
  }
  return authors;
}
