/**
 * The state that the writers of HTML elements share: the open line and the open list item.
 * Below it: how the pieces of a line become inline Markdown.
 */
import type { BlockSink } from "../markdown_builder.ts";

/** Collects the pieces of a line until it ends, and the lines of a list item until that ends. */
export class Writer {
  readonly #sink: BlockSink;
  #line: Piece[] = [];
  #item:
    | { readonly depth: number; readonly number: number | undefined; readonly lines: string[] }
    | undefined;

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
    this.#item = { depth, number, lines: [] };
  }

  /** Ends the line and the list item, if one is open. */
  endItem(): void {
    this.endLine();
    const item = this.#item;
    this.#item = undefined;
    if (item === undefined || item.lines.length === 0) return;
    const { depth, number, lines } = item;
    this.#sink.item({ depth, number, text: lines.join("\n") });
  }
}

/** A mark in a line, where emphasis or a link begins or ends. */
interface Mark {
  readonly end: boolean;
  /** `**`, `*`, a backquote, or `[` for a link. */
  readonly sign: string;
  readonly target?: string | undefined;
}

type Piece = string | Mark;

/** A line break to keep. Texts contain no line breaks, since their blanks are joined. */
const BREAK = "\n";

const WORD = /[\p{L}\p{N}_]/u;
/** Matches a line end between two characters of a script without spaces between words. It is removed. */
const JOINED =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef])[ \t]*[\r\n]\s*(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef])/gu;
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** Returns a text with every run of blanks joined to one. */
function joinBlanks(text: string): string {
  const joined = text.includes("\n") ? text.replace(JOINED, "") : text;
  return joined.replace(UNSEEN, "").replace(/[\s\u00a0]+/g, " ");
}

/**
 * Returns the Markdown of a line, or of several lines if it contains breaks. Blanks around breaks and marks are normalised.
 */
function renderInline(pieces: readonly Piece[], { plain = false } = {}): string {
  const out: string[] = [];
  const open: { mark: Mark; at: number }[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece === "string") out.push(piece);
    else if (plain) continue;
    else if (!piece.end) {
      open.push({ mark: piece, at: out.length });
      out.push("");
    } else {
      const begun = open.pop();
      if (begun === undefined) continue;
      const inner = out.splice(begun.at).join("");
      const before = out.at(-1)?.at(-1) ?? " ";
      const isInCode = open.some(({ mark }) => mark.sign === "`");
      out.push(isInCode ? inner : marked(begun.mark, inner, before, nextCharacter(pieces, i + 1)));
    }
  }
  return out.join("").replace(/[ \t]{2,}/g, " ").replace(/ *\n */g, "\n").trim();
}

/** Returns a text between its marks, with blanks moved outside. Marks that would split a word are dropped. */
function marked({ sign, target }: Mark, inner: string, before: string, after: string): string {
  const text = inner.trim();
  if (text === "") return inner;
  const [start, end] = [inner.startsWith(" ") ? " " : "", inner.endsWith(" ") ? " " : ""];
  if (sign === "[") {
    return text === target || text.includes("](") ? inner : `${start}[${text}](${target})${end}`;
  }
  if (sign === "`") {
    if (text.includes("\n")) return inner;
    const ticks = text.includes("`") ? "``" : "`";
    const gap = ticks === "``" ? " " : "";
    return `${start}${ticks}${gap}${text}${gap}${ticks}${end}`;
  }
  const splitsWord = (start === "" && WORD.test(before)) || (end === "" && WORD.test(after));
  if (splitsWord || text.includes("\n") || text.includes("*")) return inner;
  return `${start}${sign}${text}${sign}${end}`;
}

function nextCharacter(pieces: readonly Piece[], from: number): string {
  for (let i = from; i < pieces.length && i < from + 20; i++) {
    const piece = pieces[i]!;
    if (typeof piece === "string" && piece !== "") return piece[0]!;
  }
  return " ";
}
