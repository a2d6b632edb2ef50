import { Fields } from "../docx/fields.ts";
import { link } from "../writer/inline_link.ts";
import { scripted } from "../writer/small_digits.ts";
import type { Note } from "./notes.ts";
import type { Pieces } from "./pieces.ts";
import { type CharacterProperties, type ParagraphProperties, type Run, runAt } from "./properties.ts";

/** A paragraph of the text. */
export interface Paragraph {
  /** Inline Markdown. */
  readonly text: string;
  readonly properties: ParagraphProperties;
  /** `\r`, or `\x07` at the end of a table cell or row. */
  readonly end: string;
  readonly notes: readonly Note[];
  /** Number of pictures in the paragraph. */
  readonly pictures: number;
}

/** Reads the text paragraph by paragraph. */
export class Paragraphs {
  readonly #pieces: Pieces;
  readonly #paragraphs: readonly Run<ParagraphProperties>[];
  readonly #characters: readonly Run<CharacterProperties>[];
  readonly #notes: ReadonlyMap<number, Note>;

  constructor(
    pieces: Pieces,
    paragraphs: readonly Run<ParagraphProperties>[],
    characters: readonly Run<CharacterProperties>[],
    notes: ReadonlyMap<number, Note>,
  ) {
    this.#pieces = pieces;
    this.#paragraphs = paragraphs;
    this.#characters = characters;
    this.#notes = notes;
  }

  *between(from: number, to: number): Generator<Paragraph, void, undefined> {
    const { text } = this.#pieces;
    const fields = new Fields();
    const last = Math.min(to, text.length);
    for (let start = from; start < last;) {
      let end = start;
      while (end < last && !ENDS.has(text[end]!)) end++;
      const run = runAt(this.#paragraphs, this.#pieces.offset(Math.min(end, text.length - 1)));
      yield {
        ...this.#inline(start, end, fields),
        properties: run?.value ?? {},
        end: text[end] ?? "\r",
      };
      start = end + 1;
    }
  }

  #inline(from: number, to: number, fields: Fields): Pick<Paragraph, "text" | "notes" | "pictures"> {
    fields.newParagraph();
    const parts: string[] = [];
    const notes: Note[] = [];
    let pictures = 0;
    for (let start = from; start < to;) {
      const [end, { hidden, script }] = this.#run(start, to);
      let plain = "";
      const flush = () => {
        if (plain !== "" && !fields.hidden) parts.push(scripted(plain, script));
        else if (plain !== "") fields.instruction(plain);
        plain = "";
      };
      for (let at = start; at < end; at++) {
        const char = this.#pieces.text[at]!;
        const note = char === "\x02" || char === "\x05" ? this.#notes.get(at) : undefined;
        if (FIELD[char] !== undefined) {
          flush();
          const ended = fields.mark(FIELD[char], parts.length);
          if (ended !== undefined) link(parts, ended.from, ended.link);
        } else if (hidden && !fields.hidden) continue;
        else if (note !== undefined) {
          plain += note.mark;
          notes.push(note);
        } else if (char === "\x01" || char === "\x08") pictures += fields.hidden ? 0 : 1;
        else plain += SPECIAL[char] ?? (char < " " ? "" : char);
      }
      flush();
      start = end;
    }
    return { text: parts.join(""), notes, pictures };
  }

  /** Returns the end of the run of characters with the same properties, and these properties. */
  #run(character: number, to: number): [number, CharacterProperties] {
    const offset = this.#pieces.offset(character);
    const width = this.#pieces.width(character);
    const end = Math.min(to, this.#pieces.pieceEnd(character));
    const run = runAt(this.#characters, offset);
    if (run === undefined) return [end, {}];
    const isIn = run.start <= offset;
    const length = Math.ceil(((isIn ? run.end : run.start) - offset) / width);
    return [Math.min(end, character + Math.max(1, length)), isIn ? run.value : {}];
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
