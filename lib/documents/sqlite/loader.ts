/** Loads SQLite databases: each table is a page with its statement and its rows, each view shows its statement. */
import { beginsWith } from "../bytes.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import { SheetBudget } from "../office/sheet.ts";
import { DocumentError, guarded, type Loader } from "../types.ts";
import { Database, type SqlValue } from "./database.ts";
import { readSchema, valuesOf } from "./schema.ts";

/** Most rows that are read of all tables together. */
const MOST_ROWS = 200_000;
/** Characters of the longest statement that is shown. */
const LONGEST_STATEMENT = 20_000;
const SIGNATURE = "SQLite format 3\0";

/** SQLite databases. The tables of full-text search and bytes that are no text are left out. The file is never written. */
export const loader: Loader = guarded((bytes, { path }) => {
  if (!beginsWith(bytes, SIGNATURE)) throw refusal(bytes, path);
  const database = new Database(bytes);
  const { tables, views } = readSchema(database.rows(1));
  const builder = new MarkdownBuilder();
  const budget = new SheetBudget();
  let left = MOST_ROWS;
  for (const [i, table] of tables.entries()) {
    builder.page(i + 1, "sheet", table.name);
    builder.heading(2, table.name);
    if (table.sql.length <= LONGEST_STATEMENT) builder.code(table.sql, "sql");
    const rows: string[][] = [];
    let isCut = false;
    for (const row of database.rows(table.root)) {
      isCut = left <= 0;
      if (isCut) break;
      left--;
      const cells = valuesOf(table, row).map(shown);
      for (const cell of cells) budget.cell(cell);
      rows.push(cells);
    }
    budget.table(rows.length + 1, table.columns.length);
    builder.table([table.columns, ...rows]);
    if (isCut) builder.paragraph(`(Only the first ${MOST_ROWS} rows of the database are read.)`);
  }
  for (const [i, { name, sql }] of views.entries()) {
    builder.page(tables.length + i + 1, "sheet", name);
    builder.heading(2, name);
    builder.code(sql, "sql");
  }
  const note = "WAL: changes in a file -wal beside it are not read";
  return builder.finish(described(database.hasLog ? [["journal", note]] : []));
});

function shown(value: SqlValue): string {
  return value === undefined ? "" : String(value);
}

/** Bytes that tell encrypted files from others, and the distinct values that they have at least if they look random. */
const SAMPLE = 1024, RANDOM = 230;

/** Returns why a file without the signature is not read. Others than SQLite use the extension `.db` too. */
function refusal(bytes: Uint8Array, path: string): DocumentError {
  const isRandom = bytes.length >= SAMPLE && bytes.length % 512 === 0 &&
    new Set(bytes.subarray(0, SAMPLE)).size >= RANDOM;
  if (isRandom) return new DocumentError("encrypted", "the database is encrypted");
  return /\.db$/i.test(path)
    ? new DocumentError("not_text", "it is not an SQLite database")
    : new DocumentError("damaged", "it is not an SQLite database");
}
