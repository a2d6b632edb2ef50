import { commentLabel } from "../writer/comment_label.ts";
import { children, type XmlElement } from "../xml/mod.ts";

/** A note or comment to show. */
export interface Note {
  /** `[^2]:` for a note. For a comment a quotation mark, its author and date. */
  readonly label: string;
  readonly element: XmlElement;
}

/** Footnotes, endnotes and comments. Each is shown once, at its first reference. */
export class Notes {
  readonly #all = new Map<string, Note>();
  #referred: Note[] = [];

  constructor(
    footnotes: XmlElement | undefined,
    endnotes: XmlElement | undefined,
    comments: XmlElement | undefined,
  ) {
    // The separators between text and notes have a type.
    const notes = (root: XmlElement | undefined, name: string) =>
      children(root, name).filter((one) => (one.attributes["w:type"] ?? "normal") === "normal");
    for (const one of notes(footnotes, "w:footnote")) {
      this.#all.set(`note${one.attributes["w:id"]}`, {
        label: `[^${one.attributes["w:id"]}]:`,
        element: one,
      });
    }
    for (const one of notes(endnotes, "w:endnote")) {
      this.#all.set(`endnote${one.attributes["w:id"]}`, {
        label: `[^e${one.attributes["w:id"]}]:`,
        element: one,
      });
    }
    for (const one of children(comments, "w:comment")) {
      const label = commentLabel(one.attributes["w:author"], one.attributes["w:date"]);
      this.#all.set(`comment${one.attributes["w:id"]}`, { label, element: one });
    }
  }

  refer(kind: "note" | "endnote" | "comment", id: string): void {
    const note = this.#all.get(kind + id);
    if (note === undefined) return;
    this.#all.delete(kind + id);
    this.#referred.push(note);
  }

  /** Returns the notes referred to since the last call. */
  taken(): readonly Note[] {
    const notes = this.#referred;
    this.#referred = [];
    return notes;
  }
}
