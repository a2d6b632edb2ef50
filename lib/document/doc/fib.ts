import { DocumentError } from "../types.ts";

/**
 * The file information block (MS-DOC 2.5): offsets of the parts of a Word document, and the name of the stream that contains
 * them.
 */
export interface Fib {
  readonly isSecondTable: boolean;
  /**
   * Lengths in characters of the text and of its footnotes, headers, comments, endnotes and text boxes, which follow each
   * other.
   */
  readonly lengths: {
    readonly text: number;
    readonly footnotes: number;
    readonly headers: number;
    readonly comments: number;
    readonly endnotes: number;
    readonly textBoxes: number;
  };
  /** Returns offset and size of a part of the table stream, by its index. */
  part(index: number): { readonly at: number; readonly size: number };
}

/** Indices of the parts. */
export const PART = {
  styles: 1,
  footnoteReferences: 2,
  footnotes: 3,
  commentReferences: 4,
  comments: 5,
  characterProperties: 12,
  paragraphProperties: 13,
  pieces: 33,
  commentAuthors: 36,
  endnoteReferences: 46,
  endnotes: 47,
  lists: 73,
  listUses: 74,
} as const;

const MAGIC = 0xa5ec;
/** Version number of Word 97. Older versions have another header. */
const FIRST_VERSION = 0xc1;
const LENGTHS = 0x4c;
const PARTS = 0x9a;

/**
 * Reads the file information block. Throws {@linkcode DocumentError}: `encrypted`, `damaged`, or `unsupported` for versions
 * before Word 97.
 */
export function readFib(stream: Uint8Array | undefined): Fib {
  if (stream === undefined || stream.length < 32) {
    throw new DocumentError("damaged", "the file contains no Word document");
  }
  const view = viewOf(stream);
  const version = view.getUint16(2, true);
  if (view.getUint16(0, true) !== MAGIC || version < FIRST_VERSION) {
    throw new DocumentError("unsupported", "the file was written by a version of Word before 97");
  }
  const flags = view.getUint16(10, true);
  if ((flags & 0x100) !== 0) throw new DocumentError("encrypted", "a password is needed to open the file");
  if (stream.length < PARTS + 8 * (PART.pieces + 1)) throw cutOff();
  const length = (i: number) => Math.max(0, view.getInt32(LENGTHS + 4 * i, true));
  return {
    isSecondTable: (flags & 0x200) !== 0,
    lengths: {
      text: length(0),
      footnotes: length(1),
      headers: length(2) + length(3),
      comments: length(4),
      endnotes: length(5),
      textBoxes: length(6),
    },
    part: (index) => {
      const at = PARTS + 8 * index;
      return at + 8 > stream.length || index >= view.getUint16(PARTS - 2, true)
        ? { at: 0, size: 0 }
        : { at: view.getUint32(at, true), size: view.getUint32(at + 4, true) };
    },
  };
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function cutOff(): DocumentError {
  return new DocumentError("damaged", "the Word document is cut off or broken");
}
