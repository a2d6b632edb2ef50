import type { Loader } from "../loader.ts";
import { readFrontMatter } from "../markup/front_matter.ts";
import { loadMarkdown } from "../markup/markdown.ts";
import { stripInlineMarkdown, withoutReferences } from "../markup/inline_markdown.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { writeOutputs } from "./outputs.ts";
import { type Cell, readNotebook } from "./read.ts";

/** Jupyter notebooks of the formats 3 and 4: texts, code and printed output. */
export const loader: Loader = { load: (bytes) => guarded(() => loadNotebook(bytes)) };

async function loadNotebook(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new DocumentError("damaged", "it is not JSON", { cause: error });
  }
  const notebook = readNotebook(data);
  if (notebook === undefined) throw new DocumentError("damaged", "it is not a notebook: it has no cells");
  const builder = new MarkdownBuilder();
  const [first] = notebook.cells;
  // Quarto and nbdev keep front matter in the first cell.
  const { end, fields } = first?.type === "raw" || first?.type === "markdown"
    ? readFrontMatter(first.source)
    : { end: 0 };
  for (const [i, cell] of notebook.cells.entries()) {
    builder.page(i + 1, "cell");
    const isAfterFields = i === 0 && fields !== undefined;
    await writeCell(
      isAfterFields ? { ...cell, source: cell.source.slice(end) } : cell,
      notebook.language,
      builder,
    );
  }
  const { title, author } = notebook;
  return builder.finish({
    title: fields?.title ?? withoutReferences(title),
    metadata: { ...(author === "" ? {} : { author }), ...fields?.metadata },
  });
}

async function writeCell(cell: Cell, language: string, builder: MarkdownBuilder): Promise<void> {
  if (cell.type === "markdown") writeMarkdown(cell.source, builder);
  else if (cell.type === "heading") builder.heading(cell.level, stripInlineMarkdown(cell.source));
  else if (cell.type === "raw") builder.paragraph(cell.source);
  else {
    const magic = /^%%(bash|sh|html|javascript|js|latex|perl|ruby|sql|svg|markdown|R)\b/.exec(cell.source)
      ?.[1];
    builder.code(cell.source, magic ?? language);
    await writeOutputs(cell.outputs, builder);
  }
}

/** Writes Markdown as it is. Its headings become sections. Embedded pictures are left out. */
function writeMarkdown(source: string, builder: MarkdownBuilder): void {
  const text = source.replace(/data:[\w.+-]{1,40}\/[\w.+-]{1,60};base64,[\w+/=\s]*/g, "").replace(
    /\r\n?/g,
    "\n",
  );
  let at = 0;
  for (const { start, headingEnd, level, title } of loadMarkdown(text).sections) {
    builder.block(text.slice(at, start));
    builder.heading(level, title);
    at = headingEnd;
  }
  builder.block(text.slice(at));
}
