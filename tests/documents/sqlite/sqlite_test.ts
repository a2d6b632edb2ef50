import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import { type Document, DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/sqlite/loader.ts";
import { checkDocument } from "../_check_document.ts";
import { databaseOf } from "./database_of.ts";

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
  const document = await loader.load(bytes, { path: "a.db" });
  checkDocument(document);
  return document;
}

async function problem(bytes: Uint8Array<ArrayBuffer>, path = "a.sqlite"): Promise<string> {
  try {
    return (await loader.load(bytes, { path })).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return `${error.problem}: ${error.message}`;
  }
}

Deno.test("each table is a page with its statement and rows; bytes that are no text are left out, and a view shows its statement", async () => {
  const { text, pages, pageUnit } = await read(databaseOf(
    `CREATE TABLE [tea shop] (id INTEGER PRIMARY KEY, "the name" TEXT NOT NULL DEFAULT 'a,b' /* no, c */, price REAL, n BIGINT, raw BLOB, -- x, y
       CHECK (price > 0), UNIQUE(n))`,
    "INSERT INTO [tea shop] VALUES(3, '绿茶', 2.5, 9007199254740993, x'00ff'), (8, 'a|b', 1, -70000, CAST('茶 leaf' AS BLOB))",
    "CREATE TABLE empty(a, b)",
    "CREATE VIEW cheap AS SELECT price FROM [tea shop]",
  ));
  equal(
    text,
    "## tea shop\n\n```sql\nCREATE TABLE [tea shop] (id INTEGER PRIMARY KEY, \"the name\" TEXT NOT NULL DEFAULT 'a,b' /* no, c */, price REAL, n BIGINT, raw BLOB, -- x, y\n" +
      "       CHECK (price > 0), UNIQUE(n))\n```\n\n| id | the name | price | n | raw |\n| --- | --- | --- | --- | --- |\n" +
      "| 3 | 绿茶 | 2.5 | 9007199254740993 |  |\n| 8 | a\\|b | 1 | -70000 | 茶 leaf |\n\n" +
      "## empty\n\n```sql\nCREATE TABLE empty(a, b)\n```\n\n| a | b |\n| --- | --- |\n\n## cheap\n\n```sql\nCREATE VIEW cheap AS SELECT price FROM [tea shop]\n```\n",
  );
  deepEqual(pages!.map(({ label }) => label), ["tea shop", "empty", "cheap"]);
  equal(pageUnit, "sheet");
});

Deno.test("a column stands for the row's number only if it is the key and of type INTEGER", async () => {
  const { text } = await read(databaseOf(
    "CREATE TABLE a(x INTEGER, y, CONSTRAINT k PRIMARY KEY (x))",
    "CREATE TABLE b(x INT PRIMARY KEY, y)",
    "INSERT INTO a VALUES(7, 'seven'); INSERT INTO b VALUES(7, 'seven')",
  ));
  equal(text.match(/\| 7 \| seven \|/g)?.length, 2);
});

Deno.test("tables without row numbers, generated and added columns, and other encodings", async () => {
  const { text } = await read(databaseOf(
    "PRAGMA encoding = 'UTF-16le'",
    "CREATE TABLE kept(v TEXT, k TEXT, j INT, PRIMARY KEY(k, j)) WITHOUT ROWID",
    "INSERT INTO kept VALUES('绿茶', 'tea', 1), ('black', 'tea', 2)",
    "CREATE TABLE made(a INT, b INT AS (a * 2), c INT AS (a * 3) STORED)",
    "INSERT INTO made(a) VALUES(5)",
    "ALTER TABLE made ADD COLUMN d TEXT DEFAULT 'it''s'",
  ));
  equal(
    text,
    "## kept\n\n```sql\nCREATE TABLE kept(v TEXT, k TEXT, j INT, PRIMARY KEY(k, j)) WITHOUT ROWID\n```\n\n| v | k | j |\n| --- | --- | --- |\n| 绿茶 | tea | 1 |\n| black | tea | 2 |\n\n" +
      "## made\n\n```sql\nCREATE TABLE made(a INT, b INT AS (a * 2), c INT AS (a * 3) STORED, d TEXT DEFAULT 'it''s')\n```\n\n| a | c | d |\n| --- | --- | --- |\n| 5 | 15 | it's |\n",
  );
});

Deno.test("rows in trees of many pages, and values that continue on other pages, are complete", async () => {
  const { text } = await read(databaseOf(
    "PRAGMA page_size = 512",
    "CREATE TABLE a(t)",
    "CREATE TABLE b(k PRIMARY KEY, t) WITHOUT ROWID",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO a SELECT 'row' || i FROM c",
    "INSERT INTO b SELECT t, 'of ' || t FROM a",
    "INSERT INTO a VALUES(replace(hex(zeroblob(3000)), '0', 'tea '))",
  ));
  equal(text.match(/row\d+ \|/g)!.length, 6000);
  equal(text.match(/tea/g)!.length, 6000);
});

Deno.test("the tables of full-text search are left out, but their text is read", async () => {
  const { text } = await read(databaseOf(
    "CREATE VIRTUAL TABLE notes USING fts5(title, body)",
    "INSERT INTO notes VALUES('Tea', 'green tea')",
  ));
  equal(
    text,
    "## notes\n\n```sql\nCREATE VIRTUAL TABLE notes USING fts5(title, body)\n```\n\n| id | title | body |\n| --- | --- | --- |\n| 1 | Tea | green tea |\n",
  );
});

Deno.test("rows beyond the limit are left out with a message", async () => {
  const { text } = await read(databaseOf(
    "CREATE TABLE a(i)",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200001) INSERT INTO a SELECT i FROM c",
  ));
  ok(text.endsWith("| 200000 |\n\n(Only the first 200000 rows of the database are read.)\n"));
});

Deno.test("a database in WAL mode says that changes may lie beside it", async () => {
  const { metadata } = await read(databaseOf("PRAGMA journal_mode = WAL", "CREATE TABLE a(b)"));
  deepEqual(metadata, { extra: { journal: "WAL: changes in a file -wal beside it are not read" } });
});

Deno.test("an encrypted database is refused, and other files with the extension are not databases", async () => {
  const random = Uint8Array.from({ length: 4096 }, (_, i) => (i * 167 + (i >> 8) * 13) % 256);
  equal(await problem(random), "encrypted: the database is encrypted");
  const other = new TextEncoder().encode("Thumbs");
  equal(await problem(Uint8Array.from(other), "a.db"), "not_text: it is not an SQLite database");
  equal(await problem(Uint8Array.from(other)), "damaged: it is not an SQLite database");
  equal(
    await problem(databaseOf("CREATE TABLE a(b)").slice(0, 50)),
    "damaged: the header of the database is broken",
  );
});

Deno.test("loops of pages end, and cells that overlap are not read", async () => {
  const bytes = databaseOf("PRAGMA page_size = 4096", "CREATE TABLE a(b)", "INSERT INTO a VALUES('tea')");
  const loop = bytes.slice();
  // The root of the table becomes an inner page whose children are itself and the first page.
  loop.set([5, 0, 0, 0, 1, 0x0f, 0xf0, 0, 0, 0, 0, 2, 0x0f, 0xf0], 4096);
  loop.set([0, 0, 0, 1, 1], 4096 + 0xff0);
  equal((await read(loop)).text, "## a\n\n```sql\nCREATE TABLE a(b)\n```\n\n| b |\n| --- |\n");
  const overlapping = bytes.slice();
  const cell = new DataView(bytes.buffer).getUint16(4096 + 8);
  const view = new DataView(overlapping.buffer);
  view.setUint16(4096 + 3, 2000);
  for (let i = 0; i < 2000; i++) view.setUint16(4096 + 8 + 2 * i, cell);
  ok((await read(overlapping)).text.length < 3 * 4096);
});

Deno.test("a table that a forged schema repeats is read once", async () => {
  const bytes = databaseOf("CREATE TABLE one(a)", "CREATE TABLE two(a)", "INSERT INTO two VALUES('tea')");
  const forged = Buffer.from(bytes).toString("latin1").replaceAll("two", "one");
  equal(
    (await read(new Uint8Array(Buffer.from(forged, "latin1")))).text,
    "## one\n\n```sql\nCREATE TABLE one(a)\n```\n\n| a |\n| --- |\n",
  );
});

/** Returns a database with `CREATE TABLE a(b, c…)` and one row. `rest`: ASCII behind `c`, which SQLite need not accept. */
function databaseWith(rest: string): Uint8Array<ArrayBuffer> {
  const bytes = databaseOf(
    `CREATE TABLE a(b, c ${"z".repeat(rest.length)})`,
    "INSERT INTO a VALUES('tea', 1)",
  );
  let at = 0;
  return bytes.map((byte) => byte === "z".charCodeAt(0) ? rest.charCodeAt(at++) : byte);
}

Deno.test("a statement with 400,000 marks whose end is missing is read in linear time", async () => {
  for (const mark of ["[", '"', "`", "'", "/*", "-", "/"]) {
    const { text } = await read(databaseWith(mark.repeat(400_000)));
    ok(text.startsWith("## a\n\n| b | "), mark);
  }
});

Deno.test("of a table with more columns than SQLite allows the first 2,000 are read, whatever its key names", async () => {
  const names = (prefix: string) => Array.from({ length: 60_000 }, (_, i) => prefix + i.toString(36)).join();
  const { text } = await read(databaseWith(`, ${names("c")}, PRIMARY KEY(${names("k")})`));
  equal(text.split("\n", 3)[2]!.match(/ c[0-9a-z]* /g)!.length, 1999);
});
