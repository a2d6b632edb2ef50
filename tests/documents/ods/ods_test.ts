import assert from "node:assert/strict";
import { loader } from "#documents/odf/loader.ts";
import { zipOf } from "../zip_of.ts";

const NAMES = ["office", "style", "table", "text", "meta", "manifest", "chart"].map((name) =>
  `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
).concat(
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
).join(" ");
const TYPE = "application/vnd.oasis.opendocument.spreadsheet";

const content = (tables: string, styles = "") =>
  `<office:document-content ${NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
const ods = (tables: string, styles = "", parts: Readonly<Record<string, string>> = {}) =>
  zipOf({ mimetype: TYPE, "content.xml": content(tables, styles), ...parts });
const table = (rows: string, attributes = 'table:name="S"') =>
  `<table:table ${attributes}>${rows}</table:table>`;
const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const cell = (text: string, attributes = "") =>
  `<table:table-cell ${attributes}>${text === "" ? "" : `<text:p>${text}</text:p>`}</table:table-cell>`;
const load = (bytes: Uint8Array<ArrayBuffer>) => loader.load(bytes, { path: "a.ods" });
const textOf = async (bytes: Uint8Array<ArrayBuffer>) => (await load(bytes)).text;

Deno.test("each sheet is a page and a section, hidden ones are left out, the title comes from meta.xml", async () => {
  const document = await load(ods(
    table(
      row(cell("年") + cell("额")) + row(cell("2020") + cell("1<text:s text:c='2'/>x")),
      'table:name="销售"',
    ) +
      table(row(cell("secret")), 'table:name="H" table:style-name="ta2"') +
      table(`<table:table-header-rows>${row(cell("Only"))}</table:table-header-rows>`, 'table:name="Notes"'),
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
    {
      "meta.xml":
        `<office:document-meta ${NAMES}><office:meta><dc:title>Report</dc:title><dc:creator>李娜</dc:creator><dc:date>2024-05-01T10:00:00.5</dc:date></office:meta></office:document-meta>`,
    },
  ));
  assert.equal(document.text, "## 销售\n\n| 年 | 额 |\n| --- | --- |\n| 2020 | 1 x |\n\n## Notes\n\nOnly\n");
  assert.deepEqual([document.title, document.metadata], ["Report", {
    authors: ["李娜"],
    modified: "2024-05-01T10:00:00",
  }]);
  assert.deepEqual(document.pages?.map(({ number }) => number), [1, 3]);
  assert.deepEqual(document.sections.map(({ level, title }) => [level, title]), [[2, "销售"], [2, "Notes"]]);
});

Deno.test("repeated cells and rows are shown if they contain text, and cost nothing otherwise", async () => {
  const text = await textOf(ods(table(
    row(cell("a", 'table:number-columns-repeated="2"') + cell("", 'table:number-columns-repeated="16382"')) +
      row(
        cell("1") + cell("", 'office:value-type="percentage" office:value="0.25"'),
        'table:number-rows-repeated="2"',
      ) +
      row(cell("", 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"') +
      row(cell("end")),
  )));
  assert.equal(text, "## S\n\n| a | a |\n| --- | --- |\n| 1 | 25% |\n| 1 | 25% |\n\nend\n");
});

Deno.test("merged cells are repeated; comments and charts follow", async () => {
  const text = await textOf(ods(
    table(
      row(cell("h", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>" + cell("k")) +
        row(
          `<table:table-cell><office:annotation><dc:creator>Ann</dc:creator><dc:date>2026-05-01T00:00:00</dc:date><text:p>Check</text:p><text:p>this</text:p></office:annotation><text:p>1</text:p></table:table-cell>` +
            cell("2") + cell("3"),
        ) +
        row(
          '<table:table-cell><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></table:table-cell>',
        ),
    ),
    "",
    {
      "Object 1/content.xml":
        `<office:document-content ${NAMES}><office:body><office:chart><chart:chart chart:class="chart:bar"><chart:title><text:p>Sales</text:p></chart:title>${
          table(row(cell("") + cell("Sum")) + row(cell("Q1") + cell("5")))
        }</chart:chart></office:chart></office:body></office:document-content>`,
    },
  ));
  assert.equal(
    text,
    "## S\n\n| h | h | k |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n\nSales (bar chart)\n\n|  | Sum |\n| --- | --- |\n| Q1 | 5 |\n\n> [A2, Ann, 2026-05-01] Check\n> this\n",
  );
});

Deno.test("a flat spreadsheet is read", async () => {
  const flat = content(table(row(cell("a") + cell("b"))))
    .replaceAll("office:document-content", "office:document")
    .replace("<office:document", `<office:document office:mimetype="${TYPE}"`);
  const bytes = new TextEncoder().encode(flat);
  assert.equal(await textOf(bytes), "## S\n\n| a | b |\n| --- | --- |\n");
});

Deno.test("endlessly repeated text is rejected", async () => {
  const bomb = ods(table(row(
    cell("x", 'table:number-columns-repeated="16384"'),
    'table:number-rows-repeated="1048576"',
  )));
  await assert.rejects(load(bomb), { problem: "too_complex" });
});

Deno.test("cut-off, empty, encrypted and other files are rejected", async () => {
  const whole = ods(table(row(cell("a"))));
  await assert.rejects(load(whole.slice(0, whole.length - 40)), { problem: "damaged" });
  await assert.rejects(load(new Uint8Array()), { problem: "damaged" });
  await assert.rejects(load(zipOf({ mimetype: TYPE })), { problem: "damaged" });
  await assert.rejects(load(ods("")), { problem: "damaged" });
  const database = "application/vnd.oasis.opendocument.base";
  await assert.rejects(load(zipOf({ mimetype: database, "content.xml": content("") })), {
    problem: "unsupported",
  });
  const manifest =
    `<manifest:manifest ${NAMES}><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
  await assert.rejects(
    load(zipOf({ mimetype: TYPE, "META-INF/manifest.xml": manifest, "content.xml": "?" })),
    {
      problem: "encrypted",
    },
  );
});
