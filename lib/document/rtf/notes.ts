import { commentLabel } from "../writer/comment_label.ts";
import type { Output } from "./output.ts";

/** Numbers the notes of a document, and adds notes and comments after the paragraph that refers to them. */
export class Notes {
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
