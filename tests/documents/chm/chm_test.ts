import { deepEqual, equal, ok } from "node:assert/strict";
import { type Document, DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/chm/loader.ts";
import { checkDocument } from "../_check_document.ts";
import { BitWriter, type Help, makeChm } from "./make_chm.ts";

async function read(help: Help | Uint8Array<ArrayBuffer>): Promise<Document> {
  const document = await loader.load(help instanceof Uint8Array ? help : makeChm(help), { path: "a.chm" });
  checkDocument(document);
  return document;
}

async function problem(help: Help | Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await read(help)).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return `${error.problem}: ${error.message}`;
  }
}

const entry = (name: string, local: string) =>
  `<LI><OBJECT type="text/sitemap"><param name="Name" value="${name}"><param name="Local" value="${local}"></OBJECT>`;

Deno.test("pages come in the order of the table of contents, with its headings, and others behind them", async () => {
  const { text, title, pages, pageUnit, metadata } = await read({
    title: "Keys",
    files: {
      "/toc.hhc": `<UL>${entry("Start", "html\\start.htm")}${entry("Part", "")}<UL>${
        entry("Rotation &amp; more", "b.htm#x")
      }${entry("Again", "B.htm")}${entry("Gone", "gone.htm")}</UL></UL>`,
      "/b.htm": "<p>Rotate keys.</p>",
      "/html/start.htm": "<h1>Welcome</h1><p>Hello.</p>",
      "/other.htm": "<title>Other</title><p>More.</p>",
      "/a.css": "p {}",
    },
  });
  equal(text, "# Welcome\n\nHello.\n\n# Part\n\n## Rotation & more\n\nRotate keys.\n\n# Other\n\nMore.\n");
  equal(title, "Keys");
  deepEqual(pages!.map(({ label }) => label), ["Start", "Rotation & more", "Other"]);
  equal(pageUnit, "chapter");
  deepEqual(metadata, { language: "en" });
});

Deno.test("a page is decoded by its declaration, or else by the language of the file", async () => {
  const gbk = Uint8Array.of(0x3c, 0x70, 0x3e, 0xc2, 0xcc, 0xb2, 0xe8);
  const big5 = Uint8Array.of(0x3c, 0x70, 0x3e, 0xba, 0xf1, 0xaf, 0xf9);
  equal((await read({ lcid: 0x804, files: { "/a.htm": gbk } })).text, "绿茶\n");
  const { text, metadata } = await read({ lcid: 0x404, files: { "/a.htm": big5, "/b.htm": "<p>綠茶" } });
  equal(text, "綠茶\n\n綠茶\n");
  deepEqual(metadata, { language: "zh-TW" });
  const declared = Uint8Array.from([...new TextEncoder().encode("<meta charset=gbk>"), ...gbk]);
  equal((await read({ lcid: 0x409, files: { "/a.htm": declared } })).text, "绿茶\n");
});

/** A match of 7 bytes, with a distance of 4 or 5 bytes by another bit, and one of 3 bytes with the distance before. */
const MATCH = 256 + 5 * 8 + 5;
const REPEAT = 256 + 1;

/** Length of the code of each symbol: 8 bits for letters, 9 for four symbols. */
const LENGTHS = Array.from({ length: 512 }, (_, symbol) => {
  if (symbol === 0 || symbol === 1 || symbol === MATCH || symbol === REPEAT) return 9;
  return symbol < 256 ? 8 : 0;
});
/** Writes a block of literals, a match and a repeated match, filled up with blanks. */
function compressed(literals: string): Uint8Array[] {
  const bits = new BitWriter();
  bits.add(0, 1);
  bits.add(1, 3);
  bits.add(0x8000, 24);
  for (const lengths of [LENGTHS.slice(0, 256), LENGTHS.slice(256), new Array<number>(249).fill(0)]) {
    // The code of the lengths: 0 is "10", 9 bits (as -8) "11", 8 bits (as -9) "0".
    for (let symbol = 0; symbol < 20; symbol++) bits.add({ 0: 2, 8: 2, 9: 1 }[symbol] ?? 0, 4);
    for (const length of lengths) length === 8 ? bits.add(0, 1) : bits.add(length === 9 ? 3 : 2, 2);
  }
  const letters = LENGTHS.flatMap((length, symbol) => length === 8 ? [symbol] : []);
  const long = LENGTHS.flatMap((length, symbol) => length === 9 ? [symbol] : []);
  const add = (symbol: number) => {
    if (LENGTHS[symbol] === 8) bits.add(letters.indexOf(symbol), 8);
    else bits.add(letters.length * 2 + long.indexOf(symbol), 9);
  };
  for (const char of literals) add(char.charCodeAt(0));
  add(MATCH);
  bits.add(0, 1);
  add(REPEAT);
  for (let i = literals.length + 10; i < 0x8000; i++) add(32);
  return [bits.finish()];
}

Deno.test("LZX blocks have codes of their own, and matches repeat earlier bytes", async () => {
  const literals = "<p>green tea ";
  const files = { "/a.htm": `${literals}tea tea tea`.slice(0, literals.length + 10) };
  equal((await read({ files, compress: () => compressed(literals) })).text, "green tea tea tea te\n");
});

Deno.test("a match that reaches before the start is refused", async () => {
  equal(
    await problem({ files: { "/a.htm": "x".repeat(20) }, compress: () => compressed("abc") }),
    "damaged: the LZX data is broken",
  );
});

Deno.test("pages in many frames are read, and a cut file gives the pages before the cut", async () => {
  const files = { "/a.htm": `<p>${"tea ".repeat(20_000)}`, "/b.htm": `<p>${"green ".repeat(20_000)}` };
  const bytes = makeChm({ files });
  equal((await read(bytes)).text.match(/tea|green/g)!.length, 40_000);
  equal((await read(bytes.slice(0, -60_000))).text.match(/tea|green/g)!.length, 20_000);
});

Deno.test("hostile sizes and names are refused", async () => {
  const files = { "/a.htm": `<p>${"tea ".repeat(5_000)}` };
  equal(
    await problem({ files, claimed: 2 ** 32 - 1 }),
    "too_complex: the help file unpacks to more than the limit",
  );
  equal(await problem({ files, claimed: 40_000 }), "damaged: the LZX data has no frames");
  equal(await problem({ files, copies: 20 }), "too_complex: the help file unpacks to more than the limit");
  equal(
    await problem({ files: { "/a.css": "x" } }),
    "damaged: the help file contains no page that can be read",
  );
  equal(await problem(new Uint8Array(200)), "damaged: it is not a compiled help file");
});

Deno.test("repeated marks in the table of contents take linear time", async () => {
  for (
    const mark of [
      "<UL>",
      "<OBJECT>",
      "</UL>",
      entry("x", "a.htm"),
      entry("x", ""),
      "<param name=Name value=",
    ]
  ) {
    const contents = mark.repeat(Math.min(200_000, 10_000_000 / mark.length));
    equal(
      (await read({ files: { "/a.htm": "<p>tea", "/toc.hhc": contents } })).text.includes("tea"),
      true,
      mark,
    );
  }
});
