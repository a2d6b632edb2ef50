import { deepEqual } from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { joinedBytes } from "#documents/mod.ts";
import { packRequest } from "#documents/recognition/request.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { languageData } from "./_language_data.ts";
import { type ScanImage, type ScanPage, scanPdf } from "./_scan_pdf.ts";
import { pixelsOf, sample } from "./_samples.ts";
import { PAGES } from "./samples/pages.ts";

const EN = PAGES.en.join(" "), ZH = PAGES.zh.join("");
const languages = await languageData();
/** The processes of the program, which have no permissions. */
const openProcess = ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject());

/** Returns the text of each page that was asked for. */
async function textsIn(
  kind: "pdf" | "image",
  document: Uint8Array,
  pages: readonly number[] = [1],
): Promise<string[]> {
  using extractor = new Extractor(openProcess);
  const request = packRequest({ kind, pages, languages, document });
  const { text, pages: found = [] } = await extractor.extract("recognition", request, { path: "" });
  return found.map(({ start, end }) => text.slice(start, end));
}

/** Returns the text of a page that the image fills, in a page of its size. */
function textOfScan(images: readonly ScanImage[], page: Partial<ScanPage> = {}): Promise<string[]> {
  return textsIn("pdf", scanPdf([{ width: WIDTH, height: HEIGHT, ...page }], images));
}

const en = pixelsOf("en.png");
/** Size of the page in points, at 150 dpi. */
const WIDTH = en.width * 72 / 150, HEIGHT = en.height * 72 / 150;

/** Returns an image of a PDF with a number of samples, bits each, for a pixel. */
function imageOf(
  { width, height, grey }: typeof en,
  { space = "/DeviceGray", bits = 8, more = "", from = 0, to = height } = {},
): ScanImage {
  const size = space === "/DeviceRGB" ? 3 : 1, rows = to - from;
  const stride = bits === 1 ? (width + 7) >> 3 : width * size;
  const data = new Uint8Array(stride * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++) {
      const value = grey[(from + y) * width + x]!;
      if (bits === 1) data[y * stride + (x >> 3)]! |= (value >> 7) << (7 - (x & 7));
      else data.fill(value, y * stride + x * size, y * stride + (x + 1) * size);
    }
  }
  const kind = more.includes("/ImageMask") ? "" : `/ColorSpace ${space}`;
  return {
    dictionary:
      `/Width ${width} /Height ${rows} /BitsPerComponent ${bits} ${kind} /Filter /FlateDecode ${more}`,
    data: deflateSync(data),
  };
}

Deno.test("the text of pictures is recognised, in Chinese and English", async () => {
  deepEqual(await textsIn("image", sample("en.png")), [EN]);
  deepEqual(await textsIn("image", sample("zh.png")), [ZH]);
});

Deno.test("each page of a TIFF is recognised", async () => {
  deepEqual(await textsIn("image", sample("pages.tif"), [1, 2, 3]), [ZH, EN, ""]);
});

Deno.test("a picture is turned as its camera says", async () => {
  const jpeg = sample("turned.jpg");
  const exif = Uint8Array.of(
    ...[0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0],
  );
  deepEqual(await textsIn("image", joinedBytes([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])), [EN]);
});

Deno.test("scanned pages are recognised in grey, in colour, and in black and white", async () => {
  deepEqual(await textOfScan([imageOf(en)]), [EN]);
  deepEqual(await textOfScan([imageOf(en, { space: "/DeviceRGB" })]), [EN]);
  deepEqual(await textOfScan([imageOf(en, { bits: 1 })]), [EN]);
  deepEqual(await textOfScan([imageOf(en, { bits: 1, more: "/ImageMask true" })]), [EN]);
});

Deno.test("a scanned page is recognised that the file turns, or draws in strips", async () => {
  const turned = {
    width: HEIGHT,
    height: WIDTH,
    rotate: 90,
    content: `0 ${WIDTH} ${-HEIGHT} 0 ${HEIGHT} 0 cm /I0 Do`,
  };
  deepEqual(await textOfScan([imageOf(en)], turned), [EN]);
  const half = en.height >> 1, down = half * 72 / 150;
  const strips = [imageOf(en, { to: half }), imageOf(en, { from: half })];
  const content = `q ${WIDTH} 0 0 ${down} 0 ${HEIGHT - down} cm /I0 Do Q q ${WIDTH} 0 0 ${
    HEIGHT - down
  } 0 0 cm /I1 Do Q`;
  deepEqual(await textOfScan(strips, { content }), [EN]);
});

Deno.test("scanned pages are recognised that are coded as JPEG 2000, CCITT fax or JBIG2", async () => {
  const half = `/Width ${en.width >> 1} /Height ${en.height >> 1}`;
  deepEqual(await textOfScan([{ dictionary: `${half} /Filter /JPXDecode`, data: sample("en.jp2") }]), [EN]);
  const { width, height, data } = faxOf(sample("pages.tif"));
  const size = `/Width ${width} /Height ${height} /BitsPerComponent 1 /ColorSpace /DeviceGray`;
  deepEqual(
    await textOfScan([{
      dictionary:
        `${size} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${width} /Rows ${height} >>`,
      data,
    }]),
    [ZH],
  );
  deepEqual(
    await textOfScan([{ dictionary: `${size} /Filter /JBIG2Decode`, data: jbig2Of(width, height, data) }]),
    [ZH],
  );
});

Deno.test("a page that is not a scan has no recognised text", async () => {
  const small = `q ${WIDTH / 3} 0 0 ${HEIGHT / 3} 0 0 cm /I0 Do Q BT /F1 12 Tf 50 50 Td (Tea) Tj ET`;
  deepEqual(await textOfScan([imageOf(en)], { content: small }), [""]);
  deepEqual(await textsIn("pdf", scanPdf([{ width: 100, height: 100 }], []), [1, 2]), ["", ""]);
});

/** The strokes of letters in a box of 1 × 1.4. */
const STROKES: Readonly<Record<string, string>> = {
  A: "0 0 m .5 1.4 l 1 0 l .2 .5 m .8 .5 l",
  E: "1 0 m 0 0 l 0 1.4 l 1 1.4 l 0 .7 m .8 .7 l",
  H: "0 0 m 0 1.4 l 1 0 m 1 1.4 l 0 .7 m 1 .7 l",
  K: "0 0 m 0 1.4 l 1 1.4 m 0 .7 l 1 0 l",
  L: "0 1.4 m 0 0 l 1 0 l",
  T: ".5 0 m .5 1.4 l 0 1.4 m 1 1.4 l",
};

Deno.test("a page is recognised whose letters are only lines and curves", async () => {
  const lines = Array.from(
    { length: 8 },
    (_, row) =>
      Array.from(
        "HEAT THE KETTLE",
        (letter, column) =>
          letter === " "
            ? ""
            : `q 10 0 0 10 ${50 + 15 * column} ${700 - 40 * row} cm .17 w ${STROKES[letter]} S Q`,
      )
        .join(" "),
  ).join(" ");
  const [text] = await textsIn("pdf", scanPdf([{ width: 400, height: 800, content: lines }], []), [1]);
  deepEqual(text!.match(/HEAT THE KETTLE/g)?.length, 8);
});

Deno.test("no text is read into noise", async () => {
  let seed = 1;
  const grey = Uint8Array.from({ length: 400 * 300 }, () => (seed = seed * 48271 % 2147483647) & 255);
  deepEqual(await textOfScan([imageOf({ width: 400, height: 300, grey })]), [""]);
});

/** Returns the data of the first page of a TIFF in CCITT fax, group 4, in one strip. */
function faxOf(tiff: Uint8Array<ArrayBuffer>): { width: number; height: number; data: Uint8Array } {
  const view = new DataView(tiff.buffer);
  const directory = view.getUint32(4, true);
  const tags = new Map<number, number>();
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const entry = directory + 2 + 12 * i;
    const isShort = view.getUint16(entry + 2, true) === 3;
    tags.set(
      view.getUint16(entry, true),
      isShort ? view.getUint16(entry + 8, true) : view.getUint32(entry + 8, true),
    );
  }
  const at = tags.get(273)!;
  return { width: tags.get(256)!, height: tags.get(257)!, data: tiff.subarray(at, at + tags.get(279)!) };
}

/** Returns a JBIG2 stream as PDF embeds it: a page, and a region whose data are CCITT fax, group 4. */
function jbig2Of(width: number, height: number, fax: Uint8Array): Uint8Array {
  const u32 = (...values: number[]) =>
    values.flatMap((value) => [value >>> 24, value >> 16 & 255, value >> 8 & 255, value & 255]);
  const page = [...u32(width, height, 0, 0), 0, 0, 0];
  const region = [...u32(width, height, 0, 0), 0, 1];
  return Uint8Array.of(
    ...[...u32(0), 48, 0, 1, ...u32(page.length), ...page],
    ...[...u32(1), 38, 0, 1, ...u32(region.length + fax.length), ...region, ...fax],
  );
}
