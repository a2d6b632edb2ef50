import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { type Document, DocumentError, formatOf, joinedBytes } from "#documents/mod.ts";
import { loader } from "#documents/iwork/loader.ts";
import { unpackChunks } from "#documents/iwork/snappy.ts";
import { checkDocument } from "../_check_document.ts";
import { zipOf } from "../zip_of.ts";
import { chunk, type Fields, type Item, iwa, makeIwork, ref, varint } from "./make_iwork.ts";

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
  const document = await loader.load(bytes, { path: "a.pages" });
  checkDocument(document);
  return document;
}

async function problem(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await read(bytes)).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return `${error.problem}: ${error.message}`;
  }
}

/** Returns a table of attributes: the place where each begins, and the object. */
const attributes = (...entries: [at: number, id?: number][]): Fields => ({
  1: entries.map(([at, id]) => id === undefined ? { 1: at } : { 1: at, 2: ref(id) }),
});
const style = (name: string, parent?: number): Fields => ({
  1: { ...(name === "" ? {} : { 1: name }), ...(parent === undefined ? {} : { 3: ref(parent) }) },
});

Deno.test("Pages: headings by style, lists, links, notes and comments", async () => {
  const text = "Tea\nBrew at 80.\nGreen\nBlack\nSee it\u000e.\nold";
  const items: Item[] = [
    [1, 10000, { 4: ref(2) }, [2]],
    [2, 2001, {
      1: 0,
      3: text,
      5: attributes([0, 11], [4, 12]),
      6: { 1: [{ 1: 0, 2: 0, 3: 0 }] },
      7: attributes([0, 21], [16, 22], [28, 21]),
      11: attributes([28, 31], [31]),
      16: attributes([34, 41]),
      22: attributes([37, 51]),
      23: attributes([4, 61], [8]),
    }],
    [11, 2022, style("", 13)],
    [12, 2022, style("Body")],
    [13, 2022, style("Heading 2")],
    [21, 2023, { 11: [0, 0] }],
    [22, 2023, { 11: [3, 3] }],
    [31, 2032, { 2: "https://tea.example" }],
    [41, 2008, { 2: ref(42) }],
    [42, 2001, { 1: 2, 3: "A note." }],
    [51, 2060, {}],
    [61, 2013, { 1: ref(62) }],
    [62, 3056, { 1: "Why?", 3: ref(63), 4: [ref(62)] }],
    [63, 212, { 1: "Li" }],
  ];
  const { text: markdown, sections } = await read(makeIwork(items));
  equal(
    markdown,
    "## Tea\n\nBrew at 80.\n\n> [Li] Why?\n\n1. Green\n2. Black\n\n[See](https://tea.example) it[^1].\n\n[^1]: A note.\n",
  );
  equal(sections[0]!.title, "Tea");
});

const drawable: Fields = { 1: {} };
const shape = (text: number): Fields => ({ 1: drawable, 4: ref(text) });

/** A table of two rows: texts in the layout since 2017, then a number of an older layout. */
function table(id: number): Item[] {
  const cell = (type: number, flags: number, value: Uint8Array) =>
    Uint8Array.of(5, type, 0, 0, 0, 0, 0, 0, flags, 0, 0, 0, ...value);
  const key = (number: number) => Uint8Array.of(number, 0, 0, 0);
  const seven = Uint8Array.of(4, 2, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1c, 0x40);
  const half = Uint8Array.of(5, ...new Array<number>(13).fill(0), 0x3e, 0x30);
  return [
    [id, 6000, { 1: {}, 2: ref(id + 1) }],
    [id + 1, 6001, {
      4: { 3: { 1: [{ 1: 0, 2: ref(id + 2) }] }, 4: ref(id + 3), 22: ref(id + 4) },
      8: "Degrees",
      22: 1,
    }],
    [id + 2, 6002, {
      5: [
        {
          1: 0,
          2: 2,
          6: Uint8Array.of(...cell(3, 8, key(1)), ...cell(3, 8, key(2))),
          7: Uint8Array.of(0, 0, 16, 0, 255, 255),
        },
        { 1: 3, 3: seven, 4: Uint8Array.of(255, 255, 0, 0) },
        { 1: 5, 6: Uint8Array.of(...cell(2, 1, half).fill(0x20, 9, 10), ...key(1)), 7: Uint8Array.of(0, 0) },
      ],
    }],
    [id + 3, 6005, { 3: [{ 1: 1, 3: "green tea" }, { 1: 2, 3: "80" }] }],
    [id + 4, 6005, { 3: [{ 1: 1, 6: { 1: 258, 2: 0 } }] }],
  ];
}

Deno.test("Numbers: sheets with their tables, whose numbers are shown by their formats", async () => {
  const { text, pages, pageUnit } = await read(makeIwork([
    [1, 1, { 1: [ref(2)] }],
    [2, 2, { 1: "Tea", 2: [ref(10), ref(3)] }],
    [3, 2011, shape(4)],
    [4, 2001, { 3: "A box." }],
    ...table(10),
  ]));
  equal(text, "## Tea\n\n### Degrees\n\n| green tea | 80 |\n| --- | --- |\n|  | 7 |\n| 50% |  |\n\nA box.\n");
  deepEqual(pages!.map(({ label }) => label), ["Tea"]);
  equal(pageUnit, "sheet");
});

const SLIDES: Item[] = [
  [1, 1, { 2: ref(2) }],
  [2, 2, { 3: { 2: [ref(3), ref(4)] } }],
  [3, 4, { 2: ref(5), 4: 0 }],
  [4, 4, { 2: ref(6), 4: 1 }],
  [5, 5, { 5: ref(10), 6: ref(12), 7: [ref(12), ref(14)], 27: ref(16) }],
  [6, 5, {}],
  [10, 7, { 1: shape(11) }],
  [11, 2001, { 3: "Tea" }],
  [12, 7, { 1: shape(13) }],
  [13, 2001, { 3: "Green" }],
  [14, 3008, { 1: {}, 2: [ref(14), ref(18)] }],
  [16, 15, { 1: ref(17) }],
  [17, 2001, { 3: "Speak slowly." }],
  [18, 2014, { 1: shape(19), 2: ref(20) }],
  [19, 2001, { 3: "Sure?" }],
  [20, 3056, { 1: "Sure?" }],
];

Deno.test("Keynote: slides with title, objects, comments and notes; groups that contain themselves end", async () => {
  const { text, pages } = await read(makeIwork(SLIDES));
  equal(text, "# Tea\n\nGreen\n\n> Sure?\n\nSpeak slowly.\n\n(hidden slide)\n");
  equal(pages!.length, 2);
});

Deno.test("Keynote: a chart has its titles that are shown, and its data with the names of rows and columns", async () => {
  const double = (value: number) => new Uint8Array(new Float64Array([value]).buffer);
  const point = (value: number) => ({ 1: double(value) });
  const { text } = await read(makeIwork([
    ...SLIDES.slice(0, 2),
    [3, 4, { 2: ref(5) }],
    [4, 4, {}],
    [5, 5, { 7: ref(6) }],
    [6, 5021, {
      1: {},
      10_000: {
        7: {
          1: ["Green", "Black"],
          2: ["2023", "2024"],
          3: [{ 1: [point(1.5), {}] }, { 1: [point(0.1 + 0.2), { 4: double(86_400) }] }],
        },
        10: ref(7),
        14: ref(8),
        16: ref(9),
      },
    }],
    [7, 5023, { 1: {}, 10_000: { 21: 1, 23: "Harvest" } }],
    [8, 5027, { 1: {}, 10_000: { 13: 0, 14: 1, 15: "Category", 16: "Tons" } }],
    [9, 5027, { 1: {}, 10_000: { 13: 0, 15: "Year" } }],
  ]));
  equal(
    text,
    "Harvest\n\nTons\n\n|  | 2023 | 2024 |\n| --- | --- | --- |\n| Green | 1.5 |  |\n| Black | 0.3 | 2001-01-02 |\n",
  );
});

Deno.test("a chart has the titles of a few axes, however many it lists", async () => {
  const axes = Array.from({ length: 50 }, (_, i) => 100 + i);
  const { text } = await read(makeIwork([
    ...SLIDES.slice(0, 2),
    [3, 4, { 2: ref(5) }],
    [4, 4, {}],
    [5, 5, { 7: ref(6) }],
    [6, 5021, { 1: {}, 10_000: { 14: axes.map(ref) } }],
    ...axes.map((id): Item => [id, 5027, { 1: {}, 10_000: { 13: 1, 15: `Axis ${id}` } }]),
  ]));
  equal(text, axes.slice(0, 10).map((id) => `Axis ${id}\n`).join("\n"));
});

Deno.test("a gallery has the captions that are shown: of each picture, or a common one", async () => {
  const gallery = (captions: number) => ({ 1: {}, 200: { 1: [ref(10), ref(12)], 2: captions, 3: ref(14) } });
  const items: Item[] = [
    [1, 1, { 2: ref(2) }],
    [2, 2, { 3: { 2: [ref(3)] } }],
    [3, 4, { 2: ref(5) }],
    [5, 5, { 7: ref(6) }],
    [10, 623, { 8: ref(11), 9: "Leaves" }],
    [11, 2001, { 3: "Figure 1. Green" }],
    [12, 623, { 8: ref(13) }],
    [13, 2001, { 3: "Figure 2. Black" }],
    [14, 2001, { 3: "Kinds of tea" }],
  ];
  const textWith = async (captions: number) =>
    (await read(makeIwork([...items, [6, 3005, gallery(captions)]]))).text;
  equal(await textWith(1), "![Leaves]()\n\nFigure 1. Green\n\nFigure 2. Black\n");
  equal(await textWith(2), "![Leaves]()\n\nKinds of tea\n");
  equal(await textWith(0), "![Leaves]()\n");
});

Deno.test("a package is recognised as one file, as a zipped folder, and in an inner archive", async () => {
  const inner = zipOf({ "Index/Document.iwa": iwa(SLIDES) });
  for (const bytes of [inner, zipOf({ "Talk.key/Index.zip": inner, "Talk.key/Data/a.png": "x" })]) {
    equal(formatOf(bytes, "a.bin"), "iwork");
    ok((await read(bytes)).text.startsWith("# Tea"));
  }
});

const XML =
  `xmlns:sfa="http://developer.apple.com/namespaces/sfa" xmlns:sf="http://developer.apple.com/namespaces/sf"`;
const storage = (paragraphs: string, more = "") =>
  `<sf:text-storage sf:kind="body">${more}<sf:text-body>${paragraphs}</sf:text-body></sf:text-storage>`;

Deno.test("Pages '09: text with headings, notes, comments, tables and metadata", async () => {
  const grid = `<sf:tabular-model sf:name="T" sf:name-is-visible="true"><sf:grid><sf:datasource>
    <sf:t sf:ct="0"><sf:ct sfa:s="tea"/></sf:t><sf:t><sf:ct sfa:s="degrees"/></sf:t>
    <sf:pm sf:ct="255"><sf:menu-choices><sf:t sfa:ID="c1"><sf:ct sfa:s="green"/></sf:t><sf:t><sf:ct sfa:s="black"/></sf:t></sf:menu-choices><sf:proxied-cell-ref sfa:IDREF="c1"/></sf:pm>
    <sf:f><sf:r><sf:rn sf:v="79.999999999999999"/></sf:r></sf:f><sf:d sf:ct="256" sf:cell-date="276048000"/></sf:datasource></sf:grid></sf:tabular-model>`;
  const xml = `<?xml version="1.0"?><sl:document xmlns:sl="http://developer.apple.com/namespaces/sl" ${XML}>
    <sf:metadata><sf:title><sf:string sfa:string="Tea"/></sf:title><sf:authors><sf:string sfa:string="Li"/></sf:authors></sf:metadata>
    <sl:section-prototypes>${storage("<sf:p>Lorem</sf:p>")}</sl:section-prototypes>
    <sf:stylesheet><sf:paragraphstyle sf:ident="h" sf:name="Heading 1"/><sf:paragraphstyle sfa:ID="h2" sf:parent-ident="h"/></sf:stylesheet>
    <sf:annotations><sf:annotation sf:target="a1"><sf:p>Really?</sf:p></sf:annotation></sf:annotations>
    ${
    storage(
      `<sf:p sf:style="h2">Brewing<sf:br/></sf:p><sf:p>At <sf:span>80</sf:span><sf:footnote sf:autonumber="1"/> <sf:annotation-field sfa:ID="a1">degrees</sf:annotation-field><sf:ghost-text>Type here</sf:ghost-text><sf:attachment-ref sfa:IDREF="t"/></sf:p>`,
      `<sf:footnotes><sf:p><sf:footnote-mark/>A note.</sf:p></sf:footnotes><sf:attachments><sf:attachment sfa:ID="t"><sf:tabular-info>${grid}</sf:tabular-info></sf:attachment></sf:attachments>`,
    )
  }</sl:document>`;
  const { text, title, metadata } = await read(zipOf({ "index.xml": xml, "buildVersionHistory.plist": "" }));
  equal(
    text,
    "# Brewing\n\nAt 80[^1] degrees\n\n> Really?\n\nT\n\n| tea | degrees |\n| --- | --- |\n| green | 80 |\n|  | 2009-10-01 |\n\n[^1]: A note.\n",
  );
  equal(title, "Tea");
  deepEqual(metadata, { authors: ["Li"] });
});

Deno.test("Pages '09: an annotation is written once, however many places have it", async () => {
  const xml = `<sl:document xmlns:sl="http://developer.apple.com/namespaces/sl" ${XML}>
    <sf:annotations><sf:annotation sf:target="a1"><sf:p>Really?</sf:p></sf:annotation></sf:annotations>
    ${
    storage(
      `<sf:p>${'<sf:annotation-field sfa:ID="a1">tea</sf:annotation-field>'.repeat(3)}</sf:p>`.repeat(2),
    )
  }
  </sl:document>`;
  equal((await read(zipOf({ "index.xml": xml }))).text, "teateatea\n\n> Really?\n\nteateatea\n");
});

Deno.test("Keynote '09 and Numbers '09: slides without those of the template, sheets with what they refer to", async () => {
  const slide = `<key:slide><key:title-placeholder sfa:ID="t"><key:text>${
    storage("<sf:p>Tea</sf:p>")
  }</key:text></key:title-placeholder>
    <key:page><sf:layers><sf:proxy-master-layer><sf:shape>${
    storage("<sf:p>Logo</sf:p>")
  }</sf:shape></sf:proxy-master-layer>
    <sf:layer><sf:drawables><sf:title-placeholder-ref sfa:IDREF="t"/><sf:sticky-note>${
    storage("<sf:p>Sure?</sf:p>")
  }</sf:sticky-note></sf:drawables></sf:layer></sf:layers></key:page>
    <key:notes>${storage("<sf:p>Slowly.</sf:p>")}</key:notes></key:slide>`;
  const keynote =
    `<key:presentation xmlns:key="http://developer.apple.com/namespaces/keynote2" ${XML}><key:slide-list>${slide}</key:slide-list></key:presentation>`;
  equal((await read(zipOf({ "index.apxl": keynote }))).text, "# Tea\n\n> Sure?\n\nSlowly.\n");
  const numbers =
    `<ls:document xmlns:ls="http://developer.apple.com/namespaces/ls" ${XML}><ls:workspace-array><ls:workspace ls:workspace-name="S"><ls:header-storage>${
      storage("<sf:p>Head</sf:p>")
    }</ls:header-storage><ls:z-order><ls:shape-ref sfa:IDREF="s"/><ls:shape-ref sfa:IDREF="s"/></ls:z-order></ls:workspace></ls:workspace-array><sf:shape sfa:ID="s">${
      storage("<sf:p>Box</sf:p>")
    }</sf:shape></ls:document>`;
  equal((await read(zipOf({ "index.xml": numbers }))).text, "## S\n\nBox\n");
});

Deno.test("Snappy copies earlier bytes, which may overlap", () => {
  const text = new TextEncoder().encode("tea ");
  const packed = Uint8Array.of(...varint(20), (text.length - 1) << 2, ...text, 15 << 2 | 2, 4, 0);
  equal(new TextDecoder().decode(unpackChunks(chunk(packed), 100)), "tea tea tea tea tea ");
});

Deno.test("locked documents are refused, and so are broken and hostile ones", async () => {
  equal(await problem(makeIwork(SLIDES, { ".iwph": "x" })), "encrypted: the document needs a password");
  equal(await problem(zipOf({ "a.txt": "x" })), "damaged: the document has no content");
  equal(
    await problem(Uint8Array.from(new TextEncoder().encode("-----BEGIN PRIVATE KEY-----"))),
    "not_text: it is not a document of iWork",
  );
  const packed = [
    ...[[0xff, 0xff, 0xff, 7, 0, 65], [8, 30, 9, 0]].map((bytes) => chunk(Uint8Array.from(bytes))),
    Uint8Array.of(1, 0, 0, 0),
  ];
  // A size that lies, a copy from before the start, a header of another kind.
  for (const bytes of packed) {
    throws(() => unpackChunks(bytes, 1_000), { problem: "damaged" });
    // The other archives are read.
    equal((await read(makeIwork(SLIDES, { "Index/Tables/Tile.iwa": bytes }))).text.slice(0, 5), "# Tea");
  }
  throws(() => unpackChunks(iwa(SLIDES), 10), { problem: "too_complex" });
  equal(await problem(makeIwork([[9, 9, {}]])), "damaged: the document has no beginning");
});

Deno.test("a table in its own cells is written once, and so is a note in itself", async () => {
  const keys = Array.from({ length: 10 }, (_, i) => i + 1);
  const cells = keys.map((key) => Uint8Array.of(5, 9, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, key, 0, 0, 0));
  const { text } = await read(makeIwork([
    [1, 1, { 1: [ref(2)] }],
    [2, 2, { 1: "S", 2: [ref(10)] }],
    [10, 6000, { 1: {}, 2: ref(11) }],
    [11, 6001, { 4: { 3: { 1: [{ 1: 0, 2: ref(12) }] }, 17: ref(13) } }],
    [12, 6002, {
      5: [{ 1: 0, 6: joinedBytes(cells), 7: Uint8Array.from(keys.flatMap((key) => [16 * (key - 1), 0])) }],
    }],
    [13, 6005, { 3: keys.map((key) => ({ 1: key, 9: ref(100 + key) })) }],
    ...keys.flatMap((key): Item[] => [
      [100 + key, 6218, { 1: ref(200 + key) }],
      [200 + key, 2001, { 3: `tea ${key}\ufffc`, 9: attributes([4 + String(key).length, 14]) }],
    ]),
    [14, 2003, { 1: ref(10) }],
  ]));
  equal(text.match(/tea/g)!.length, 10);
  const note = await read(makeIwork([
    [1, 10000, { 4: ref(2) }],
    [2, 2001, { 3: "Tea\u000e", 16: attributes([3, 3]) }],
    [3, 2008, { 2: ref(4) }],
    [4, 2001, { 3: "A note\u000e", 16: attributes([6, 3]) }],
  ]));
  ok(note.text.startsWith("Tea[^1]\n\n[^1]: A note"));
});

Deno.test("a document whose objects have too many values is refused", async () => {
  // Sheets with a form contain another message, which has half a million values here.
  const values = new Uint8Array(1_000_000).map((_, i) => i % 2 === 0 ? 8 : 0);
  const items: Item[] = [[1, 1, { 1: new Array<Fields>(21).fill(ref(2)) }], [2, 3, { 1: values }]];
  equal(await problem(makeIwork(items)), "too_complex: its objects have too many values");
});

Deno.test("texts that contain one another, and a million marks, take linear time", async () => {
  const nested = Array.from(
    { length: 2_000 },
    (_, i): Item => [10 + i, 3008, { 1: {}, 2: [ref(11 + i), ref(10)] }],
  );
  equal(
    (await read(makeIwork([[1, 1, { 1: [ref(2)] }], [2, 2, { 1: "S", 2: [ref(10)] }], ...nested]))).text,
    "## S\n",
  );
  for (const mark of ["\n", "\ufffc", "a\n", "\u000e"]) {
    const text = mark.repeat(200_000);
    const { length } = (await read(makeIwork([[1, 10000, { 4: ref(2) }], [2, 2001, { 3: text }]]))).text;
    ok(length <= 2 * text.length, mark);
  }
});
