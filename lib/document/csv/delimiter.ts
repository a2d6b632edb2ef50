import Papa from "papaparse";

/** The first one is taken if two fit equally well. */
const DELIMITERS = [",", "\t", ";", "|"] as const;
/** Size of the head by which the delimiter is recognised, in UTF-16 units and rows. */
const HEAD = 100_000;
const HEAD_ROWS = 100;

/**
 * Returns the delimiter with which most rows have the same number of fields, at least two. The extension decides between
 * equal delimiters, and for files with a single column.
 */
export function delimiterOf(text: string, path: string): string {
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
