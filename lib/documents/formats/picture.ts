/**
 * Reads what pictures say about themselves: XMP, IPTC, EXIF and the texts of PNG, in JPEG, PNG, TIFF and WebP. The place where a
 * picture was taken is never read: those who share a folder rarely know that it is there.
 * Below it: the parts of a file that hold metadata, the fields of EXIF, and the records of IPTC.
 */
import { unzlibSync } from "fflate";
import { beginsWith } from "../bytes.ts";
import { described } from "../metadata.ts";
import {
  APP1,
  APP13,
  contentAfter,
  EXIF,
  isLittleEndian,
  jpegSegments,
  PNG_SIGNATURE,
  pngChunks,
  tiffEntries,
} from "../pictures/picture_parts.ts";
import { guarded, type Loader, viewOf } from "../types.ts";
import { xmpFields } from "../xmp.ts";

/** A picture as a document without text. XMP has the latest words of a person, then IPTC; EXIF has those of the camera. */
export const loader: Loader = guarded((bytes) => {
  const found = new Map<Kind, Uint8Array>();
  const texts: Field[] = [];
  for (const part of partsOf(bytes)) {
    if (part.kind === "text") texts.push([part.name, part.text]);
    else if (!found.has(part.kind)) found.set(part.kind, part.bytes);
  }
  const exif = attempt(() => exifFields(found.get("exif")));
  const sources = [
    xmpFields(utf8(found.get("xmp") ?? exif.xmp)),
    attempt(() => ({ fields: iptcFields(found.get("iptc") ?? exif.iptc) })).fields,
    exif.fields,
    texts.map(([name, value]) => [PNG[name]!, value] as const),
  ];
  const authors = sources.map((fields) => fields.filter(([name, value]) => name === "authors" && value))
    .find((fields) => fields.length > 0);
  const { title, metadata } = described([
    ...authors ?? [],
    ...sources.flat().filter(([name]) => name !== "authors"),
  ]);
  return {
    text: "",
    sections: [],
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  };
});

type Field = readonly [name: string, value: unknown];

interface ExifFound {
  readonly fields: readonly Field[];
  readonly xmp?: Uint8Array | undefined;
  readonly iptc?: Uint8Array | undefined;
}

/** Returns what a reader finds; nothing where the picture is cut off. */
function attempt(read: () => ExifFound): ExifFound {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return { fields: [] };
    throw error;
  }
}

/** The fields of the normal form by the keywords of PNG. */
const PNG: Readonly<Record<string, string>> = {
  Title: "title",
  Author: "authors",
  Description: "description",
  Copyright: "rights",
  "Creation Time": "created",
  Source: "camera",
};

type Kind = "xmp" | "iptc" | "exif";
type Part = { readonly kind: Kind; readonly bytes: Uint8Array } | {
  readonly kind: "text";
  readonly name: string;
  readonly text: string;
};

/** Parts of a file that are looked at, and bytes of a text. */
const MOST_PARTS = 10_000, LONGEST = 100_000;
/** Texts of a PNG that are read. */
const MOST_TEXTS = 100;
const XMP = "XML:com.adobe.xmp";

function* partsOf(bytes: Uint8Array): Generator<Part> {
  const starts = (signature: string, at = 0) => beginsWith(bytes, signature, at);
  if (starts("\xff\xd8")) yield* jpegParts(bytes);
  else if (starts(PNG_SIGNATURE)) yield* pngParts(bytes);
  else if (starts("RIFF") && starts("WEBP", 8)) yield* webpParts(bytes);
  else if (starts("II*\0") || starts("MM\0*")) yield { kind: "exif", bytes };
}

function* jpegParts(bytes: Uint8Array): Generator<Part> {
  let count = 0;
  for (const segment of jpegSegments(bytes)) {
    if (++count > MOST_PARTS) return;
    if (segment.marker === APP1) {
      const exif = contentAfter(segment, EXIF), xmp = contentAfter(segment, "http://ns.adobe.com/xap/1.0/\0");
      if (exif !== undefined) yield { kind: "exif", bytes: exif };
      if (xmp !== undefined) yield { kind: "xmp", bytes: xmp };
    } else if (segment.marker === APP13) {
      const iptc = photoshopIptc(contentAfter(segment, "Photoshop 3.0\0"));
      if (iptc !== undefined) yield { kind: "iptc", bytes: iptc };
    }
  }
}

/** Returns the IPTC in the resources of Photoshop. */
function photoshopIptc(bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const view = viewOf(bytes);
  for (let at = 0; at + 12 <= bytes.length && latin1(bytes.subarray(at, at + 4)) === "8BIM";) {
    const id = view.getUint16(at + 4);
    const size = at + 6 + (bytes[at + 6]! + 2 & ~1);
    if (size + 4 > bytes.length) return undefined;
    const length = view.getUint32(size);
    if (id === 0x0404) return bytes.subarray(size + 4, size + 4 + length);
    at = size + 4 + length + (length & 1);
  }
  return undefined;
}

function* pngParts(bytes: Uint8Array): Generator<Part> {
  let [count, texts] = [0, 0];
  for (const { type, content } of pngChunks(bytes)) {
    if (++count > MOST_PARTS) return;
    if (type === "eXIf") yield { kind: "exif", bytes: content };
    else if (/^[tiz](?:E|T)Xt$/.test(type)) {
      const name = latin1(content.subarray(0, Math.max(0, content.indexOf(0))));
      if ((name === XMP || Object.hasOwn(PNG, name)) && texts++ < MOST_TEXTS) {
        yield* pngText(type, name, content);
      }
    }
  }
}

/** Yields a text of PNG: plain (`tEXt`), packed (`zTXt`), or in UTF-8, packed or not (`iTXt`). */
function* pngText(type: string, name: string, part: Uint8Array): Generator<Part> {
  let content = part.subarray(name.length + 1);
  let isPacked = type === "zTXt";
  if (isPacked) content = content.subarray(1);
  else if (type === "iTXt") {
    isPacked = content[0] === 1;
    const language = content.indexOf(0, 2);
    content = content.subarray(content.indexOf(0, language + 1) + 1);
  }
  if (isPacked) {
    // A longer text is cut off, and the library then throws.
    const room = new Uint8Array(LONGEST);
    try {
      content = unzlibSync(content.subarray(0, LONGEST), { out: room });
    } catch {
      return;
    }
  }
  if (name === XMP) yield { kind: "xmp", bytes: content };
  else yield { kind: "text", name, text: type === "iTXt" ? utf8(content) : latin1(content) };
}

function* webpParts(bytes: Uint8Array): Generator<Part> {
  const view = viewOf(bytes);
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < MOST_PARTS; count++) {
    const type = latin1(bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const part = bytes.subarray(at + 8, at + 8 + length);
    if (type === "EXIF") {
      yield { kind: "exif", bytes: latin1(part.subarray(0, 4)) === "Exif" ? part.subarray(6) : part };
    } else if (type === "XMP ") yield { kind: "xmp", bytes: part };
    at += 8 + length + (length & 1);
  }
}

/** Tags of EXIF by what they give. */
const TAG = {
  description: 0x010e,
  make: 0x010f,
  model: 0x0110,
  modified: 0x0132,
  artist: 0x013b,
  xmp: 0x02bc,
  copyright: 0x8298,
  iptc: 0x83bb,
  directory: 0x8769,
  taken: 0x9003,
  zoneModified: 0x9010,
  zoneTaken: 0x9011,
  windowsTitle: 0x9c9b,
  windowsComment: 0x9c9c,
  windowsAuthor: 0x9c9d,
  windowsKeywords: 0x9c9e,
} as const;
const WANTED: ReadonlySet<number> = new Set(Object.values(TAG));

/** Reads the first directory of a TIFF, and that of EXIF. Throws `RangeError` if it is cut off. */
function exifFields(tiff: Uint8Array | undefined): ExifFound {
  if (tiff === undefined || tiff.length < 8) return { fields: [] };
  const values = new Map<number, Uint8Array>();
  const read = (directory?: number) => {
    for (const { tag, value } of tiffEntries(tiff, directory)) {
      if (WANTED.has(tag) && !values.has(tag)) values.set(tag, value.subarray(0, 10 * LONGEST));
    }
  };
  read();
  const inner = values.get(TAG.directory);
  if (inner?.length === 4) read(viewOf(inner).getUint32(0, isLittleEndian(tiff)));
  const text = (tag: number) => {
    const bytes = values.get(tag)?.subarray(0, LONGEST);
    return bytes === undefined ? "" : utf8(bytes).split("\0", 1)[0]!.trim();
  };
  const wide = (tag: number) =>
    new TextDecoder("utf-16le").decode(values.get(tag)?.subarray(0, LONGEST)).replace(/\0.*$/s, "").trim();
  const [make, model] = [text(TAG.make), text(TAG.model)];
  return {
    fields: [
      ["title", wide(TAG.windowsTitle)],
      ["authors", wide(TAG.windowsAuthor) || text(TAG.artist)],
      ["tags", wide(TAG.windowsKeywords)],
      ["description", wide(TAG.windowsComment) || text(TAG.description)],
      ["created", `${text(TAG.taken)}${text(TAG.zoneTaken)}`],
      ["modified", `${text(TAG.modified)}${text(TAG.zoneModified)}`],
      ["rights", text(TAG.copyright)],
      ["camera", model.startsWith(make) ? model : `${make} ${model}`],
    ],
    xmp: values.get(TAG.xmp),
    iptc: values.get(TAG.iptc),
  };
}

/** The fields of the normal form by the numbers of IPTC's second record. */
const IPTC: Readonly<Record<number, string>> = {
  5: "title",
  25: "tags",
  80: "authors",
  105: "headline",
  116: "rights",
  120: "description",
};

const MOST_RECORDS = 1_000;

/** Reads the records of IPTC. */
function iptcFields(bytes: Uint8Array | undefined): Field[] {
  if (bytes === undefined) return [];
  const view = viewOf(bytes);
  const values = new Map<number, string[]>();
  for (let at = 0, count = 0; at + 5 <= bytes.length && bytes[at] === 0x1c && count < MOST_RECORDS; count++) {
    const [, record, number] = bytes.subarray(at, at + 3);
    const length = view.getUint16(at + 3);
    // A longer one gives the size of its length instead.
    if (length >= 0x8000) break;
    if (record === 2) {
      values.set(number!, [...values.get(number!) ?? [], utf8(bytes.subarray(at + 5, at + 5 + length))]);
    }
    at += 5 + length;
  }
  const [date = "", time = ""] = [values.get(55)?.[0], values.get(60)?.[0]];
  const [, hours, minutes, seconds, zone] = /^(\d\d)(\d\d)(\d\d)([+-]\d{4})?$/.exec(time) ?? [];
  return [
    ...Object.entries(IPTC).map(([number, name]) => {
      const found = values.get(Number(number)) ?? [];
      return [name, found.length > 1 ? found : found[0]] as const;
    }),
    ["created", hours === undefined ? date : `${date}T${hours}${minutes}${seconds}${zone ?? ""}`],
  ];
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, LONGEST));
}

/** Returns a text in UTF-8, or in Latin-1 where it is none. */
function utf8(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1(bytes);
  }
}
