import assert from "node:assert/strict";
import { loader } from "#documents/formats/picture.ts";
import { zlibSync } from "fflate";

const encode = (text: string) => new TextEncoder().encode(text);
const join = (...parts: (Uint8Array | readonly number[] | string)[]) =>
  Uint8Array.from(
    parts.flatMap((part) => [
      ...typeof part === "string" ? Uint8Array.from(part, (c) => c.charCodeAt(0)) : part,
    ]),
  );
const be16 = (n: number) => [n >> 8 & 255, n & 255];
const be32 = (n: number) => [...be16(n >>> 16), ...be16(n)];
const le16 = (n: number) => be16(n).reverse();
const le32 = (n: number) => be32(n).reverse();

async function about(bytes: Uint8Array<ArrayBuffer>) {
  const { text, title, metadata } = await loader.load(bytes, { path: "a.jpg" });
  assert.equal(text, "");
  return { ...(title === undefined ? {} : { title }), ...metadata };
}

/** Returns a TIFF in little-endian order with texts by tag in its first directory and in that of EXIF, and a place. */
function tiff(
  first: Record<number, string | Uint8Array>,
  exif: Record<number, string> = {},
): Uint8Array<ArrayBuffer> {
  const directory = (entries: [number, string | Uint8Array | number][], at: number) => {
    const head: number[] = [...le16(entries.length)];
    const data: number[] = [];
    const from = at + 2 + 12 * entries.length + 4;
    for (const [tag, value] of entries) {
      if (typeof value === "number") head.push(...le16(tag), ...le16(4), ...le32(1), ...le32(value));
      else {
        const bytes = typeof value === "string" ? join(encode(value), [0, 0, 0, 0]) : value;
        head.push(
          ...le16(tag),
          ...le16(typeof value === "string" ? 2 : 1),
          ...le32(bytes.length),
          ...le32(from + data.length),
        );
        data.push(...bytes);
      }
    }
    return [...head, ...le32(0), ...data];
  };
  const entries = Object.entries(first).map(([tag, value]) =>
    [Number(tag), value] as [number, string | Uint8Array]
  );
  const size = directory([...entries, [0x8769, 0], [0x8825, 0]], 8).length;
  const inner = directory(Object.entries(exif).map(([tag, value]) => [Number(tag), value]), 8 + size);
  return join("II*\0", le32(8), directory([...entries, [0x8769, 8 + size], [0x8825, 8]], 8), inner);
}

const EXIF = tiff(
  {
    0x010e: "How to rotate",
    0x010f: "Acme",
    0x0110: "Acme X",
    0x0132: "2024:06:01 10:00:00",
    0x013b: "Li Na; Bob",
    0x8298: "CC0",
  },
  { 0x9003: "2024:05:01 10:00:00", 0x9011: "+08:00", 0x9010: "Z" },
);
const OF_EXIF = {
  authors: ["Li Na", "Bob"],
  created: "2024-05-01T10:00:00+08:00",
  modified: "2024-06-01T10:00:00Z",
  description: "How to rotate",
  extra: { rights: "CC0", camera: "Acme X" },
};

const record = (
  number: number,
  text: string,
) => [0x1c, 2, number, ...be16(encode(text).length), ...encode(text)];
const IPTC = join(
  record(5, "钥匙"),
  record(25, "ops"),
  record(25, "预算"),
  record(80, "Li Na"),
  record(120, "How to rotate"),
  record(55, "20240501"),
  record(60, "100000+0800"),
  record(90, "Oslo"),
);
const OF_IPTC = {
  title: "钥匙",
  authors: ["Li Na"],
  tags: ["ops", "预算"],
  created: "2024-05-01T10:00:00+08:00",
  description: "How to rotate",
};

const XMP =
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="59,55N"><dc:creator><rdf:Seq><rdf:li>李娜</rdf:li></rdf:Seq></dc:creator><dc:subject><rdf:Bag><rdf:li>ops</rdf:li><rdf:li>key</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
const OF_XMP = { authors: ["李娜"], tags: ["ops", "key"] };

const segment = (marker: number, ...parts: (Uint8Array | string)[]) => {
  const content = join(...parts);
  return join([0xff, marker], be16(content.length + 2), content);
};
const jpeg = (...segments: Uint8Array[]) =>
  join([0xff, 0xd8], segment(0xe0, "JFIF\0"), ...segments, [0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
const chunk = (type: string, ...parts: (Uint8Array | string)[]) => {
  const content = join(...parts);
  return join(be32(content.length), type, content, [0, 0, 0, 0]);
};
const png = (...chunks: Uint8Array[]) =>
  join("\x89PNG\r\n\x1a\n", chunk("IHDR", "x".repeat(13)), ...chunks, chunk("IEND"));
const riff = (type: string, content: Uint8Array) =>
  join(type, le32(content.length), content, content.length % 2 ? [0] : []);
const webp = (...chunks: Uint8Array[]) => join("RIFF", le32(4), "WEBP", ...chunks);

const JPEGS = {
  exif: jpeg(segment(0xe1, "Exif\0\0", EXIF)),
  iptc: jpeg(segment(0xed, "Photoshop 3.0\0", join("8BIM", be16(0x0404), [0, 0], be32(IPTC.length), IPTC))),
  xmp: jpeg(segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", encode(XMP))),
};

Deno.test("JPEG: EXIF, IPTC and XMP, without the place", async () => {
  assert.deepEqual(await about(JPEGS.exif), OF_EXIF);
  assert.deepEqual(await about(JPEGS.iptc), OF_IPTC);
  assert.deepEqual(await about(JPEGS.xmp), OF_XMP);
  assert.deepEqual(await about(jpeg()), {});
});

Deno.test("PNG: texts, packed ones too, EXIF and XMP", async () => {
  const texts = png(
    chunk("tEXt", "Title\0Keys"),
    chunk("zTXt", "Author\0\0", zlibSync(encode("Li Na"))),
    chunk("iTXt", "Description\0\0\0\0\0", encode("如何轮换")),
    chunk("tEXt", "Software\0x"),
  );
  assert.deepEqual(await about(texts), { title: "Keys", authors: ["Li Na"], description: "如何轮换" });
  assert.deepEqual(await about(png(chunk("eXIf", EXIF))), OF_EXIF);
  assert.deepEqual(await about(png(chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", encode(XMP)))), OF_XMP);
});

Deno.test("TIFF and WebP: EXIF, IPTC and XMP", async () => {
  assert.deepEqual(await about(EXIF), OF_EXIF);
  assert.deepEqual(await about(tiff({ 0x83bb: IPTC })), OF_IPTC);
  assert.deepEqual(await about(tiff({ 0x02bc: encode(XMP) })), OF_XMP);
  assert.deepEqual(await about(webp(riff("EXIF", EXIF), riff("XMP ", encode(XMP)))), {
    ...OF_EXIF,
    ...OF_XMP,
  });
});

Deno.test("a picture that is cut off, damaged or hostile is read in linear time", async () => {
  const bomb = png(chunk("zTXt", "Title\0\0", zlibSync(new Uint8Array(10_000_000))));
  assert.deepEqual(await about(bomb), {});
  const text = zlibSync(new Uint8Array(90_000).fill(97));
  const texts = Array.from({ length: 9_000 }, () => chunk("zTXt", "Comment\0\0", text));
  // Texts of other names are not counted among the hundred that are read.
  const authors = Array.from({ length: 100 }, () => chunk("tEXt", "Author\0Li Na"));
  const full = png(...texts, ...authors, chunk("tEXt", "Title\0Keys"));
  assert.deepEqual(await about(full), { authors: ["Li Na"] });
  for (const picture of [...Object.values(JPEGS), EXIF, webp(riff("EXIF", EXIF)), png(chunk("eXIf", EXIF))]) {
    for (let at = 0; at < picture.length; at += 3) {
      await about(picture.slice(0, at));
      const broken = picture.slice();
      broken[at]! ^= 0xff;
      await about(broken);
    }
  }
  const many = [segment(0xe1, "x"), chunk("tEXt", "Title\0x"), riff("EXIF", new Uint8Array(0))];
  const [segments, chunks, parts] = many.map((one) => Array.from({ length: 200_000 }, () => one));
  const flat = (all: Uint8Array[]) =>
    Uint8Array.from({ length: all.length * all[0]!.length }, (_, i) => all[0]![i % all[0]!.length]!);
  await about(join([0xff, 0xd8]).length > 0 ? jpeg(flat(segments!)) : jpeg());
  await about(png(flat(chunks!)));
  await about(webp(flat(parts!)));
});
