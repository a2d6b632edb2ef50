import assert from "node:assert/strict";
import { loader } from "#documents/odf/loader.ts";
import { DocumentError } from "#documents/mod.ts";
import { zipOf } from "../zip_of.ts";

const NAMESPACES = ["office", "text", "table", "style", "meta", "presentation", "manifest", "chart"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`).join(" ") +
  ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"' +
  ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"' +
  ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"';
const TYPE = "application/vnd.oasis.opendocument.";
const root = (name: string, inner: string, more = "") =>
  `<?xml version="1.0"?><office:${name} ${NAMESPACES} ${more}>${inner}</office:${name}>`;
const text = (body: string, styles = "") =>
  `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body>`;
const META = "<office:meta><dc:title>Keys</dc:title><meta:initial-creator>李娜</meta:initial-creator>" +
  "<dc:date>2026-05-01T10:00:00.123456789</dc:date><dc:language>zh-CN</dc:language><meta:keyword>a, b</meta:keyword></office:meta>";

const encode = (xml: string) => new TextEncoder().encode(xml);
const flat = (body: string, styles = "", meta = "") =>
  load(encode(root("document", meta + text(body, styles), `office:mimetype="${TYPE}text"`)));
const file = (content: string, more: Record<string, string> = {}, type = "text") =>
  zipOf({ mimetype: TYPE + type, "content.xml": root("document-content", content), ...more });

async function load(bytes: Uint8Array<ArrayBuffer>) {
  return await loader.load(bytes, { path: "a.odt" });
}

async function problemOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await load(bytes)).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

Deno.test("headings lie below the title and show their outline numbers", async () => {
  const styles = root(
    "document-styles",
    '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>' +
      '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>' +
      '<style:style style:name="Title" style:family="paragraph"/></office:styles>',
  );
  const document = await load(file(
    text(
      '<text:p text:style-name="P1">Handbook</text:p><text:h text:outline-level="1">Keys</text:h><text:p>a</text:p>' +
        '<text:h text:outline-level="2">Locks</text:h><text:h text:outline-level="1">门锁</text:h>',
      '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>',
    ),
    { "styles.xml": styles, "meta.xml": root("document-meta", META) },
  ));
  assert.deepEqual([document.text, document.title, document.metadata], [
    "# Handbook\n\n## 1 Keys\n\na\n\n### 1.1 Locks\n\n## 2 门锁\n",
    "Handbook",
    { authors: ["李娜"], modified: "2026-05-01T10:00:00", language: "zh-CN", tags: ["a", "b"] },
  ]);
});

Deno.test("lists nest, count and continue; a flat file is read like a ZIP archive", async () => {
  const style =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" ' +
    'style:num-suffix="."/><text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style>' +
    '<text:list-style style:name="M"><text:list-level-style-number text:level="1" style:num-format="一, 二, 三, ..." ' +
    'style:num-prefix="第" style:num-suffix="条"/></text:list-style>';
  const item = (inner: string) => `<text:list-item><text:p>${inner}</text:p></text:list-item>`;
  const { text, title } = await flat(
    `<text:list text:style-name="L">${item("one</text:p><text:p>more")}<text:list-item><text:p>two</text:p>` +
      `<text:list>${item("inner")}</text:list></text:list-item></text:list><text:p>Between</text:p>` +
      `<text:list text:style-name="L" text:continue-numbering="true">${item("three")}</text:list>` +
      `<text:list text:style-name="M">${item("钥匙")}${item("门锁")}</text:list>`,
    style,
    META,
  );
  assert.deepEqual([text, title], [
    "1. one\n   more\n2. two\n  - inner\n\nBetween\n\n3. three\n- 第一条 钥匙\n- 第二条 门锁\n",
    "Keys",
  ]);
});

Deno.test("blanks, links, small digits, notes and comments are kept; deletions, contents and hidden text are left out", async () => {
  const { text } = await flat(
    "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>" +
      "<text:table-of-content><text:index-body><text:p>Contents</text:p></text:index-body></text:table-of-content>" +
      '<text:p>a\n  b<text:s text:c="2"/>c<text:tab/>10<text:span text:style-name="up">6</text:span><text:span text:style-name="off">x</text:span>' +
      ' <text:a xlink:href="https://example.org/">link</text:a><text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>' +
      "<text:note-body><text:p>Below.</text:p></text:note-body></text:note><office:annotation><dc:creator>王伟</dc:creator>" +
      "<dc:date>2026-05-02T00:00:00</dc:date><text:p>Really?</text:p></office:annotation><text:line-break/>end</text:p>" +
      '<text:section text:display="none"><text:p>hidden</text:p></text:section>',
    '<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
      '<style:style style:name="off" style:family="text"><style:text-properties text:display="none"/></style:style>',
  );
  assert.equal(
    text,
    "a b  c 10⁶ [link](https://example.org/)[^1]\nend\n\n[^1]: Below.\n\n> [王伟, 2026-05-02] Really?\n",
  );
});

Deno.test("tables repeat merged labels in each row; frames give text boxes, pictures and formulas", async () => {
  const cell = (inner: string, more = "") =>
    `<table:table-cell ${more}><text:p>${inner}</text:p></table:table-cell>`;
  const { text: found, images } = await load(file(
    text(
      `<table:table><table:table-header-rows><table:table-row>${cell("Kind")}${
        cell("Name")
      }</table:table-row></table:table-header-rows>` +
        `<table:table-row>${cell("Key", 'table:number-rows-spanned="2"')}${cell("A")}</table:table-row>` +
        `<table:table-row><table:covered-table-cell/>${cell("B")}</table:table-row></table:table>` +
        "<text:p>Seen<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame>" +
        "<draw:frame><draw:image/><svg:desc>A lock</svg:desc></draw:frame></text:p>" +
        '<text:p>As <draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame></text:p>',
    ),
    {
      "Object 1/content.xml":
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup><mo>=</mo><mi>b</mi></mrow>' +
        '<annotation encoding="StarMath 5.0">a^2=b</annotation></semantics></math>',
    },
  ));
  assert.deepEqual([found, images?.length], [
    "| Kind | Name |\n| --- | --- |\n| Key | A |\n| Key | B |\n\nSeen\n\nBoxed\n\n![A lock]()\n\nAs a^2 = b\n",
    1,
  ]);
});

Deno.test("slides are pages with titles, texts and notes", async () => {
  const frame = (kind: string, inner: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${inner}</text:p></draw:text-box></draw:frame>`;
  const { text, pages } = await load(file(
    "<office:body><office:presentation>" +
      `<draw:page draw:name="page1">${frame("outline", "body")}${frame("title", "密钥")}${
        frame("footer", "foot")
      }` +
      `<presentation:notes>${frame("notes", "said")}</presentation:notes></draw:page>` +
      '<draw:page draw:name="page2"><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:page>' +
      "</office:presentation></office:body>",
    {},
    "presentation",
  ));
  assert.deepEqual([text, pages], [
    "# 密钥\n\nbody\n\nsaid\n\nshape\n",
    [{ number: 1, start: 0, end: 17 }, { number: 2, start: 17, end: 24 }],
  ]);
});

Deno.test("a broken, encrypted or too large file, and one of another kind, is rejected with its reason", async () => {
  const whole = file(text("<text:p>Rotate the keys.</text:p>"));
  const manifest = root("x", "").replaceAll("office:x", "manifest:manifest").replace(
    "></manifest",
    '><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest',
  );
  assert.deepEqual(
    [
      await problemOf(whole),
      await problemOf(whole.slice(0, whole.length / 2)),
      await problemOf(new Uint8Array()),
      await problemOf(encode("Rotate the keys.")),
      await problemOf(encode("<html></html>")),
      await problemOf(file(text("a"), { "META-INF/manifest.xml": manifest })),
      await problemOf(zipOf({ mimetype: `${TYPE}text`, "encrypted-package": "x" })),
      await problemOf(zipOf({ mimetype: `${TYPE}text` })),
      await problemOf(file("", {}, "formula")),
      await problemOf(file(text(`<text:p>${" ".repeat(40_000_000)}</text:p>`))),
      await problemOf(file(text("<text:section>".repeat(1000)))),
    ],
    [
      "Rotate the keys.\n",
      "damaged",
      "damaged",
      "damaged",
      "damaged",
      "encrypted",
      "encrypted",
      "damaged",
      "unsupported",
      "too_complex",
      "too_complex",
    ],
  );
});

Deno.test("deep and repeated elements are read in linear time", async () => {
  const deep = await flat("<text:list><text:list-item>".repeat(240) + "<text:p>a</text:p>");
  const table = await flat(
    '<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000">' +
      "<text:p>a</text:p></table:table-cell></table:table-row></table:table>",
  );
  const links = await flat(
    "<text:p>" + '<text:a xlink:href="https://a.b/">x'.repeat(240) + "y".repeat(1_000_000) + "</text:p>",
  );
  assert.deepEqual([deep, table, links].map(({ text }) => text.length), [0, 2, 1_000_241]);
});
