/** Returns inline Markdown without links and marks of notes, on one line: the text of a heading. */
export function plainHeading(markdown: string): string {
  return markdown.replace(/\[\^e?-?\d+\]/g, "").replace(/\[([^\]]*)\]\([^)\s]*\)/g, "$1").replace(/\s+/g, " ")
    .trim();
}
