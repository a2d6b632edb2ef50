import Papa from "papaparse";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { UserError } from "../../errors.ts";
import type { FileName, Loader } from "../loader.ts";
import { decodeText } from "../reader/decode_text.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { delimiterOf } from "./delimiter.ts";

/** Cells that a table is padded to at most: one very wide row would widen all others. */
const MOST_CELLS = 20_000_000;
/** Lines above a table that may be its title. */
const TITLE_LINES = 10;

interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string }[];
}

/** Delimited text of any delimiter, read as one table. Lines of a single field above it become paragraphs. */
export const loader: Loader = {
  load: (bytes, file) => guarded(async () => loadCsv(await textOf(bytes, file), file.path)),
};

async function textOf(bytes: Uint8Array, file: FileName): Promise<string> {
  try {
    return await decodeText(bytes, file);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}

function loadCsv(decoded: string, path: string): Document {
  let text = decoded.replace(/^\ufeff/, "");
  // Excel's own line about the delimiter is no content.
  const declared = /^"?sep=([^\r\n"])"?(?:\r\n|[\r\n]|$)/i.exec(text);
  if (declared !== null) text = text.slice(declared[0].length);
  const rows = parse(text, declared?.[1] ?? delimiterOf(text, path));
  const builder = new MarkdownBuilder();
  const start = titleLines(rows);
  for (const row of rows.slice(0, start)) builder.paragraph(row.join(" "));
  const table = rows.slice(start);
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  if (width * table.length > MOST_CELLS) {
    throw new DocumentError("too_complex", `the table has ${table.length} rows of ${width} columns`);
  }
  builder.table(table);
  return builder.finish({ title: start > 0 ? rows[0]!.join(" ") : undefined });
}

/** The rows that hold anything, without empty fields at their ends. */
function parse(text: string, delimiter: string): string[][] {
  const read = (quoteChar: string): Parsed =>
    Papa.parse(text, { delimiter, quoteChar, skipEmptyLines: true });
  let { data, errors } = read('"');
  // A quote that is never closed would make one field of the rest of the file.
  if (errors.some(({ code }) => code === "MissingQuotes")) data = read("\0").data;
  return data.map((row) => {
    let end = row.length;
    while (end > 0 && row[end - 1]!.trim() === "") end--;
    return row.slice(0, end);
  }).filter((row) => row.length > 0);
}

/** Number of rows of one field that stand above the first with more; none in a table of one column. */
function titleLines(rows: readonly string[][]): number {
  const first = rows.slice(0, TITLE_LINES + 1).findIndex((row) => row.length > 1);
  return first < 0 ? 0 : first;
}
