import assert from "node:assert/strict";
import { utils, write } from "@e965/xlsx";
import CFB from "cfb";
import { codePages, loader } from "#documents/formats/xls.ts";

const load = (bytes: Uint8Array<ArrayBuffer>) => loader.load(bytes, { path: "a.xls" });

/** Returns a workbook with these rows on one sheet, and a hidden sheet. */
function xls(rows: readonly (readonly unknown[])[], bookType: "biff8" | "biff5" = "biff8") {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  if (sheet["B3"]) sheet["B3"].z = "0.00%";
  if (sheet["C3"]) sheet["C3"].z = "yyyy-mm-dd";
  sheet["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 2 } }];
  utils.book_append_sheet(book, sheet, "Data");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["secret"]]), "Hidden");
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  book.Props = { Title: "Report", Author: "Li Na" };
  return new Uint8Array(write(book, { type: "array", bookType }));
}
const ROWS = [["Sales"], ["城市", "share", "day"], ["北京", 0.1234, 45000], ["x", true, 7]];

/** Returns a workbook whose stream of records is changed. */
function changed(workbook: Uint8Array, change: (content: Uint8Array) => Iterable<number>) {
  const container = CFB.read(workbook, { type: "array" });
  const stream = CFB.find(container, "/Workbook")!;
  stream.content = Uint8Array.from(change(Uint8Array.from(stream.content as Uint8Array)));
  stream.size = stream.content.length;
  return new Uint8Array(CFB.write(container, { type: "array" }) as ArrayBuffer);
}

/** Returns a workbook with a record after its first one. */
function withRecord(workbook: Uint8Array, record: readonly number[]) {
  return changed(workbook, (content) => {
    const first = 4 + content[2]! + content[3]! * 256;
    return [...content.subarray(0, first), ...record, ...content.subarray(first)];
  });
}

Deno.test("a workbook of Excel 97 gives its visible sheets with formatted numbers", async () => {
  const { text, title, pages, metadata } = await load(xls(ROWS));
  assert.equal(
    text,
    "## Data\n\nSales\n\n| 城市 | share | day |\n| --- | --- | --- |\n| 北京 | 12.34% | 2023-03-15 |\n| x | TRUE | 7 |\n",
  );
  assert.deepEqual([title, metadata?.authors, pages], ["Report", ["Li Na"], [{
    number: 1,
    label: "Data",
    start: 0,
    end: text.length,
  }]]);
});

Deno.test("a workbook of Excel 95 is read", async () => {
  const { text } = await load(xls([["Übung"], ["a", "b"], ["c", 2]], "biff5"));
  assert.match(text, /bung\n\n\| a \| b \|\n\| --- \| --- \|\n\| c \| 200.00% \|\n/);
});

Deno.test("code pages are decoded with the tables of the runtime", () => {
  assert.equal(codePages.utils.decode(936, [0xb1, 0xb1, 0xbe, 0xa9]), "北京");
  assert.equal(codePages.utils.decode(950, "\xa5_"), "北");
  assert.equal(codePages.utils.decode(1200, [0x17, 0x53]), "北");
  assert.equal(codePages.utils.decode(1252, [0xdc]), "Ü");
  assert.deepEqual([936, 1251, 28605, 12345].map(codePages.utils.hascp), [true, true, true, false]);
});

Deno.test("cut-off, empty, encrypted and other files are rejected", async () => {
  const whole = xls(ROWS);
  await assert.rejects(load(whole.slice(0, 600)), { problem: "damaged" });
  await assert.rejects(load(new Uint8Array()), { problem: "damaged" });
  await assert.rejects(load(new TextEncoder().encode("a,b\n1,2\n")), { problem: "damaged" });
  await assert.rejects(load(new TextEncoder().encode("<table><tr><td>a</table>")), { problem: "damaged" });
  // FILEPASS after the first record marks RC4 encryption.
  const pass = [0x2f, 0, 54, 0, 1, 0, 1, 0, 1, 0, ...new Array(48).fill(1)];
  await assert.rejects(load(withRecord(whole, pass)), { problem: "encrypted" });
});

Deno.test("a workbook with a record that lacks its count is rejected", async () => {
  for (const record of [[0x17, 0, 0, 0], [0x17, 0, 1, 0, 1], [0x07, 0, 0, 0]]) {
    await assert.rejects(load(withRecord(xls(ROWS), record)), {
      problem: "damaged",
      message: "a record of the workbook is cut off",
    });
  }
});

Deno.test("zeros behind the last record of a workbook are not read", async () => {
  const padding = [0, 0, 0, 0, 0x17, 0, 0, 0];
  const { text } = await load(changed(xls(ROWS), (content) => [...content, ...padding]));
  assert.equal(text, (await load(xls(ROWS))).text);
});

Deno.test("broken bytes give a document or a DocumentError", async () => {
  const whole = xls(ROWS);
  for (let at = 0; at < whole.length; at += 97) {
    const broken = whole.slice();
    broken[at] = broken[at]! ^ 0xff;
    await load(broken).catch((error) => assert.equal(error.name, "DocumentError"));
  }
});
