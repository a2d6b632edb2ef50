import Papa from "papaparse";

/** In the order in which they are taken where two fit equally well. */
const DELIMITERS = [",", "\t", ";", "|"] as const;
/** Shape of the head of a file, in UTF-16 units and rows. */
const HEAD = 100_000;
const HEAD_ROWS = 100;

/**
 * The delimiter that gives most rows the same number of fields, at least two. The extension decides where two do, and for
 * files of a single column.
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

/** Share of rows with the commonest number of fields, 0 where that is one; of two equal shares more fields count more. */
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
