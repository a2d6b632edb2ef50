import { DocumentError } from "../types.ts";
import { cutOff, viewOf } from "./fib.ts";

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

  /** Returns the offset of a character in the stream. */
  offset(character: number): number {
    const piece = this.#piece(character);
    return piece === undefined ? 0 : piece.at + (character - piece.start) * piece.width;
  }

  /** Returns where the piece of a character ends in the text. */
  pieceEnd(character: number): number {
    return this.#piece(character)?.end ?? character + 1;
  }

  /** Returns the bytes per character at an offset of the text. */
  width(character: number): number {
    return this.#piece(character)?.width ?? 1;
  }

  #piece(character: number): Piece | undefined {
    let [low, high] = [0, this.#pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pieces[middle]!.end <= character) low = middle + 1;
      else high = middle;
    }
    return this.#pieces[low];
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
