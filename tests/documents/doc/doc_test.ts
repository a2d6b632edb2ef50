import assert from "node:assert/strict";
import { loader } from "#documents/doc/loader.ts";
import { DocumentError } from "#documents/mod.ts";
import { compound, makeDoc } from "./make_doc.ts";

const IN_TABLE = [0x16, 0x24, 1];
const ENDS_ROW = [...IN_TABLE, 0x17, 0x24, 1];

async function problemOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await loader.load(bytes, { path: "a.doc" })).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

Deno.test("headings, tables, links and notes of a Word document are read", async () => {
  const document = await loader.load(
    makeDoc({
      paragraphs: [
        { text: "密钥\r", style: 1 },
        { text: 'See \x13 HYPERLINK "https://example.org/" \x14the guide\x15\x02.\r' },
        { text: "Locks\r", style: 2 },
        { text: "Name\x07", operations: IN_TABLE },
        { text: "Count\x07", operations: IN_TABLE },
        { text: "\x07", operations: ENDS_ROW },
        { text: "Key\r", operations: IN_TABLE },
        { text: "spare\x07", operations: IN_TABLE },
        { text: "3\x07", operations: IN_TABLE },
        { text: "\x07", operations: ENDS_ROW },
        { text: "By outline\r", operations: [0x40, 0x26, 2] },
        { text: "End\x0b\x01\x1eline\r" },
      ],
      footnotes: ["\x02 Every 90 days.\r"],
    }),
    { path: "a.doc" },
  );
  assert.deepEqual(
    [document.text, document.sections.map(({ level }) => level), document.images?.length],
    [
      "# 密钥\n\nSee [the guide](https://example.org/)[^1].\n\n[^1]: Every 90 days.\n\n## Locks\n\n" +
      "| Name | Count |\n| --- | --- |\n| Key spare | 3 |\n\n### By outline\n\nEnd\n-line\n",
      [1, 2, 3],
      1,
    ],
  );
});

Deno.test("text with one byte per character is Windows-1252", async () => {
  assert.equal(
    await problemOf(makeDoc({ paragraphs: [{ text: "caf\xe9 \x93x\x94\r" }], narrow: true })),
    "café “x”\n",
  );
});

Deno.test("a broken, encrypted or older document is rejected with its reason", async () => {
  const whole = makeDoc({ paragraphs: [{ text: "Rotate the keys.\r" }] });
  const answers = [
    await problemOf(whole),
    await problemOf(makeDoc({ paragraphs: [{ text: "a\r" }], flags: 0x300 })),
    await problemOf(makeDoc({ paragraphs: [{ text: "a\r" }], version: 0x65 })),
    await problemOf(compound({ Other: new Uint8Array(100) })),
    await problemOf(compound({ WordDocument: new Uint8Array(5000) })),
    await problemOf(new Uint8Array()),
    await problemOf(new TextEncoder().encode("Rotate the keys.")),
    await problemOf(whole.slice(0, 700)),
  ];
  assert.deepEqual(answers, [
    "Rotate the keys.\n",
    "encrypted",
    "unsupported",
    "damaged",
    "unsupported",
    "damaged",
    "damaged",
    "damaged",
  ]);
});

Deno.test("a document with any byte changed is read or rejected", async () => {
  const whole = makeDoc({
    paragraphs: [{ text: "Key\x07", operations: IN_TABLE }, { text: "a\x02\r", style: 1 }],
    footnotes: ["\x02 b\r"],
  });
  for (let at = 0; at < whole.length; at += 3) {
    const changed = whole.slice();
    changed[at] = changed[at]! ^ 0xff;
    assert.equal(typeof await problemOf(changed), "string");
  }
  for (let length = 0; length < whole.length; length += 97) {
    assert.equal(typeof await problemOf(whole.slice(0, length)), "string");
  }
});
