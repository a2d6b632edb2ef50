/** Loads bibliographies (BibTeX, BibLaTeX): each entry is a section, whose text is free of the commands of LaTeX. */
import { decode } from "../encoding.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { bibSources, peopleIn, plain } from "../text/bibtex.ts";
import { guarded, type Loader } from "../types.ts";

/** Names of people. */
const PEOPLE = new Set(["author", "editor", "translator", "bookauthor"]);
/** Fields that programs write for themselves, and the title, which is the heading. */
const LEFT_OUT =
  /^(?:title|file|owner|timestamp|date-(?:added|modified)|date(?:added|modified)|bdsk-.*|__markedentry|creationdate|modificationdate|localfile)$/;

/** Bibliographies (`.bib`). A file without entries stays as it is. */
export const loader: Loader = guarded(async (bytes, file) => {
  const { text } = await decode(bytes, file.encoding);
  const builder = new MarkdownBuilder();
  for (const { type, key, fields } of bibSources(text)) {
    const title = plain(fields.get("title") ?? "");
    builder.heading(2, title === "" ? key : title);
    const lines = [`${type}: ${key}`];
    for (const [name, value] of fields) {
      const shown = LEFT_OUT.test(name) ? "" : PEOPLE.has(name) ? peopleIn(value).join(", ") : plain(value);
      if (shown !== "") lines.push(`${name}: ${shown}`);
    }
    builder.paragraph(lines.join("\n"));
  }
  if (builder.length === 0) {
    for (const paragraph of text.split(/\n\s*\n/)) builder.paragraph(paragraph);
  }
  return builder.finish();
});
