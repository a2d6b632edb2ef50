import { joinedBytes } from "#documents/mod.ts";

/** Parts of a Mobipocket book. */
export interface Book {
  /** Records of the text, as they are in the file. */
  readonly text: readonly (string | Uint8Array)[];
  /** 1: none (default), 2: PalmDOC, 17480: HUFF/CDIC. */
  readonly compression?: number;
  readonly encryption?: number;
  /** 6 by default. 8 is KF8. 0 leaves out the header of Mobipocket. */
  readonly version?: number;
  readonly title?: string;
  readonly trailing?: number;
  readonly fields?: readonly (readonly [number: number, value: string | number])[];
  /** Records behind the text, by the offset of the header field that names the first of each group. */
  readonly groups?: Readonly<Record<number, readonly Uint8Array[]>>;
  /** A second book behind the mark of a boundary, whose place becomes field 121. */
  readonly half?: Book;
}

const HEADER = 264;
const utf8 = (text: string) => new TextEncoder().encode(text);
const bytesOf = (text: string | Uint8Array) => typeof text === "string" ? utf8(text) : text;

/** Returns a Palm database. */
export function palmDatabase(kind: string, records: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const start = 78 + 8 * records.length;
  const bytes = new Uint8Array(start + records.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set(utf8("A_book"));
  bytes.set(utf8(kind), 60);
  view.setUint16(76, records.length);
  let at = start;
  for (const [i, record] of records.entries()) {
    view.setUint32(78 + 8 * i, at);
    bytes.set(record, at);
    at += record.length;
  }
  return bytes;
}

/** Returns a book of Mobipocket, UTF-8. */
export function makeMobi(book: Book): Uint8Array<ArrayBuffer> {
  return palmDatabase(book.version === 0 ? "TEXtREAd" : "BOOKMOBI", recordsOf(book));
}

function recordsOf(book: Book): Uint8Array[] {
  const {
    text,
    compression = 1,
    encryption = 0,
    version = 6,
    title = "",
    trailing = 0,
    half,
  } = book;
  const after: Uint8Array[] = [];
  const places = new Map<number, number>();
  for (const [field, group] of Object.entries(book.groups ?? {})) {
    places.set(Number(field), 1 + text.length + after.length);
    after.push(...group);
  }
  const records = [new Uint8Array(), ...text.map(bytesOf), ...after];
  const fields = [...book.fields ?? [], ...(half === undefined ? [] : [[121, records.length + 1] as const])];
  const extra = utf8(title);
  const exth = exthOf(fields);
  const head = new Uint8Array(version === 0 ? 16 : HEADER + exth.length + extra.length);
  const view = new DataView(head.buffer);
  view.setUint16(0, compression);
  view.setUint16(8, text.length);
  view.setUint16(12, encryption);
  if (version !== 0) {
    head.set(utf8("MOBI"), 16);
    for (let at = 100; at < HEADER; at += 4) view.setUint32(at, 0xffffffff);
    const numbers = {
      20: HEADER - 16,
      28: 65001,
      36: version,
      84: HEADER + exth.length,
      88: extra.length,
    };
    for (const [at, value] of [...Object.entries({ ...numbers, 128: 0x40, 240: trailing }), ...places]) {
      view.setUint32(Number(at), value);
    }
    view.setUint32(116, book.groups?.[112]?.length ?? 0);
    head.set(exth, HEADER);
    head.set(extra, HEADER + exth.length);
  }
  records[0] = head;
  return half === undefined ? records : [...records, utf8("BOUNDARY"), ...recordsOf(half)];
}

function exthOf(fields: NonNullable<Book["fields"]>): Uint8Array {
  const parts = fields.flatMap(([number, value]) => {
    const bytes = typeof value === "number" ? words(value) : utf8(value);
    return [words(number, bytes.length + 8), bytes];
  });
  return joinedBytes([utf8("EXTH"), words(12, fields.length), ...parts]);
}

/** An entry of an index: its name, and numbers by tag, at most 15 for each. */
export type Entry = readonly [name: string, tags: Readonly<Record<number, readonly number[]>>];

/** Returns the records of an index, and of the strings that its entries refer to. */
export function indexOf(entries: readonly Entry[], strings: Uint8Array = new Uint8Array()): Uint8Array[] {
  const tags = [...new Set(entries.flatMap(([, numbers]) => Object.keys(numbers).map(Number)))];
  const table = tags.flatMap((tag) => [Uint8Array.of(tag, 1, 0x0f, 0), Uint8Array.of(0, 0, 0, 1)]);
  const head = joinedBytes([
    words(...index(entries.length && 1, 0)),
    utf8("TAGX"),
    words(12 + 4 * table.length, tags.length),
  ]);
  const written = entries.map(([name, numbers]) =>
    joinedBytes([
      Uint8Array.of(name.length),
      utf8(name),
      Uint8Array.from(tags, (tag) => numbers[tag]?.length ?? 0),
      ...tags.flatMap((tag) => (numbers[tag] ?? []).map(number)),
    ])
  );
  const body = joinedBytes(written);
  const offsets = written.map((_, i) =>
    56 + written.slice(0, i).reduce((sum, { length }) => sum + length, 0)
  );
  const record = joinedBytes([
    words(...index(entries.length, 56 + body.length)),
    body,
    utf8("IDXT"),
    ...offsets.map((offset) => Uint8Array.of(offset >> 8, offset & 0xff)),
  ]);
  return [joinedBytes([head, ...table]), record, strings];
}

/** The 14 numbers at the start of a record of an index. */
function index(count: number, offsets: number): number[] {
  return [0x494e4458, 56, 0, 0, 0, offsets, count, 65001, 0, 0, 0, 0, 0, 0];
}

/** Returns strings with their lengths before them, and the offset of each. */
export function stringsOf(texts: readonly string[]): { bytes: Uint8Array; offsets: number[] } {
  const parts = texts.map((text) => joinedBytes([number(utf8(text).length), utf8(text)]));
  return {
    bytes: joinedBytes(parts),
    offsets: parts.map((_, i) => parts.slice(0, i).reduce((sum, { length }) => sum + length, 0)),
  };
}

function number(value: number): Uint8Array {
  const digits = [value & 0x7f | 0x80];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift(rest & 0x7f);
  return Uint8Array.from(digits);
}

export function words(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  for (const [i, value] of numbers.entries()) new DataView(bytes.buffer).setUint32(4 * i, value);
  return bytes;
}
