import assert from "node:assert/strict";
import { loader } from "#documents/rtf/loader.ts";
import { DocumentError, type DocumentProblem } from "#documents/types.ts";

async function load(rtf: string) {
  return await loader.load(Uint8Array.from(rtf, (char) => char.charCodeAt(0)), { path: "a.rtf" });
}

async function problemOf(rtf: string): Promise<DocumentProblem> {
  try {
    await load(rtf);
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
  throw new Error("the file was read");
}

/** Returns bytes in RTF notation. */
function hex(...bytes: readonly number[]): string {
  return bytes.map((byte) => `\\'${byte.toString(16).padStart(2, "0")}`).join("");
}

Deno.test("headings come from names and outline levels of styles, metadata from the info group", async () => {
  const document = await load(
    "{\\rtf1\\ansi{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s2\\sbasedon1\\outlinelevel1 Mine;}}" +
      "{\\info{\\title Keys}{\\author Li Na}{\\revtim\\yr2026\\mo5\\dy1}{\\keywords key, lock}}\n" +
      "{\\header Running head}\\pard\\s1 Rotation\\par\\pard Every 90 days.\\par\n" +
      "\\pard\\s2 By hand\\par\\pard\\outlinelevel2 Details\\par\\pard Turn {\\v hidden }it.\\par}",
  );
  assert.deepEqual(
    [document.text, document.title, document.metadata],
    [
      "# Rotation\n\nEvery 90 days.\n\n## By hand\n\n### Details\n\nTurn it.\n",
      "Keys",
      { authors: ["Li Na"], modified: "2026-05-01", tags: ["key", "lock"] },
    ],
  );
});

Deno.test("bytes are decoded by the code page of the document and the character set of the font", async () => {
  const fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset134 SimSun;}{\\f2\\fcharset128 Mincho;}" +
    "{\\f3\\fcharset136 MingLiU;}{\\f4\\fcharset204 Times;}}";
  const text = `\\f0 caf${hex(0xe9)} \\f1 ${hex(0xc3, 0xdc, 0xd4, 0xbf)}\\f2 ${hex(0x83, 0x5c, 0x83)}A` +
    `\\f3 ${hex(0xb1, 0x4b)}\\f4 ${hex(0xcf)}`;
  assert.deepEqual(
    [
      (await load(`{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}${text}\\par}`)).text,
      (await load(`{\\rtf1\\ansi\\ansicpg936 ${hex(0xc3, 0xdc)}${hex(0xd4, 0xbf)}\\par}`)).text,
      (await load(
        `{\\rtf1\\ansi\\ansicpg936\\deff0{\\fonttbl{\\f0\\fcharset0 A;}}\\f0 ${hex(0xc3, 0xdc)}\\par}`,
      ))
        .text,
    ],
    ["café 密钥ソア密П\n", "密钥\n", "密\n"],
  );
});

Deno.test("Unicode characters replace their fallbacks of any length", async () => {
  assert.equal(
    (await load(
      "{\\rtf1\\u23494?\\uc2\\u-27105 \\'bf\\'bf{\\uc0\\u33521}\\uc1\\u-10179?\\u-8704?\\emdash x\\par}",
    )).text,
    `密${String.fromCharCode(0x10000 - 27105)}英😀—x\n`,
  );
});

Deno.test("lists keep their numbers, tables their cells, fields their results", async () => {
  assert.equal(
    (await load(
      "{\\rtf1{\\listtext 1.\\tab}First\\par{\\listtext\\'95\\tab}\\ilvl1 Inner\\par\\pard\n" +
        "\\trowd\\pard\\intbl Name\\cell Count\\cell\\row\\trowd\\pard\\intbl Key\\par spare\\cell 3\\cell\\row\\pard\n" +
        'See {\\field{\\*\\fldinst HYPERLINK "https://example.org/"}{\\fldrslt the {\\b guide}}}.' +
        "{\\*\\unknown not shown}{\\pict\\pngblip 89504e47}\\par 10{\\super 6} H{\\dn6 2}O\\par}",
    )).text,
    "1. First\n  - Inner\n\n| Name | Count |\n| --- | --- |\n| Key spare | 3 |\n\n" +
      "See [the guide](https://example.org/).\n\n10⁶ H₂O\n",
  );
});

Deno.test("notes and comments follow their paragraph, text boxes precede it", async () => {
  assert.equal(
    (await load(
      "{\\rtf1 Rotate{\\super\\chftn}{\\footnote \\pard{\\super\\chftn} Every 90 days.} keys" +
        "{\\*\\atnid W}{\\*\\atnauthor Wang Wei}\\chatn{\\*\\annotation \\pard Really?}" +
        "{\\footnote\\ftnalt Last.}.\\par\n" +
        "{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt \\pard Boxed\\par}}{\\shprslt Old}}After\\par}",
    )).text,
    "Rotate[^1] keys[^e1].\n\n[^1]: Every 90 days.\n\n> [Wang Wei] Really?\n\n[^e1]: Last.\n\nBoxed\n\nAfter\n",
  );
});

Deno.test("a file that is cut off keeps its text; other files are rejected", async () => {
  assert.deepEqual(
    [
      (await load("{\\rtf1 Rotate the keys {\\b every 90 da")).text,
      (await load("{\\rtf1 Rotate\\par}} rest")).text,
      (await load("{\\rtf1 a\\bin999999999 bcd")).text,
      (await load("{\\rtf1}")).text,
      await problemOf(""),
      await problemOf("Rotate the keys."),
      await problemOf(`{\\rtf1 ${"{".repeat(100_000)}a`),
    ],
    ["Rotate the keys every 90 da\n", "Rotate\n", "a\n", "", "damaged", "damaged", "too_complex"],
  );
});

Deno.test("ten million bytes of groups and words are read", async () => {
  const groups = await load(`{\\rtf1 ${"{\\b a}\\'b".repeat(1_000_000)}`);
  const fields = await load(`{\\rtf1 ${'{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt '.repeat(900)}a`);
  const notes = await load(`{\\rtf1 ${"{\\footnote a}".repeat(100_000)}\\par}`);
  assert.deepEqual([groups, fields, notes].map(({ text }) => text.length), [4, 2, 2_077_791]);
});
