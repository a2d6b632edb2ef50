import { deepEqual, equal, ok } from "node:assert/strict";
import { type Document, DocumentError, joinedBytes } from "#documents/mod.ts";
import { readIndex } from "#documents/mobi/index_table.ts";
import { loader } from "#documents/mobi/loader.ts";
import { PalmDatabase } from "#documents/mobi/palm_database.ts";
import { checkDocument } from "../_check_document.ts";
import { type Book, type Entry, indexOf, makeMobi, palmDatabase, stringsOf, words } from "./make_mobi.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(book: Book | Uint8Array<ArrayBuffer>): Promise<Document> {
  const bytes = book instanceof Uint8Array ? book : makeMobi(book);
  const document = await loader.load(bytes, { path: "a.mobi" });
  checkDocument(document);
  return document;
}

async function problem(book: Book | Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await read(book)).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return `${error.problem}: ${error.message}`;
  }
}

/** Returns the table of contents: titles with their level and the tag of their place. */
function contents(
  ...entries: [title: string, level: number, place: Record<number, number[]>][]
): Uint8Array[] {
  const { bytes, offsets } = stringsOf(entries.map(([title]) => title));
  return indexOf(
    entries.map(([, level, place], i): Entry => [String(i), { 3: [offsets[i]!], 4: [level], ...place }]),
    bytes,
  );
}

Deno.test("chapters are separated by page breaks and get their titles from the table of contents", async () => {
  const text =
    "<html><body><p>Front</p><mbp:pagebreak/><p>Rotate keys.</p><mbp:pagebreak/><h2>Own</h2><p>绿茶</p>";
  const second = text.indexOf("<p>Rotate");
  const { text: markdown, pages, pageUnit, title, metadata } = await read({
    text: [text.slice(0, 30), text.slice(30)],
    title: "钥匙",
    fields: [
      [100, "Li Lei"],
      [100, "Ann"],
      [101, "Press"],
      [103, "<p>About keys</p>"],
      [105, "security"],
      [106, "2024-05-01"],
      [524, "zh"],
    ],
    groups: {
      244: contents(["Rotation", 0, { 1: [second] }], ["Other", 1, {
        1: [second + 40],
      }]),
    },
  });
  equal(markdown, "Front\n\n# Rotation\n\nRotate keys.\n\n## Own\n\n绿茶\n");
  deepEqual(pages!.map(({ label }) => label), [undefined, "Rotation", "Other"]);
  equal(pageUnit, "chapter");
  equal(title, "钥匙");
  deepEqual(metadata, {
    authors: ["Li Lei", "Ann"],
    tags: ["security"],
    published: "2024-05-01",
    language: "zh",
    description: "About keys",
    extra: { publisher: "Press" },
  });
});

Deno.test("PalmDOC compression repeats earlier bytes, and joins a blank with a letter", async () => {
  const text = Uint8Array.of(
    ...utf8("<p>green"),
    "t".charCodeAt(0) ^ 0x80,
    ...utf8("ea, "),
    0x80,
    11 << 3 | 4,
    3,
    0xe7,
    0xbb,
    0xbf,
  );
  equal((await read({ text: [text], compression: 2 })).text, "green tea, green t绿\n");
});

Deno.test("entries behind the text of a record are cut off, and characters may lie in two records", async () => {
  const [a, b, c] = utf8("茶");
  // An entry with its length at its end (flag 2), before it the rest of a character and the number of its bytes (flag 1).
  const first = joinedBytes([utf8("<p>"), Uint8Array.of(a!, b!, c!, 1), utf8("xyz"), Uint8Array.of(0x84)]);
  const second = joinedBytes([Uint8Array.of(c!, 0, 0x81)]);
  equal((await read({ text: [first, second], trailing: 3 })).text, "茶\n");
});

/** Codes of 8 bits for the phrases, from the last to the first. A phrase of codes is given as numbers of phrases. */
function huffman(phrases: readonly (string | readonly number[])[]): Uint8Array[] {
  const first = Array.from({ length: 256 }, () => 255 * 256 + 0x80 + 8);
  const table = joinedBytes([
    utf8("HUFF"),
    words(24, 24, 24 + 1024, 0, 0, ...first, ...new Array(64).fill(0)),
  ]);
  const parts = phrases.map((phrase) => {
    const bytes = typeof phrase === "string"
      ? utf8(phrase)
      : Uint8Array.from(phrase, (number) => 255 - number);
    return joinedBytes([Uint8Array.of(typeof phrase === "string" ? 0x80 : 0, bytes.length), bytes]);
  });
  const offsets = parts.map((_, i) =>
    2 * parts.length +
    parts.slice(0, i).reduce((sum, { length }) => sum + length, 0)
  );
  const dictionary = joinedBytes([
    ...[utf8("CDIC"), words(16, phrases.length, 8)],
    ...offsets.map((offset) => Uint8Array.of(offset >> 8, offset & 0xff)),
    ...parts,
  ]);
  return [table, dictionary];
}

Deno.test("HUFF/CDIC compression codes phrases, which may consist of phrases", async () => {
  const book = {
    text: [Uint8Array.of(255, 253, 253)],
    compression: 17480,
    groups: { 112: huffman(["<p>", "green ", [1, 3], "tea "]) },
  };
  equal((await read(book)).text, "green tea green tea\n");
});

Deno.test("hostile dictionaries are refused", async () => {
  const book = (phrases: (string | number[])[], code: number) => ({
    text: [Uint8Array.of(255 - code)],
    compression: 17480,
    groups: { 112: huffman(phrases) },
  });
  equal(await problem(book([[0]], 0)), "damaged: the dictionary of the compressed text is broken");
  equal(await problem(book([], 7)), "damaged: the dictionary of the compressed text is broken");
  const doubling = Array.from({ length: 30 }, (_, i): string | number[] => i === 0 ? "tea" : [i - 1, i - 1]);
  equal(await problem(book(doubling, 29)), "too_complex: it unpacks to more than 2 MB");
  const nested = Array.from({ length: 60 }, (_, i): string | number[] => i === 0 ? "tea" : [i - 1]);
  equal(await problem(book(nested, 59)), "too_complex: the dictionary is nested too deeply");
});

Deno.test("phrases of phrases that are too large to be kept are unpacked again", async () => {
  const long = "tea ".repeat(63);
  const doubling = Array.from({ length: 10 }, (_, i) => [i, i]);
  const wrapped = Array.from({ length: 20 }, (_, i) => [i + 10]);
  const { text } = await read({
    text: [Uint8Array.of(255 - 30, 255 - 30, 255 - 30)],
    compression: 17480,
    groups: { 112: huffman([long, ...doubling, ...wrapped]) },
  });
  equal(text.match(/tea/g)!.length, 3 * 1024 * 63);
});

Deno.test("entries of an index whose lists of numbers are empty count towards its limit", () => {
  const tags = Array.from({ length: 200 }, (_, i) => Uint8Array.of(i, 0, 1, 0));
  const head = joinedBytes([words(0x494e4458, 56, 0, 0, 0, 0, 1, 65001, 0, 0, 0, 0, 0, 0), utf8("TAGX")]);
  const meta = joinedBytes([head, words(12 + 4 * tags.length, 1), ...tags]);
  // All entries are one: an empty name and a control byte.
  const count = 20_000;
  const entries = joinedBytes([
    words(0x494e4458, 56, 0, 0, 0, 58, count, 65001, 0, 0, 0, 0, 0, 0),
    Uint8Array.of(0, 1),
    utf8("IDXT"),
    new Uint8Array(2 * count).map((_, i) => i % 2 === 0 ? 0 : 56),
  ]);
  const database = new PalmDatabase(palmDatabase("BOOKMOBI", [new Uint8Array(), meta, entries]));
  equal(readIndex(database, 1).entries.length, 10_000);
});

const SKELETON = "<html><body></body></html>";
/** A KF8 book of two pages, the second one in two fragments. */
const KF8: Book = {
  version: 8,
  text: [`${SKELETON}<p>One</p>${SKELETON}<p>Two</p><p>Three</p>p {}`],
  groups: {
    244: contents(["First", 0, { 6: [0, 0] }], ["Second", 0, { 6: [1, 0] }]),
    248: indexOf([["12", { 6: [0, 10] }], ["48", { 6: [0, 10] }], ["58", {
      6: [10, 12],
    }]]),
    252: indexOf([["a", { 1: [1], 6: [0, 26] }], ["b", {
      1: [2],
      6: [36, 26],
    }]]),
    192: [joinedBytes([utf8("FDST"), words(12, 2, 0, 84, 84, 88)])],
  },
};

Deno.test("the pages of KF8 are put together from skeletons and fragments", async () => {
  const { text, pages } = await read(KF8);
  equal(text, "# First\n\nOne\n\n# Second\n\nTwo\n\nThree\n");
  equal(pages!.length, 2);
});

Deno.test("of two halves only the KF8 half is read", async () => {
  const { text } = await read({ text: ["<p>Old half"], half: KF8 });
  ok(text.startsWith("# First") && !text.includes("Old half"));
});

Deno.test("PalmDOC texts are HTML, or plain text with a paragraph in each line", async () => {
  deepEqual(
    await read({ version: 0, text: ["<html><h1>Tea</h1><p>green"] }).then(({ text, title }) => [title, text]),
    ["A_book", "# Tea\n\ngreen\n"],
  );
  equal((await read({ version: 0, text: ["green tea\n# black\n"] })).text, "green tea\n\n\\# black\n");
});

Deno.test("a protected book is refused, and so are other Palm databases", async () => {
  equal(await problem({ text: ["x"], encryption: 2 }), "encrypted: the book is protected by DRM");
  equal(
    await problem(palmDatabase("DataPlkr", [utf8("x")])).then((text) => text.split(":")[0]),
    "unsupported",
  );
  equal(await problem({ text: ["%MOP…"] }).then((text) => text.split(":")[0]), "unsupported");
  equal(await problem(Uint8Array.from(utf8("TPZ0"))).then((text) => text.split(":")[0]), "unsupported");
  equal(await problem(new Uint8Array(100)).then((text) => text.split(":")[0]), "unsupported");
});

Deno.test("repeated marks and pages that overlap take linear time", async () => {
  equal(await problem({ text: ["<mbp:pagebreak".repeat(4_000)] }), "");
  equal((await read({ text: ["<p>x<mbp:pagebreak/>".repeat(3_000)] })).pages!.length, 3_000);
  const overlapping = indexOf(
    Array.from({ length: 1_000 }, () => ["a", { 1: [0], 6: [0, 60_000] }] as const),
  );
  equal(
    await problem({
      version: 8,
      text: ["a".repeat(60_000)],
      groups: { 252: overlapping },
    }),
    "damaged: the pages of the book overlap",
  );
});
