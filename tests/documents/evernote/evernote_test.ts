import { deepEqual, equal, ok } from "node:assert/strict";
import { type Document, DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/formats/evernote.ts";
import { checkDocument } from "../_check_document.ts";

const load = async (...notes: string[]): Promise<Document> => {
  const bytes = new TextEncoder().encode(
    `<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "x.dtd"><en-export>${
      notes.map((note) => `<note>${note}</note>`).join("")
    }</en-export>`,
  );
  const document = await loader.load(bytes, { path: "folder/my notes.enex" });
  checkDocument(document);
  return document;
};
const problem = async (...notes: string[]) => {
  try {
    return (await load(...notes)).text.length;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};
const content = (enml: string) =>
  `<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "y.dtd"><en-note>${enml}</en-note>]]></content>`;

Deno.test("a note has title, tags, source, lists, check boxes, encrypted parts and the names of its attachments", async () => {
  const { title, text, metadata } = await load(
    `<title>Tea</title><created>20230825T175411Z</created><updated>20230826T080000Z</updated><tag>green</tag><tag>hot</tag>
    <note-attributes><author>Li Na</author><source-url>https://tea.example/1</source-url></note-attributes>
    ${
      content(
        `<h1>Brew</h1><div><en-todo checked="true"/>boil</div><div><en-todo/>pour</div><ul><li>80 °C</li></ul><en-crypt hint="pet" cipher="AES">AAAA</en-crypt><div>end</div><en-media hash="x" type="image/png"/>`,
      )
    }
    <resource><data encoding="base64">AAAA</data><resource-attributes><file-name>cup.pdf</file-name></resource-attributes></resource>`,
  );
  equal(
    text,
    "# Tea\n\nTags: green, hot\nSource: https://tea.example/1\n\n## Brew\n\n☑ boil\n\n☐ pour\n\n- 80 °C\n\n" +
      "(This part is encrypted. Hint: pet)\n\nend\n\nAttachments: cup.pdf\n",
  );
  equal(title, "Tea");
  deepEqual(metadata, {
    authors: ["Li Na"],
    tags: ["green", "hot"],
    created: "2023-08-25T17:54:11Z",
    modified: "2023-08-26T08:00:00Z",
    sourceUrl: "https://tea.example/1",
  });
});

Deno.test("each note of an export is a section, and the file has the tags and authors of all", async () => {
  const { title, text, metadata } = await load(
    `<title>一</title><tag>茶</tag>${content("<div>绿茶</div>")}`,
    `${content("")}<tag>水</tag><note-attributes><author>李明</author></note-attributes>`,
    `<title>三</title><content encoding="base64:aes">AAAA</content>`,
  );
  equal(text, "# 一\n\nTags: 茶\n\n绿茶\n\n# (untitled)\n\nTags: 水\n\n# 三\n\n(The note is encrypted.)\n");
  equal(title, "my notes");
  deepEqual(metadata, { authors: ["李明"], tags: ["茶", "水"] });
});

Deno.test("an export whose notes are all encrypted is refused, and one without notes", async () => {
  equal(await problem(`<title>a</title><content encoding="base64:aes">AAAA</content>`), "encrypted");
  equal(await problem(), "damaged");
});

Deno.test("each mark repeated 200,000 times takes linear time", async () => {
  for (const mark of ["<en-crypt>", "<en-crypt ", "<en-todo/>", "<div>", "</en-crypt>", "&amp;", "<!--"]) {
    ok(await problem(content(mark.repeat(200_000))) !== -1, mark);
  }
  equal(await problem("<a>".repeat(200_000)), "too_complex");
});
