import assert from "node:assert/strict";
import { loader } from "#documents/docx/loader.ts";
import { NAMESPACES, officeFile } from "../ooxml.ts";

/** A cell with the properties in `<w:tcPr>`, written without `w:` and `<>`. */
const cell = (text: string, ...properties: string[]) =>
  `<w:tc><w:tcPr>${
    properties.map((one) => `<w:${one}/>`).join("")
  }</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const wide = (columns: number) => `gridSpan w:val="${columns}"`;
const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;
const rowOf = (...texts: string[]) => row(...texts.map((text) => cell(text)));

async function textOf(...rows: string[]): Promise<string> {
  const body = `<w:tbl>${rows.join("")}</w:tbl>`;
  const bytes = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
  });
  return (await loader.load(bytes, { path: "a.docx" })).text.trimEnd();
}

const lines = (...all: string[]) => all.join("\n");

Deno.test("a merged cell repeats its text in the head, and below it under other cells of the head", async () => {
  assert.equal(
    await textOf(
      row(cell("Name", 'vMerge w:val="restart"'), cell("2024", wide(2)), cell("Note", wide(2))),
      row(cell("", "vMerge"), cell("Q1"), cell("Q2"), cell("from", wide(1)), cell("to")),
      row(cell("Ann"), cell("on leave", wide(2)), cell("1"), cell("2")),
    ),
    lines(
      "| Name | 2024 | 2024 | Note | Note |",
      "| --- | --- | --- | --- | --- |",
      "| Name | Q1 | Q2 | from | to |",
      "| Ann | on leave | on leave | 1 | 2 |",
    ),
  );
  assert.equal(
    await textOf(
      row(cell("Form", wide(1)), cell("Answers", wide(3))),
      row(cell("City"), cell("Oslo", wide(3))),
      row(cell("Phone"), cell("1"), cell("2"), cell("3")),
    ),
    lines(
      "| Form | Answers | Answers | Answers |",
      "| --- | --- | --- | --- |",
      "| City | Oslo |  |  |",
      "| Phone | 1 | 2 | 3 |",
    ),
  );
});

Deno.test("columns in which no text begins and empty rows are left out", async () => {
  assert.equal(
    await textOf(
      row(cell("Name", wide(9)), cell("Days", wide(3)), cell("")),
      row(cell("", wide(13))),
      row(cell("Ann", wide(8)), cell("", wide(1)), cell("5", wide(3)), cell("")),
    ),
    lines("| Name | Days |", "| --- | --- |", "| Ann | 5 |"),
  );
});

Deno.test("rows above the first one of several cells are the title if they span columns", async () => {
  assert.equal(
    await textOf(row(cell("Staff", wide(2))), rowOf("Name", "Days"), rowOf("Ann", "5")),
    lines("Staff", "", "| Name | Days |", "| --- | --- |", "| Ann | 5 |"),
  );
  assert.equal(
    await textOf(rowOf("Name"), rowOf("Ann", "5")),
    lines("| Name |  |", "| --- | --- |", "| Ann | 5 |"),
  );
});

Deno.test("cells merged by the older property are one, and deleted cells are left out", async () => {
  assert.equal(
    await textOf(
      row(cell("Total", 'hMerge w:val="restart"'), cell("hidden", "hMerge"), cell("Note")),
      rowOf("1", "2", "x"),
      row(cell("3"), cell("gone", 'cellDel w:id="1" w:author="A"'), cell("4"), cell("y")),
    ),
    lines("| Total | Total | Note |", "| --- | --- | --- |", "| 1 | 2 | x |", "| 3 | 4 | y |"),
  );
});
