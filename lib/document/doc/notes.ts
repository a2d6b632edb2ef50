import { commentLabel } from "../writer/comment_label.ts";
import { type Fib, PART, viewOf } from "./fib.ts";

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
