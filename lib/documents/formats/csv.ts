/**
 * Loads delimited text with any delimiter as one table. Lines of a single field above it become paragraphs.
 * Below it: how the delimiter is found.
 */
import Papa from "papaparse";
import { DocumentError, guarded, type Loader } from "../types.ts";
import { bytesToText } from "../decode.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";

/** Most cells of a table, empty ones included. One very wide row widens all others. */
const MOST_CELLS = 20_000_000;
/** Most lines above a table that may be its title. */
const TITLE_LINES = 10;

interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string }[];
}

/** Delimited text with any delimiter, read as one table. Lines of a single field above it become paragraphs. */
export const loader: Loader = guarded(async (bytes, file) => {
  let text = (await bytesToText(bytes, file)).text.replace(/^\ufeff/, "");
  // Excel writes the delimiter on a separate line.
  const declared = /^"?sep=([^\r\n"])"?(?:\r\n|[\r\n]|$)/i.exec(text);
  if (declared !== null) text = text.slice(declared[0].length);
  const rows = parse(text, declared?.[1] ?? delimiterOf(text, file.path));
  const builder = new MarkdownBuilder();
  const start = titleLines(rows);
  for (const { cells } of rows.slice(0, start)) builder.paragraph(cells.join(" "));
  const table = rows.slice(start);
  const width = table.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (width * table.length > MOST_CELLS) {
    throw new DocumentError("too_complex", `the table has ${table.length} rows of ${width} columns`);
  }
  builder.table(table.map(({ cells }) => cells), table.map(({ number }) => number));
  return builder.finish({ title: start > 0 ? rows[0]!.cells.join(" ") : undefined });
});

/** A row with its number as a program for spreadsheets counts it, from 1. */
interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Returns the rows that are not empty, without empty fields at their ends. */
function parse(text: string, delimiter: string): Row[] {
  const read = (quoteChar: string): Parsed => Papa.parse(text, { delimiter, quoteChar });
  let { data, errors } = read('"');
  // A quote that is never closed would turn the rest of the file into one field.
  if (errors.some(({ code }) => code === "MissingQuotes")) data = read("\0").data;
  return data.map((row, i) => {
    let end = row.length;
    while (end > 0 && row[end - 1]!.trim() === "") end--;
    return { number: i + 1, cells: end === row.length ? row : row.slice(0, end) };
  }).filter(({ cells }) => cells.length > 0);
}

/** Returns the number of single-field rows above the first row with more fields; 0 for a table with one column. */
function titleLines(rows: readonly Row[]): number {
  const first = rows.slice(0, TITLE_LINES + 1).findIndex(({ cells }) => cells.length > 1);
  return first < 0 ? 0 : first;
}

/** The first one is taken if two fit equally well. */
const DELIMITERS = [",", "\t", ";", "|"] as const;
/** Size of the head by which the delimiter is recognised, in UTF-16 units and rows. */
const HEAD = 100_000;
const HEAD_ROWS = 100;

/**
 * Returns the delimiter with which most rows have the same number of fields, at least two. The extension decides between
 * equal delimiters, and for files with a single column.
 */
function delimiterOf(text: string, path: string): string {
  const usual = /\.(?:tsv|tab)$/i.test(path) ? "\t" : /\.psv$/i.test(path) ? "|" : ",";
  const head = text.slice(0, HEAD);
  let best = { delimiter: usual, score: 0 };
  for (const delimiter of new Set([usual, ...DELIMITERS])) {
    const score = evenness(head, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/**
 * Returns the share of rows with the most frequent number of fields, or 0 if that number is one. Of two equal shares, the
 * one with more fields is larger.
 */
function evenness(head: string, delimiter: string): number {
  const { data }: { data: readonly (readonly string[])[] } = Papa.parse(head, {
    delimiter,
    preview: HEAD_ROWS,
    skipEmptyLines: true,
  });
  const counts = new Map<number, number>();
  for (const row of data) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  let best = 0;
  for (const [fields, rows] of counts) {
    if (fields > 1) best = Math.max(best, rows / data.length + Math.min(fields, 1000) / 10_000);
  }
  return best;
}
