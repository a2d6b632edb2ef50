import assert from "node:assert/strict";
import { loader } from "#documents/formats/csv.ts";
import { rowAt } from "#documents/mod.ts";

const load = (text: string, path = "a.csv") => loader.load(new TextEncoder().encode(text), { path });
const TABLE = "| Name | Ort |\n| --- | --- |\n| Ann, Jr. | a\\|b |\n| 李娜 | 北京 |\n";
const ROWS = [{ line: 1, row: 1 }, { line: 2, row: 0 }, { line: 3, row: 2 }, { line: 5, row: 0 }];

Deno.test("the delimiter is recognised by the rows, whatever the extension", async () => {
  for (
    const text of [
      '\ufeffName,Ort\r\n"Ann, Jr.",a|b\r\n李娜,北京\r\n',
      "Name;Ort\nAnn, Jr.;a|b\n李娜;北京\n",
      "Name\tOrt\nAnn, Jr.\ta|b\n李娜\t北京\n",
      'Name|Ort\nAnn, Jr.|"a|b"\n李娜|北京',
      "sep=;\nName;Ort\nAnn, Jr.;a|b\n李娜;北京\n",
    ]
  ) assert.deepEqual(await load(text), { text: TABLE, sections: [], rows: ROWS });
});

Deno.test("rows have the numbers of the file, in which empty ones and titles count", async () => {
  const { text, rows } = await load("Prices,\n\na,b\n1,2\n\n,\n3,4\n5,6\n");
  assert.equal(text, "Prices\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n");
  const of = (line: number) => rowAt(rows!, line);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].map(of), [
    undefined,
    undefined,
    3,
    undefined,
    4,
    7,
    8,
    undefined,
  ]);
});

Deno.test("a title above the table is a paragraph; ragged rows and line breaks in quotes are kept", async () => {
  const { text, title } = await load('Sales by year,,\n\nYear,Sum\n2020,1,late\n2021\n"a ""b""\nc",2\n');
  assert.equal(title, "Sales by year");
  assert.equal(
    text,
    'Sales by year\n\n| Year | Sum |  |\n| --- | --- | --- |\n| 2020 | 1 | late |\n| 2021 |  |  |\n| a "b" c | 2 |  |\n',
  );
});

Deno.test("a single column, an empty file and an unclosed quote keep their text", async () => {
  assert.equal((await load("Wort\nÜbung\n")).text, "| Wort |\n| --- |\n| Übung |\n");
  assert.deepEqual(await load(""), { text: "", sections: [] });
  assert.equal((await load('a,b\n"c,d\ne,f\n')).text, '| a | b |\n| --- | --- |\n| "c | d |\n| e | f |\n');
});

Deno.test("GB18030 is detected", async () => {
  // 姓名,城市 / 李娜,北京 / 王伟,上海 in GB18030
  const bytes = Uint8Array.of(
    ...[0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xb3, 0xc7, 0xca, 0xd0, 0x0a, 0xc0, 0xee, 0xc4, 0xc8, 0x2c, 0xb1],
    ...[0xb1, 0xbe, 0xa9, 0x0a, 0xcd, 0xf5, 0xce, 0xb0, 0x2c, 0xc9, 0xcf, 0xba, 0xa3, 0x0a],
  );
  const { text } = await loader.load(bytes, { path: "a.csv" });
  assert.equal(text, "| 姓名 | 城市 |\n| --- | --- |\n| 李娜 | 北京 |\n| 王伟 | 上海 |\n");
});

Deno.test("100,000 rows, and quotes that never match, take linear time", async () => {
  const { text } = await load("id,name\n" + '1,"a, b"\n'.repeat(100_000));
  assert.equal(text.length, "| id | name |\n| --- | --- |\n".length + 100_000 * "| 1 | a, b |\n".length);
  for (const hostile of ['"a"x,', '""', '"', '"\n', ',"']) await load(hostile.repeat(200_000));
});

Deno.test("a row that would widen all others too far is rejected", async () => {
  await assert.rejects(load(`${",x".repeat(20_000)}\n${"a,b\n".repeat(2000)}`), { problem: "too_complex" });
});

Deno.test("bytes that are not text are rejected", async () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 7919) % 251 & 0xff);
  await assert.rejects(loader.load(bytes, { path: "a.csv" }), { problem: "not_text" });
});
