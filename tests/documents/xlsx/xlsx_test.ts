import assert from "node:assert/strict";
import { loader } from "#documents/formats/xlsx.ts";
import { zipOf } from "../zip_of.ts";
import { data, R, relations, xlsxOf } from "./xlsx_of.ts";

const load = (bytes: Uint8Array<ArrayBuffer>) => loader.load(bytes, { path: "a.xlsx" });
const textOf = async (bytes: Uint8Array<ArrayBuffer>) => (await load(bytes)).text;

Deno.test("each sheet is a page and a section, hidden ones are left out, the title comes from the properties", async () => {
  const document = await load(xlsxOf(
    { 销售: data(["年", "额"], ["2020", "1|2"]), Secret: data(["x"]), Notes: data(["Only this"]) },
    {
      states: { Secret: "veryHidden" },
      parts: {
        "docProps/core.xml":
          '<p:coreProperties xmlns:p="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>Report</d:title><d:creator>Li Na</d:creator></p:coreProperties>',
      },
    },
  ));
  const text = "## 销售\n\n| 年 | 额 |\n| --- | --- |\n| 2020 | 1\\|2 |\n\n## Notes\n\nOnly this\n";
  const notes = text.indexOf("## Notes");
  assert.deepEqual(document, {
    text,
    title: "Report",
    sections: [
      { start: 0, headingEnd: 5, end: notes, level: 2, title: "销售", path: ["销售"] },
      { start: notes, headingEnd: notes + 8, end: text.length, level: 2, title: "Notes", path: ["Notes"] },
    ],
    // The page begins one empty line before the section.
    pages: [
      { number: 1, label: "销售", start: 0, end: notes - 1 },
      { number: 3, label: "Notes", start: notes - 1, end: text.length },
    ],
    pageUnit: "sheet",
    rows: [{ line: 3, row: 1 }, { line: 4, row: 0 }, { line: 5, row: 2 }, { line: 6, row: 0 }],
    metadata: { authors: ["Li Na"] },
  });
});

Deno.test("cells are shown as Excel formats them", async () => {
  const cell = (xml: string) => `<row>${xml}</row>`;
  const text = await textOf(xlsxOf({
    S: `<sheetData>${
      [
        '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>99</v></c>',
        '<c s="1"><v>45000</v></c><c s="2"><v>0.1234</v></c><c s="3"><v>1234.5</v></c>',
        '<c s="4"><v>45000.5</v></c><c s="5"><v>7</v></c><c s="77"><v>0.30000000000000004</v></c>',
        '<c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="d"><v>2024-05-01T00:00:00</v></c>',
        '<c><f>A1*2</f><v>14</v></c><c t="str"><f>A1&amp;"x"</f><v>yx</v></c><c><f>SUM(A1:A2)</f></c>',
        '<c s="6"><v>45000</v></c><c s="0"><v>123456789012</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>',
      ].map(cell).join("")
    }</sheetData>`,
  }, {
    strings: "<si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>phonetic</t></rPh></si>",
    styles:
      '<numFmts><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="166" formatCode="[[[bad"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="166"/><xf numFmtId="165"/></cellXfs>',
  }));
  assert.equal(
    text,
    `## S

| plain | rich |  |
| --- | --- | --- |
| 2023-03-15 | 12.34% | $1,234.50 |
| 2023-03-15 12:00 | 7 | 0.3 |
| TRUE | #DIV/0! | 2024-05-01 |
| 14 | yx | =SUM(A1:A2) |
| 2023年3月15日 | 123456789012 | ab |
`,
  );
});

Deno.test("dates may count from 1904", async () => {
  const text = await textOf(xlsxOf({ S: '<sheetData><row><c s="0"><v>43538</v></c></row></sheetData>' }, {
    properties: '<workbookPr date1904="1"/>',
    styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
  }));
  assert.equal(text, "## S\n\n2023-03-15\n");
});

Deno.test("blocks separated by empty rows or columns, or touching at a corner, are separate tables", async () => {
  const text = await textOf(xlsxOf({
    S: data(
      ["Stock"],
      ["a", "b", "", "k", "l"],
      ["1", "", "", "2", "3"],
      [],
      ["x", "y"],
      ["4", "5"],
      ["", "", "p", "q"],
      ["", "", "6", "7"],
    ),
  }));
  const table = (...rows: string[]) => `${rows[0]}\n| --- | --- |\n${rows[1]}\n`;
  assert.equal(
    text,
    ["## S\n", "Stock\n", table("| a | b |", "| 1 |  |"), table("| k | l |", "| 2 | 3 |")]
      .concat(table("| x | y |", "| 4 | 5 |"), table("| p | q |", "| 6 | 7 |")).join("\n"),
  );
});

Deno.test("a merged cell is repeated in each row and column, a merged title is a paragraph", async () => {
  const text = await textOf(xlsxOf({
    S: data(["Title", ""], ["head", ""], ["a", "1"], ["", "2"]) +
      '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/><mergeCell ref="D1:XFD1048576"/></mergeCells>',
  }));
  assert.equal(text, "## S\n\nTitle\n\nhead\n\n| a | 1 |\n| --- | --- |\n| a | 2 |\n");
});

Deno.test("comments and threads follow the tables, with their cell, author and day", async () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const threads = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"';
  const text = await textOf(xlsxOf({ S: data(["a", "b"]) }, {
    parts: {
      "xl/worksheets/_rels/sheet1.xml.rels": relations(
        ["comments", "../comments1.xml"],
        ["threadedComment", "../threadedComments/t.xml"],
      ),
      "xl/comments1.xml":
        `<comments ${main}><authors><author>Ann</author><author>tc={1}</author></authors><commentList><comment ref="B1" authorId="0"><text><r><t>Ann:</t></r><r><t>\nCheck\nthis</t></r></text></comment><comment ref="A1" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>`,
      "xl/threadedComments/t.xml":
        `<ThreadedComments ${threads}><threadedComment ref="A1" dT="2026-06-18T17:12:37.41" personId="{2}" id="{1}"><text>为什么？</text></threadedComment></ThreadedComments>`,
      "xl/persons/person.xml": `<personList ${threads}><person displayName="李娜" id="{2}"/></personList>`,
    },
  }));
  assert.equal(
    text,
    "## S\n\n| a | b |\n| --- | --- |\n\n> [A1, 李娜, 2026-06-18] 为什么？\n\n> [B1, Ann] Check\n> this\n",
  );
});

Deno.test("charts, text boxes and pictures of a sheet are read", async () => {
  const c = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
  const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const text = await textOf(xlsxOf({ S: `${data(["a"])}<drawing r:id="r1"/>` }, {
    parts: {
      "xl/worksheets/_rels/sheet1.xml.rels": relations(["drawing", "../drawings/d.xml"]),
      "xl/drawings/_rels/d.xml.rels": relations(["chart", "../charts/c.xml"]),
      "xl/drawings/d.xml":
        `<x:wsDr xmlns:x="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ${a} ${c} ${R}><x:oneCellAnchor><x:from><x:col>0</x:col><x:row>9</x:row></x:from><x:pic><x:nvPicPr><x:cNvPr descr="A tree"/></x:nvPicPr></x:pic></x:oneCellAnchor><x:twoCellAnchor><x:from><x:row>2</x:row></x:from><x:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r1"/></a:graphicData></a:graphic></x:graphicFrame></x:twoCellAnchor><x:twoCellAnchor><x:from><x:row>1</x:row></x:from><x:sp><x:txBody><a:p><a:r><a:t>Box</a:t></a:r></a:p></x:txBody></x:sp></x:twoCellAnchor></x:wsDr>`,
      "xl/charts/c.xml":
        `<c:chartSpace ${c} ${a}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>Sum</c:v></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>5</c:v></c:pt></c:numCache></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    },
  }));
  assert.equal(
    text,
    "## S\n\na\n\nBox\n\nSales (bar chart)\n\n|  | Sum |\n| --- | --- |\n| Q1 | 5 |\n\n![A tree]()\n",
  );
});

Deno.test("distant cells cost nothing, whatever dimension is declared", async () => {
  const text = await textOf(xlsxOf({
    S: '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c><c r="ZZZ9"><v>3</v></c></row><row r="99999999"><c r="A99999999"><v>4</v></c></row></sheetData>',
  }));
  assert.equal(text, "## S\n\n1\n\n2\n");
});

Deno.test("a long string shown in many cells, and a row that widens many others, are rejected", async () => {
  const strings = `<si><t>${"x".repeat(100_000)}</t></si>`;
  const bomb = xlsxOf({ S: `<sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(2000)}</sheetData>` }, {
    strings,
  });
  await assert.rejects(load(bomb), { problem: "too_complex" });
  const wide = `<row>${"<c><v>1</v></c>".repeat(16_000)}</row>${
    "<row><c><v>1</v></c><c><v>2</v></c></row>".repeat(2000)
  }`;
  await assert.rejects(load(xlsxOf({ S: `<sheetData>${wide}</sheetData>` })), { problem: "too_complex" });
});

Deno.test("cut-off, empty, encrypted, binary and other files are rejected", async () => {
  const whole = xlsxOf({ S: data(["a"]) });
  await assert.rejects(load(whole.slice(0, whole.length - 40)), { problem: "damaged" });
  await assert.rejects(load(new Uint8Array()), { problem: "damaged" });
  await assert.rejects(load(zipOf({ "word/document.xml": "<w/>" })), { problem: "damaged" });
  await assert.rejects(load(xlsxOf({})), { problem: "damaged" });
  const encrypted = new Uint8Array(2048);
  encrypted.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  for (const [i, char] of [..."EncryptedPackage"].entries()) encrypted[1024 + 2 * i] = char.charCodeAt(0);
  await assert.rejects(load(encrypted), { problem: "encrypted" });
  const binary = zipOf({
    "_rels/.rels": relations(["officeDocument", "xl/workbook.bin"]),
    "xl/workbook.bin": "x",
  });
  await assert.rejects(load(binary), { problem: "unsupported" });
});
