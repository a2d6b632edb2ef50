import assert from "node:assert/strict";
import { loader } from "#documents/pdf/loader.ts";
import { type Document, DocumentError } from "#documents/mod.ts";
import { rc4Encryption } from "./_encrypt.ts";
import { cidFont, lines, makePdf, type TestPdf } from "./make_pdf.ts";

function load(pdf: TestPdf | Uint8Array<ArrayBuffer>): Promise<Document> {
  return loader.load(pdf instanceof Uint8Array ? pdf : makePdf(pdf), { path: "a.pdf" });
}

async function textOf(pdf: TestPdf): Promise<string> {
  return (await load(pdf)).text;
}

async function problemOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const error: unknown = await load(bytes).then(() => "no error", (error) => error);
  assert(error instanceof DocumentError, String(error));
  return error.problem;
}

const SENTENCE = [
  "The keys of the house are kept in a box near the door, and",
  "nobody but the owner opens it.",
];

Deno.test("a PDF gives the paragraphs of its pages, title, author, date and language", async () => {
  const document = await load({
    pages: [lines(SENTENCE), lines(["The second page is short."])],
    info: { Title: "(Keys)", Author: "(Li Na)", CreationDate: "(D:20240501120000+08'00')" },
  });
  const text =
    "The keys of the house are kept in a box near the door, and nobody but the owner opens it.\n\n" +
    "The second page is short.\n";
  assert.deepEqual(document, {
    text,
    title: "Keys",
    sections: [],
    pages: [{ number: 1, start: 0, end: 90 }, { number: 2, start: 90, end: text.length }],
    metadata: {
      authors: ["Li Na"],
      created: "2024-05-01T12:00:00+08:00",
    },
  });
});

Deno.test("two columns are read one after the other, and a heading across both comes first", async () => {
  const left = Array.from({ length: 8 }, (_, i) => `Left column, line number ${i + 1}, is as wide as it`);
  const right = Array.from({ length: 8 }, (_, i) => `and right column, line number ${i + 1}, is wide too`);
  const text = await textOf({
    pages: [
      lines(["A Heading That Crosses The Gap Between The Columns"], {
        x: 120,
        y: 760,
        size: 16,
        font: "F2",
      }) +
      lines(left, { x: 60 }) + lines(right, { x: 320 }),
    ],
  });
  assert.equal(
    text,
    `# A Heading That Crosses The Gap Between The Columns\n\n${left.join(" ")} ${right.join(" ")}\n`,
  );
});

Deno.test("larger and bold lines are headings; larger ones have outer levels", async () => {
  const text = await textOf({
    pages: [
      lines(["Manual"], { y: 760, size: 20, font: "F2" }) +
      lines(["Keys"], { y: 735, size: 14, font: "F2" }) + lines(SENTENCE, { y: 715 }) +
      lines(["Spare keys"], { y: 680, font: "F2" }) + lines(SENTENCE, { y: 665 }),
    ],
  });
  const sentence = SENTENCE.join(" ");
  assert.equal(text, `# Manual\n\n## Keys\n\n${sentence}\n\n### Spare keys\n\n${sentence}\n`);
});

Deno.test("the outline names the headings and their levels", async () => {
  const { sections } = await load({
    pages: [
      lines(["1 Keys"], { y: 740 }) + lines(SENTENCE, { y: 720 }),
      lines(["1.1 Spare keys"], { y: 740 }) + lines(SENTENCE, { y: 720 }),
    ],
    outline: [{ title: "Keys", page: 0, children: [{ title: "Spare keys", page: 1 }] }],
  });
  assert.deepEqual(sections.map(({ level, path }) => [level, ...path]), [
    [1, "1 Keys"],
    [2, "1 Keys", "1.1 Spare keys"],
  ]);
});

Deno.test("running heads, footers and page numbers are left out", async () => {
  const texts = ["The first page is short.", "A second one follows.", "So does the third.", "Here it ends."];
  const pages = texts.map((text, i) =>
    lines([`Handbook of keys - chapter ${i + 1}`], { y: 770, size: 8 }) + lines([text]) +
    lines([`- ${i + 1} -`], { x: 290, y: 30, size: 8 })
  );
  assert.equal(await textOf({ pages }), texts.map((text) => `${text}\n`).join("\n"));
});

Deno.test("a page that contains only a number keeps it", async () => {
  assert.equal(await textOf({ pages: [lines(["7"], { x: 290, y: 30 })] }), "7\n");
});

Deno.test("tables with ruling lines are read, and merged cells are kept", async () => {
  const cell = (text: string, x: number, y: number) => lines([text], { x, y });
  const rule = (x1: number, y1: number, x2: number, y2: number) => `${x1} ${y1} m ${x2} ${y2} l S\n`;
  const text = await textOf({
    pages: [
      lines(["Prices:"], { y: 760 }) +
      [700, 680, 660, 640].map((y) => rule(70, y, 370, y)).join("") +
      rule(70, 640, 70, 700) + rule(370, 640, 370, 700) + rule(170, 640, 170, 680) +
      rule(270, 640, 270, 680) +
      cell("Prices of keys", 75, 686) + cell("Key", 75, 666) + cell("2023", 175, 666) +
      cell("2024", 275, 666) +
      cell("Spare", 75, 646) + cell("3", 175, 646) + cell("4", 275, 646),
    ],
  });
  assert.equal(
    text,
    "Prices:\n\n| Prices of keys | Prices of keys | Prices of keys |\n| --- | --- | --- |\n" +
      "| Key | 2023 | 2024 |\n| Spare | 3 | 4 |\n",
  );
});

Deno.test("tables without ruling lines are found by their alignment", async () => {
  const row = (cells: readonly string[], y: number) =>
    cells.map((text, i) => lines([text], { x: 72 + i * 120, y })).join("");
  const text = await textOf({
    pages: [
      lines(SENTENCE, { y: 760 }) + row(["Key", "Price", "Weight"], 700) + row(["Spare", "3", "12 g"], 686) +
      row(["Front door", "14", "20 g"], 672),
    ],
  });
  assert.equal(
    text,
    `${
      SENTENCE.join(" ")
    }\n\n| Key | Price | Weight |\n| --- | --- | --- |\n| Spare | 3 | 12 g |\n| Front door | 14 | 20 g |\n`,
  );
});

Deno.test("lists keep their numbers and depth", async () => {
  const text = await textOf({
    pages: [
      lines(["Bring:"]) + lines(["1. the keys,"], { y: 700 }) + lines(["- of the house"], { y: 686, x: 90 }) +
      lines(["2. the lamp."], { y: 672 }),
    ],
  });
  assert.equal(text, "Bring:\n\n1. the keys,\n  - of the house\n2. the lamp.\n");
});

Deno.test("lines in a monospaced font are code, with their indentation", async () => {
  const text = await textOf({
    pages: [
      lines(SENTENCE, { y: 760 }) + lines(["if (key) {"], { font: "F4", y: 700 }) +
      lines(["open(door);"], { font: "F4", y: 688, x: 84 }) + lines(["}"], { font: "F4", y: 676 }),
    ],
  });
  assert.equal(text, `${SENTENCE.join(" ")}\n\n\`\`\`\nif (key) {\n  open(door);\n}\n\`\`\`\n`);
});

Deno.test("web links keep their addresses, other links are dropped", async () => {
  const link = (rect: string, uri: string) =>
    `<< /Type /Annot /Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${uri}) >> >>`;
  const text = await textOf({
    pages: [{
      content: "BT /F1 10 Tf 72 720 Td (See ) Tj ET BT /F1 10 Tf 100 720 Td (the manual) Tj ET " +
        lines(["https://example.org/keys"], { y: 690 }) + lines(["Do not click here"], { y: 660 }),
      annotations: [
        link("99 717 150 730", "https://example.org/manual"),
        link("71 687 200 700", "https://example.org/keys"),
        link("71 657 200 670", "javascript:alert\\(1\\)"),
      ],
    }],
  });
  assert.equal(
    text,
    "See [the manual](https://example.org/manual)\n\nhttps://example.org/keys\n\nDo not click here\n",
  );
});

Deno.test("text in form fields is part of the page", async () => {
  const text = await textOf({
    pages: [{
      content: lines(["Name:"]),
      annotations: [
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Li Na) /Rect [110 715 200 730] >>",
      ],
    }],
  });
  assert.equal(text, "Name: Li Na\n");
});

for (
  const [encoding, ordering, codes] of [
    ["GBK-EUC-H", "GB1", "D6D0CEC4CEC4B5B5A3AC323032342E"],
    ["UniGB-UCS2-H", "GB1", "4E2D6587658768630FFF0C00320030"],
    ["90ms-RKSJ-H", "Japan1", "93FA967B8CEA"],
    ["ETen-B5-H", "CNS1", "A4A4A4E5"],
    ["KSCms-UHC-H", "Korea1", "C7D1B1B9BEEE"],
  ] as const
) {
  Deno.test(`text in the predefined encoding ${encoding} is read without other files`, async () => {
    const expected = {
      "GBK-EUC-H": "中文文档，2024.",
      "UniGB-UCS2-H": "中文文档",
      "90ms-RKSJ-H": "日本語",
      "ETen-B5-H": "中文",
      "KSCms-UHC-H": "한국어",
    }[encoding];
    const used = encoding === "UniGB-UCS2-H" ? codes.slice(0, 16) : codes;
    const text = await textOf({
      pages: [`BT /C1 12 Tf 72 720 Td <${used}> Tj ET`],
      fonts: {
        C1: cidFont(encoding, ordering),
      },
    });
    assert.equal(text, `${expected}\n`);
  });
}

Deno.test("a rotated page is read as it is displayed", async () => {
  const turned = SENTENCE.map((text, i) => `BT /F1 10 Tf 0 1 -1 0 ${100 + i * 12} 72 Tm (${text}) Tj ET\n`)
    .join("");
  assert.equal(
    await textOf({ pages: [{ content: turned, rotate: 90 }] }),
    `${SENTENCE.join(" ")}\n`,
  );
});

Deno.test("pages without text are listed, and the others are read", async () => {
  const picture = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q";
  const { emptyPages, text } = await load({ pages: [picture, lines(["Text."]), picture] });
  assert.deepEqual([emptyPages, text], [[1, 3], "Text.\n"]);
});

Deno.test("an encrypted PDF is read only if its user password is empty", async () => {
  const pages = [lines(["Text."])];
  assert.equal(await textOf({ pages, encrypt: rc4Encryption("") }), "Text.\n");
  assert.equal(await problemOf(makePdf({ pages, encrypt: rc4Encryption("secret") })), "encrypted");
});

Deno.test("a PDF that is cut off is read up to the cut", async () => {
  const whole = makePdf({ pages: [lines(["The first page."]), lines(["The second page."])] });
  const text = (await load(whole.slice(0, whole.length - 300))).text;
  assert.equal(text, "The first page.\n\nThe second page.\n");
});

Deno.test("bytes that are not a PDF are damaged", async () => {
  for (const text of ["", "PK\x03\x04 something else", "%PDF-1.7\n", "%PDF-1.7\ntrailer << /Root 9 0 R >>"]) {
    assert.equal(await problemOf(new TextEncoder().encode(text)), "damaged");
  }
});

Deno.test("objects that refer to each other in a cycle are read once", async () => {
  const loop = "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj trailer << /Root 1 0 R >>";
  assert.equal((await load(new TextEncoder().encode(loop))).text, "");
  const text = await textOf({
    pages: [`/X Do ${lines(["Text."])}`],
    fonts: { F9: "<< /Type /Font /Subtype /Type0 /DescendantFonts [7 0 R] >>" },
  });
  assert.equal(text, "Text.\n");
});

Deno.test("a wrong page count is tolerated", async () => {
  assert.equal(await textOf({ pages: [lines(["Text."])], count: 2_147_483_647 }), "Text.\n");
});

Deno.test("a PDF with too many pages is rejected", async () => {
  assert.equal(await problemOf(makePdf({ pages: Array.from({ length: 10_001 }, () => "") })), "too_complex");
});

Deno.test("a page with too much text is rejected", async () => {
  const content = "BT /F1 1 Tf 1 0 0 1 9 9 Tm (a) Tj 1 0 0 1 99 99 Tm (b) Tj ET\n".repeat(60_000);
  assert.equal(await problemOf(makePdf({ pages: [content] })), "too_complex");
});

Deno.test("a worker without permissions loads PDFs", async () => {
  const worker = new Worker(new URL("./_locked_worker.ts", import.meta.url), {
    type: "module",
    deno: { permissions: "none" },
  });
  try {
    const answer = new Promise<unknown>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.postMessage(makePdf({
      pages: ["BT /C1 12 Tf 72 720 Td <D6D0CEC4> Tj ET"],
      fonts: { C1: cidFont("GBK-EUC-H", "GB1") },
    }));
    assert.equal(await answer, "中文\n");
  } finally {
    worker.terminate();
  }
});
