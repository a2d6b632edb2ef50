import { commentLabel } from "../writer/comment_label.ts";
import { child, children, textOf } from "../xml/mod.ts";
import { cellReference } from "./reference.ts";
import { richText, type Workbook } from "./workbook.ts";

interface Comment {
  readonly reference: string;
  readonly author: string | undefined;
  readonly date?: string | undefined;
  readonly text: string;
}

/**
 * Returns the comments of a sheet in the order of their cells, each as a quotation: `> [B3, Ann, 2026-05-01] Check this.`
 */
export function readComments(workbook: Workbook, part: string): string[] {
  const relations = workbook.file.relations(part).filter(({ external }) => !external);
  const threads = relations.filter(({ type }) => type === "threadedComment")
    .flatMap(({ target }) => readThreads(workbook, target));
  const notes = relations.filter(({ type }) => type === "comments")
    .flatMap(({ target }) => readNotes(workbook, target))
    // A thread is also stored as a note for older programs.
    .filter(({ author }) => threads.length === 0 || !/^tc=/.test(author ?? ""));
  return [...notes, ...threads].filter(({ text }) => text.trim() !== "")
    .map((comment, i) => ({ comment, i, cell: cellReference(comment.reference) ?? { row: 0, column: 0 } }))
    .sort((a, b) => a.cell.row - b.cell.row || a.cell.column - b.cell.column || a.i - b.i)
    .map(({ comment: { reference, author, date, text } }) =>
      `${commentLabel(author, date, reference)} ${text.trim().replace(/\s*[\r\n]+\s*/g, "\n> ")}`
    );
}

function readNotes(workbook: Workbook, part: string): Comment[] {
  const root = workbook.file.part(part);
  const authors = children(child(root, "x:authors"), "x:author").map(textOf);
  return children(child(root, "x:commentList"), "x:comment").map((element) => {
    const author = authors[Number(element.attributes["authorId"])];
    const text = richText(child(element, "x:text"));
    // Excel begins a note with the name of its author.
    const own = author !== undefined && text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text;
    return { reference: element.attributes["ref"] ?? "", author, text: own };
  });
}

function readThreads(workbook: Workbook, part: string): Comment[] {
  const people = workbook.people();
  return children(workbook.file.part(part), "tc:threadedComment").map((element) => ({
    reference: element.attributes["ref"] ?? "",
    author: people.get(element.attributes["personId"] ?? ""),
    date: element.attributes["dT"],
    text: textOf(child(element, "tc:text")),
  }));
}
