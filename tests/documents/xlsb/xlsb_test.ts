import assert from "node:assert/strict";
import { utils, write } from "@e965/xlsx";
import { unzipSync, zipSync } from "fflate";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/formats/xlsb.ts";

/** Returns a workbook with a sheet that has all kinds of cells, and a hidden sheet. */
function xlsb() {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([["Sales"], ["城市", "share", "day"], ["北京", 0.1234, 45000], [
    "x",
    true,
    7,
  ]]);
  sheet["B3"].z = "0.00%";
  sheet["C3"].z = "yyyy-mm-dd";
  sheet["A4"].c = [{ a: "Li Na", t: "Li Na:\nCheck\nthis" }];
  sheet["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 2 } }];
  utils.book_append_sheet(book, sheet, "Data");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["secret"]]), "Hidden");
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  book.Props = { Title: "Report", Author: "Li Na" };
  return new Uint8Array(write(book, { type: "array", bookType: "xlsb", bookSST: true }));
}

Deno.test("a binary workbook gives its visible sheets with formatted numbers and comments", async () => {
  const { text, title, metadata, pages } = await loader.load(xlsb(), { path: "a.xlsb" });
  assert.equal(
    text,
    "## Data\n\nSales\n\n| 城市 | share | day |\n| --- | --- | --- |\n| 北京 | 12.34% | 2023-03-15 |\n| x | TRUE | 7 |\n\n> [A4, Li Na] Check\n> this\n",
  );
  assert.equal(title, "Report");
  assert.deepEqual(metadata?.authors, ["Li Na"]);
  assert.deepEqual(pages?.map(({ label }) => label), ["Data"]);
});

/** Returns what a workbook with other parts gives, or the reason why it is refused. */
async function resultOf(change: (parts: Record<string, Uint8Array>) => void): Promise<string> {
  const parts = unzipSync(xlsb());
  change(parts);
  try {
    return (await loader.load(new Uint8Array(zipSync(parts)), { path: "a.xlsb" })).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

/** Returns a record of a part: numbers of 32 bits, or bytes. */
function record(type: number, ...numbers: readonly number[]): Uint8Array {
  const data = new Uint8Array(new Uint32Array(numbers).buffer);
  const head = type < 128 ? [type] : [type & 0x7f | 0x80, type >> 7];
  return Uint8Array.of(...head, data.length, ...data);
}

/** Returns a workbook whose first sheet has these records. */
const sheet = (...records: readonly Uint8Array[]) =>
  resultOf((parts) =>
    parts["xl/worksheets/sheet1.bin"] = Uint8Array.from(records.flatMap((one) => [...one]))
  );

Deno.test("cells are compressed numbers, formulas and errors, and may leave out their column", async () => {
  const [row, integer, percent] = [record(0, 4), 5 << 2 | 2, 1234 << 2 | 3];
  const bytes = (type: number, column: number, byte: number) =>
    Uint8Array.of(type, 9, column, 0, 0, 0, 0, 0, 0, 0, byte);
  assert.equal(
    await sheet(
      row,
      record(2, 0, 0, integer),
      record(13, 0, percent),
      record(9, 2, 0, 0, 0x40040000),
      record(0, 5),
      bytes(11, 0, 0x2a),
      bytes(4, 1, 1),
    ),
    "## Data\n\n| 5 | 12.34 | 2.5 |\n| --- | --- | --- |\n| #N/A | TRUE |  |\n\n> [A4, Li Na] Check\n> this\n",
  );
});

Deno.test("a workbook with parts that are missing or cut off, ranges over everything and places outside a sheet ends", async () => {
  assert.equal(
    await resultOf((parts) => parts["xl/sharedStrings.bin"] = Uint8Array.of(0x13, 0x7f, 0)),
    "damaged",
  );
  assert.equal(await resultOf((parts) => delete parts["xl/workbook.bin"]), "damaged");
  assert.ok((await resultOf((parts) => delete parts["xl/sharedStrings.bin"])).startsWith("## Data\n"));
  const everything = [0, 0xffffffff, 0, 0xffffffff];
  const comment = "## Data\n\n> [A4, Li Na] Check\n> this\n";
  assert.equal(
    await sheet(
      record(148, ...everything),
      record(176, ...everything),
      record(494, ...everything),
      record(0, 0xffffffff),
      record(2, 0xffffffff, 0, 22),
    ),
    comment,
  );
  assert.equal(await sheet(...Array.from({ length: 20_000 }, () => record(7, 0, 0, 0xffffffff))), comment);
});
