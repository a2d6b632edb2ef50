/**
 * Returns the beginning of a comment, `> [Li Na, 2026-05-01]`. Comments are quotations, since they do not belong to the text
 * of the document.
 */
export function commentLabel(author: string | undefined, date?: string, place?: string): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(date ?? "")?.[0];
  const words = [place?.trim(), author?.replace(/[[\]\s]+/g, " ").trim(), day].filter((word) =>
    word !== undefined && word !== ""
  );
  return words.length === 0 ? ">" : `> [${words.join(", ")}]`;
}
