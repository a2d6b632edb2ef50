/**
 * Loads Mobipocket books: `.mobi`, `.azw`, `.azw3` (KF8) and `.prc`, and PalmDOC texts. Each chapter is a page.
 * Below it: the choice of a half in books that contain two, and the fields that become metadata.
 */
import { beginsWith } from "../bytes.ts";
import { countOf, decode, decoderOf } from "../encoding.ts";
import { convertHtml } from "../html/loader.ts";
import { languageOf } from "../lcid.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import type { PictureSource } from "../pictures/types.ts";
import {
  type Document,
  DocumentError,
  type FileName,
  guarded,
  type Loader,
  type Metadata,
  viewOf,
} from "../types.ts";
import { chaptersOf } from "./chapters.ts";
import { type BookHeader, PalmDatabase, readHeader } from "./palm_database.ts";
import { unpackText } from "./text.ts";

/** Books of Mobipocket and Kindle. A book protected by DRM is refused. */
export const loader: Loader = guarded(async (bytes, file) => {
  if (beginsWith(bytes, "TPZ")) throw new DocumentError("unsupported", "it is a Topaz book");
  const database = new PalmDatabase(bytes);
  if (!/^(?:BOOKMOBI|TEXtREAd|TEXtTlDc)$/.test(database.kind)) {
    throw new DocumentError("unsupported", "it is a Palm database without a book that can be read");
  }
  const first = readHeader(database);
  if (first.isEncrypted) throw new DocumentError("encrypted", "the book is protected by DRM");
  const header = modernHalf(database, first) ?? first;
  const text = unpackText(database, header);
  if (beginsWith(text, "%MOP")) {
    throw new DocumentError("unsupported", "the book is a PDF inside a Kindle file (Print Replica)");
  }
  return header.version === 0
    ? await loadPalmDoc(text, database.name, file.encoding)
    // Both halves of a book show the pictures of the first one.
    : await loadBook(database, { ...header, pictures: first.pictures }, text, file);
});

/** Number of the EXTH field that names the record where the KF8 half of a book begins. */
const BOUNDARY = 121;

/** Returns the header of the KF8 half, which has pages and headings; `undefined` if the book has no such half. */
function modernHalf(database: PalmDatabase, { version, fields }: BookHeader): BookHeader | undefined {
  const value = fields.get(BOUNDARY)?.[0];
  if (version === 8 || value?.length !== 4) return undefined;
  const start = viewOf(value).getUint32(0);
  const mark = database.record(start - 1);
  if (mark === undefined || !beginsWith(mark, "BOUNDARY")) return undefined;
  const header = readHeader(database, start);
  return header.version === 8 ? header : undefined;
}

async function loadBook(
  database: PalmDatabase,
  header: BookHeader,
  text: Uint8Array<ArrayBuffer>,
  file: FileName,
): Promise<Document> {
  const builder = new MarkdownBuilder(file);
  const decoder = await decoderFor(text, header);
  let number = 0;
  for (const { html, heading } of chaptersOf(database, header, text)) {
    const source = decoder.decode(html);
    if (source.trim() === "") continue;
    builder.page(++number, "chapter", heading?.title);
    await convertHtml(source, builder, {
      xml: header.version === 8,
      extent: "whole",
      heading,
      pictureAt: (address) => pictureAt(address, database, header),
    });
  }
  const field = (number: number) =>
    (header.fields.get(number) ?? []).map((value) => fieldText(value, header));
  return builder.finish({
    title: field(503)[0] ?? (header.title || database.name.replaceAll("_", " ")),
    metadata: metadataOf(field, header.locale),
  });
}

/** Returns where a picture is: `00012`, or `kindle:embed:000C?mime=image/jpeg` in digits to the base of 32. */
function pictureAt(
  address: string,
  database: PalmDatabase,
  { pictures: first }: BookHeader,
): PictureSource {
  const embedded = /^kindle:embed:([0-9A-V]{1,6})/i.exec(address)?.[1];
  const number = embedded === undefined ? Number(/^\d{1,6}$/.exec(address)?.[0]) : parseInt(embedded, 32);
  if (Number.isNaN(number)) return { link: address };
  return { bytes: () => first === undefined ? undefined : database.record(first + number - 1) };
}

/** Returns the decoder of a text: that of the header, unless more than a hundredth of the text is invalid in it. */
async function decoderFor(text: Uint8Array, { encoding = "utf-8" }: BookHeader): Promise<TextDecoder> {
  const decoder = decoderOf(encoding)!;
  const decoded = decoder.decode(text);
  const isRight = countOf(decoded, "\ufffd") <= decoded.length / 100 + 10;
  return isRight ? decoder : decoderOf((await decode(text)).encoding)!;
}

/** A text without a header may be HTML, or plain text with a paragraph in each line. */
async function loadPalmDoc(text: Uint8Array, title: string, encoding: string | undefined): Promise<Document> {
  const source = (await decode(text, encoding)).text.replaceAll("\0", "");
  const builder = new MarkdownBuilder();
  if (/^\s*<(?:html|head|body|p|h[1-6]|div|!doctype)\b/i.test(source.slice(0, 1000))) {
    const facts = await convertHtml(source, builder, { extent: "whole" });
    return builder.finish({
      title: facts.title || title,
      metadata: facts.metadata,
    });
  }
  for (const line of source.split(/\r\n?|\n/)) builder.paragraph(line);
  return builder.finish({ title });
}

/** Metadata by the numbers of EXTH fields. */
function metadataOf(texts: (field: number) => readonly string[], locale: number): Metadata | undefined {
  return described([
    // Calibre's values for an unknown author and an unknown date.
    ["authors", texts(100).filter((author) => author !== "Unknown")],
    ["tags", texts(105)],
    ["published", (texts(106)[0] ?? "").replace(/^0101-01-01.*/, "")],
    ["language", texts(524)[0] ?? languageOf(locale).tag],
    ["description", texts(103)[0]?.replace(/<[^<>]{0,500}>/g, " ")],
    ["publisher", texts(101)[0]],
    ["isbn", texts(104)[0]],
  ]).metadata;
}

function fieldText(value: Uint8Array, { encoding }: BookHeader): string {
  return new TextDecoder(encoding ?? "utf-8").decode(value.subarray(0, 10_000))
    .replace(/\s+/g, " ").trim();
}
