/**
 * Reads the container of Mobipocket books: the records of a Palm database, and the header in the first record of a book.
 * Described by the MobileRead wiki (PDB, PalmDOC, MOBI). Below the header: the fields of EXTH.
 */
import { beginsWith, charactersOf } from "../bytes.ts";
import { decoderOf } from "../encoding.ts";
import { DocumentError, viewOf } from "../types.ts";

/** The records of a Palm database. */
export class PalmDatabase {
  /** Name of the database, mostly the shortened title. */
  readonly name: string;
  /** Type and creator, four letters each: `BOOKMOBI`, `TEXtREAd`. */
  readonly kind: string;
  readonly #records: readonly Uint8Array[];

  /** Throws {@linkcode DocumentError} `damaged`. */
  constructor(bytes: Uint8Array) {
    const view = viewOf(bytes);
    if (bytes.length < HEADER + RECORD) {
      throw new DocumentError("damaged", "the Palm database has no records");
    }
    this.name = charactersOf(bytes.subarray(0, 32)).replace(/\0.*$/s, "");
    this.kind = charactersOf(bytes.subarray(60, 68));
    // The records after the cut of a cut file are missing.
    const count = Math.min(view.getUint16(76), Math.floor((bytes.length - HEADER) / RECORD));
    const offsets = Array.from({ length: count }, (_, i) => view.getUint32(HEADER + i * RECORD));
    this.#records = offsets.map((start, i) => {
      // Overlapping records would let a small file expand to a large one.
      if (start < (offsets[i - 1] ?? 0)) throw new DocumentError("damaged", "the records are not in order");
      return bytes.subarray(start, offsets[i + 1] ?? bytes.length);
    });
  }

  get count(): number {
    return this.#records.length;
  }

  /** Returns a record, counted from 0; `undefined` if there is none. */
  record(number: number): Uint8Array | undefined {
    return this.#records[number];
  }
}

const HEADER = 78;
const RECORD = 8;
/** Value of a field that names no record. */
const NONE = 0xffffffff;

/** The header of a book, in its first record. Numbers of records are counted from the start of the file. */
export interface BookHeader {
  /** 1: none, 2: PalmDOC, 17480: HUFF/CDIC. */
  readonly compression: number;
  readonly isEncrypted: boolean;
  /** The records of the text: the first one, and the one behind the last. */
  readonly text: { readonly first: number; readonly end: number };
  /** Version of the format: 8 is KF8, 0 a PalmDOC without the header of Mobipocket. */
  readonly version: number;
  /** WHATWG label of the encoding, if the header has one. */
  readonly encoding: string | undefined;
  readonly title: string;
  /** Language by its number in Windows (LCID); 0 if it is not known. */
  readonly locale: number;
  /** Bit field of the entries behind the text of a record. */
  readonly trailing: number;
  /** The records of Huffman codes: the first one, and their number. */
  readonly huffman: { readonly first: number; readonly count: number } | undefined;
  /** First records of the indexes: contents, and for KF8 fragments, skeletons and flows. */
  readonly contents: number | undefined;
  readonly fragments: number | undefined;
  readonly skeletons: number | undefined;
  readonly flows: number | undefined;
  /** The record of the first picture. */
  readonly pictures: number | undefined;
  /** Values of the EXTH fields by their number. */
  readonly fields: ReadonlyMap<number, readonly Uint8Array[]>;
}

/** Reads the header of the book that begins at a record. Throws {@linkcode DocumentError} `damaged`. */
export function readHeader(database: PalmDatabase, start = 0): BookHeader {
  const bytes = database.record(start);
  if (bytes === undefined || bytes.length < 14) throw new DocumentError("damaged", "the book has no header");
  const view = viewOf(bytes);
  const hasHeader = bytes.length >= 24 && beginsWith(bytes, "MOBI", 16);
  const length = hasHeader ? view.getUint32(20) : 0;
  const field = (at: number) =>
    hasHeader && at + 4 <= Math.min(16 + length, bytes.length) ? view.getUint32(at) : undefined;
  const record = (at: number, none = NONE) => {
    const number = field(at);
    return number === undefined || number === NONE || number === none ? undefined : start + number;
  };
  const version = field(36) ?? 0;
  const isKf8 = version === 8;
  const encoding = { 1252: "windows-1252", 65001: "utf-8", 65002: "utf-16be" }[field(28) ?? 0];
  const huffman = view.getUint16(0) === HUFFMAN ? record(112) : undefined;
  const nameAt = field(84) ?? 0;
  const name = bytes.subarray(nameAt, nameAt + Math.min(field(88) ?? 0, 1000));
  return {
    compression: view.getUint16(0),
    // In a PalmDOC, whose header ends here, the field is a part of the position of the reader.
    isEncrypted: bytes.length > 16 && [1, 2].includes(view.getUint16(12)),
    text: {
      first: start + 1,
      end: Math.min(start + 1 + view.getUint16(8), database.count),
    },
    version,
    encoding,
    title: nameAt > 0 && decoderOf(encoding ?? "utf-8")?.decode(name).trim() || "",
    locale: field(92) ?? 0,
    trailing: (field(240) ?? 0) & 0xffff,
    huffman: huffman === undefined ? undefined : { first: huffman, count: field(116) ?? 0 },
    contents: record(244),
    fragments: isKf8 ? record(248) : undefined,
    skeletons: isKf8 ? record(252) : undefined,
    flows: isKf8 ? record(192) : undefined,
    pictures: record(108, 0),
    fields: ((field(128) ?? 0) & 0x40) === 0 ? new Map() : readFields(bytes.subarray(16 + length)),
  };
}

export const HUFFMAN = 17480;

/** Reads the fields behind the header: each with a number, a length that includes both, and bytes. */
function readFields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  if (!beginsWith(bytes, "EXTH") || bytes.length < 12) return fields;
  const view = viewOf(bytes);
  const count = view.getUint32(8);
  for (let i = 0, at = 12; i < count && at + 8 <= bytes.length; i++) {
    const [number, length] = [view.getUint32(at), view.getUint32(at + 4)];
    if (length < 8) break;
    const values = fields.get(number);
    const value = bytes.subarray(at + 8, at + length);
    if (values === undefined) fields.set(number, [value]);
    else values.push(value);
    at += length;
  }
  return fields;
}
