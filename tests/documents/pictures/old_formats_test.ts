import { deepEqual, equal } from "node:assert/strict";
import { type ListedPicture, readPictures } from "#documents/mod.ts";
import { long, makeDoc, short } from "../doc/make_doc.ts";
import { makeMobi } from "../mobi/make_mobi.ts";
import { ofdOf, ofdPage, ofdText } from "../ofd/ofd_of.ts";
import { makePng } from "./make_png.ts";

const PNG = makePng(40, 30);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** The pictures in a document, without their hashes. */
async function listed(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<object[]> {
  const { answer } = await readPictures(bytes, { path }, { want: "list" });
  return answer.pictures.map(({ sha256: _, size: __, ...rest }) => rest);
}

/** The facts about {@linkcode PNG}. */
const shown = (more: Partial<ListedPicture>) => ({
  number: 1,
  line: 1,
  section: [],
  width: 40,
  height: 30,
  mediaType: "image/png",
  ...more,
});

/** The bytes of a picture as a client gets them. */
async function given(path: string, bytes: Uint8Array<ArrayBuffer>, number: number): Promise<Uint8Array> {
  const want = { want: "pictures", numbers: [number], side: 100, bytes: 10_000 } as const;
  return (await readPictures(bytes, { path }, want)).contents[0]!;
}

Deno.test("pictures of RTF are digits or raw bytes; those in cells stand below their table", async () => {
  const head =
    "{\\rtf1\\ansi Tea.\\par {\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv A cup}}}" +
    "\\pngblip\\picw40{\\*\\blipuid 00ff}\n";
  const digits = PNG.toHex().replace(/.{60}/g, "$&\r\n");
  const second = "}}{\\nonshppict{\\pict\\wmetafile8 0100}}\\par " +
    "\\trowd\\cellx1\\cellx2 A\\intbl\\cell {\\pict\\pngblip\\bin" + PNG.length + " ";
  const file = Uint8Array.from([
    ...utf8(head + digits + second),
    ...PNG,
    ...utf8("}\\intbl\\cell\\row\\pard Water.\\par}"),
  ]);
  deepEqual(await listed("a.rtf", file), [
    shown({ line: 3, alt: "A cup" }),
    shown({ number: 2, line: 8 }),
  ]);
  for (const number of [1, 2]) deepEqual(await given("a.rtf", file, number), PNG);
});

Deno.test("a picture of RTF without an end, or one inside of another, is no problem", async () => {
  const open = utf8(`{\\rtf1 Tea.\\par {\\pict\\pngblip ${PNG.toHex()}`);
  deepEqual(await listed("a.rtf", open), [shown({})]);
  const nested = utf8(`{\\rtf1 Tea.\\par ${"{\\pict\\pngblip 89".repeat(1_000)}`);
  equal((await listed("a.rtf", nested)).length, 1);
  const many = utf8(`{\\rtf1 ${"{\\pict\\pngblip 89}".repeat(200_000)}}`);
  equal((await listed("a.rtf", many)).length, 1_000);
});

Deno.test("pictures of Kindle books are found by the numbers in both kinds of books", async () => {
  const old = makeMobi({
    text: ['<p>Tea.</p><p><img recindex="00002" alt="A cup"></p><img recindex="9">'],
    groups: { 108: [utf8("none"), PNG] },
  });
  deepEqual(await listed("a.mobi", old), [
    shown({ page: 1, line: 3, alt: "A cup" }),
    { number: 2, page: 1, line: 3, section: [], problem: "missing" },
  ]);
  const both = makeMobi({
    text: ["<p>Tea.</p>"],
    groups: { 108: [utf8("none"), PNG] },
    half: { version: 8, text: ['<p>Tea.</p><img src="kindle:embed:0002?mime=image/png"/>'] },
  });
  deepEqual(await listed("a.azw3", both), [shown({ page: 1 })]);
  deepEqual(await given("a.azw3", both, 1), PNG);
});

/** A record of an Office drawing. */
function record(type: number, body: readonly number[], instance = 0, version = 0): number[] {
  return [...short(version | instance << 4), ...short(type), ...long(body.length), ...body];
}

/** The entry of a list of pictures, with the picture in it. */
function entry(picture: Uint8Array): number[] {
  const inside = record(0xf01e, [...new Array(17).fill(0), ...picture], 0x6e0);
  return record(0xf007, [...new Array(36).fill(0), ...inside], 6, 2);
}

Deno.test("a floating picture of a Word document is that of its shape; a text box is no picture", async () => {
  const container = (type: number, ...inside: number[][]) => record(type, inside.flat(), 0, 15);
  const shape = (number: number, options: number[] = []) =>
    container(
      0xf004,
      record(0xf00a, [...long(number), ...long(0)]),
      record(0xf00b, options, options.length / 6, 3),
    );
  const file = makeDoc({
    paragraphs: [{ text: "Tea.\x08\r" }, { text: "Water.\x08\r" }],
    parts: {
      40: [4, 12, 14].flatMap(long).concat(
        [1025, 1026].flatMap((shape) => [...long(shape), ...new Array(22).fill(0)]),
      ),
      50: [
        ...container(0xf000, container(0xf001, entry(makePng(9, 9)), entry(PNG))),
        0,
        ...container(0xf002, shape(1025), shape(1026, [...short(0x4104), ...long(2)])),
      ],
    },
  });
  deepEqual(await listed("a.doc", file), [shown({ line: 3 })]);
  deepEqual(await given("a.doc", file, 1), PNG);
});

Deno.test("records of a Word document that are inside of one another take linear time", async () => {
  // Each seems to contain all that follow, and 4,095 properties.
  const open = [...short(0xffff), ...short(0xf00b), ...long(0xffffffff)];
  const file = makeDoc({
    paragraphs: [{ text: "Tea.\x08\r" }],
    parts: {
      40: [...long(4), ...long(6), ...long(1025), ...new Array(22).fill(0)],
      50: new Array(200_000).fill(open).flat(),
    },
  });
  deepEqual(await listed("a.doc", file), []);
});

Deno.test("a picture in the line of a Word document lies where the properties of its character say", async () => {
  const drawing = entry(PNG);
  const data = Uint8Array.from([
    ...new Array(8).fill(0),
    ...long(68 + drawing.length),
    ...short(68),
    ...short(0x64),
    ...new Array(60).fill(0),
    ...drawing,
  ]);
  const characters = new Uint8Array(512);
  characters.set([...long(2048), ...long(4096), 250]);
  characters.set([6, ...short(0x6a03), ...long(8)], 500);
  characters[511] = 1;
  const plain = makeDoc({ paragraphs: [{ text: "Tea.\r\x01\r" }] });
  deepEqual(await listed("a.doc", plain), [{ number: 1, line: 1, section: [], problem: "missing" }]);
  const file = makeDoc({
    paragraphs: [{ text: "Tea.\r" }, { text: "\x01\r" }],
    parts: { 12: [...long(2048), ...long(4096), ...long(2)] },
    page: characters,
    streams: { Data: data },
  });
  deepEqual(await listed("a.doc", file), [shown({})]);
});

Deno.test("pictures of OFD have their page and place in points", async () => {
  const media = (id: string, file: string) =>
    `<ofd:MultiMedia ID="${id}" Type="Image"><ofd:MediaFile>${file}</ofd:MediaFile></ofd:MultiMedia>`;
  const file = ofdOf({
    "page.xml": ofdPage(
      `${
        ofdText("Tea", 10, 10)
      }<ofd:ImageObject ResourceID="7" Boundary="25.4 50.8 20 10" CTM="20 0 0 10 0 0"/>
      <ofd:ImageObject ResourceID="8" Boundary="25.4 76.2 25.4 12.7"/>${ofdText("Water", 10, 100)}`,
    ),
  }, {
    common: "<ofd:DocumentRes>Res.xml</ofd:DocumentRes>",
    more: {
      "Doc_0/Res.xml": `<ofd:Res xmlns:ofd="http://www.ofdspec.org/2016" BaseLoc="Res"><ofd:MultiMedias>${
        media("7", "cup.png")
      }${media("8", "none.png")}</ofd:MultiMedias></ofd:Res>`,
      "Doc_0/Res/cup.png": PNG,
    },
  });
  deepEqual(await listed("a.ofd", file), [
    shown({ page: 1, box: { left: 72, top: 144, width: 56.7, height: 28.3 }, share: 0.003 }),
    {
      number: 2,
      page: 1,
      line: 1,
      section: [],
      box: { left: 72, top: 216, width: 72, height: 36 },
      share: 0.005,
      problem: "missing",
    },
  ]);
});
