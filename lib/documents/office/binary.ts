/**
 * Reads compound files (MS-CFB), which contain the documents of Office before 2007 and Outlook's messages.
 * Below it: the code pages of Windows.
 */
import { DocumentError, pairs, viewOf } from "../types.ts";

const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
/** Shorter streams are in mini sectors. */
const LEAST_BYTES = 4096;
const ENTRY_KIND = { folder: 1, stream: 2, root: 5 } as const;

/** An entry of the directory (MS-CFB 2.6.1). */
interface Entry {
  readonly name: string;
  readonly kind: number;
  /** Numbers of other entries, or -1. */
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * Returns the streams of a compound file (MS-CFB) by path in lower case, without the name of the root. Streams in folders
 * are left out unless `nested` is set: embedded documents have streams of the same names there. Entries and sectors that are
 * missing because the file is cut off are left out. Throws {@linkcode DocumentError} `damaged`.
 *
 * The library `cfb` does not end on some damaged files: it follows chains and entries that lead in a circle.
 */
export function readStreams(bytes: Uint8Array, { nested = false } = {}): Map<string, Uint8Array> {
  const sectors = new Sectors(bytes);
  const entries = entriesOf(sectors.contentOf(sectors.header(48)));
  const root = entries[0];
  if (root?.kind !== ENTRY_KIND.root) throw brokenCompound("it has no directory");
  const contentOfMini = miniSectors(sectors.contentOf(root.start), sectors.contentOf(sectors.header(60)));
  const streams = new Map<string, Uint8Array>();
  let left = bytes.length;
  for (const [path, { start, size }] of pathsOf(entries)) {
    if (!nested && path.includes("/")) continue;
    const content = size < LEAST_BYTES ? contentOfMini(start, size) : sectors.contentOf(start, size);
    // Each sector is a part of one stream.
    left -= content.length;
    if (left < 0) throw brokenCompound("its streams are longer than the file");
    streams.set(path, content);
  }
  return streams;
}

function entriesOf(directory: Uint8Array): Entry[] {
  const view = viewOf(directory);
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(view.getUint16(at + 64, true), 64);
    entries.push({
      name: new TextDecoder("utf-16le").decode(directory.subarray(at, at + nameBytes)).replaceAll("\0", ""),
      kind: directory[at + 66]!,
      left: view.getInt32(at + 68, true),
      right: view.getInt32(at + 72, true),
      child: view.getInt32(at + 76, true),
      start: view.getInt32(at + 116, true),
      size: view.getUint32(at + 120, true),
    });
  }
  return entries;
}

/** Yields the paths of the streams and their entries. An entry that is named a second time is ignored. */
function* pathsOf(entries: readonly Entry[]): Generator<[string, Entry]> {
  const open: [number: number, folder: string][] = [[entries[0]!.child, ""]];
  const seen = new Set<number>([0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [number, folder] = next;
    const entry = entries[number];
    if (entry === undefined || seen.has(number)) continue;
    seen.add(number);
    const path = `${folder}${entry.name.toLowerCase()}`;
    open.push([entry.left, folder], [entry.right, folder]);
    if (entry.kind === ENTRY_KIND.folder) open.push([entry.child, `${path}/`]);
    if (entry.kind === ENTRY_KIND.stream) yield [path, entry];
  }
}

/**
 * Returns a function that reads short streams (MS-CFB 2.4). `content`: the stream of the root, which their sectors are parts
 * of. `table`: the sector that follows each one.
 */
function miniSectors(content: Uint8Array, table: Uint8Array): (first: number, size: number) => Uint8Array {
  const next = viewOf(table);
  return (first, size) => {
    const stream = new Uint8Array(size);
    let length = 0;
    for (let at = first; at >= 0 && length < size;) {
      const start = at * MINI_SECTOR_BYTES;
      const part = content.subarray(start, start + Math.min(MINI_SECTOR_BYTES, size - length));
      if (part.length === 0) break;
      stream.set(part, length);
      length += part.length;
      at = 4 * at + 4 <= table.length ? next.getInt32(4 * at, true) : -1;
    }
    return stream.subarray(0, length);
  };
}

const HEADER_BYTES = 512;
const FREE = -1;
const END_OF_CHAIN = -2;
/** Addresses of sectors of the FAT in the header. */
const IN_HEADER = 109;

/**
 * The sectors of a compound file (MS-CFB 2.2 to 2.5) and the chains that they form. If the file is cut off, the chains end
 * where their next sector is missing. Throws {@linkcode DocumentError} `damaged` if a chain has no end.
 */
class Sectors {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #size: number;
  /** The sectors that the FAT consists of. */
  readonly #fat: readonly number[];

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES) throw brokenCompound("it is cut off");
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#size = this.#view.getUint16(26, true) === 4 ? 4096 : 512;
    this.#fat = this.#addressesOfFat();
  }

  /** The signed number at an offset of the header. */
  header(offset: number): number {
    return this.#view.getInt32(offset, true);
  }

  /** Returns the content of the chain that begins with a sector, at most `most` bytes. */
  contentOf(first: number, most = Infinity): Uint8Array {
    const parts: Uint8Array[] = [];
    const met = new Set<number>();
    let length = 0;
    for (let at = first; at >= 0 && at < this.#count && length < most; at = this.#next(at)) {
      if (met.has(at)) throw brokenCompound("a chain of sectors has no end");
      met.add(at);
      const start = (at + 1) * this.#size;
      const part = this.#bytes.subarray(start, start + Math.min(this.#size, most - length));
      parts.push(part);
      length += part.length;
    }
    const content = new Uint8Array(length);
    for (let i = 0, offset = 0; i < parts.length; offset += parts[i++]!.length) {
      content.set(parts[i]!, offset);
    }
    return content;
  }

  get #count(): number {
    return Math.ceil(this.#bytes.length / this.#size) - 1;
  }

  #next(sector: number): number {
    const perSector = this.#size / 4;
    const table = this.#fat[Math.floor(sector / perSector)];
    return table === undefined ? END_OF_CHAIN : this.#number(table, sector % perSector);
  }

  /** A number of a sector, or the end of a chain where it is missing. */
  #number(sector: number, index: number): number {
    const offset = (sector + 1) * this.#size + index * 4;
    const isThere = sector >= 0 && offset + 4 <= this.#bytes.length;
    return isThere ? this.#view.getInt32(offset, true) : END_OF_CHAIN;
  }

  /** Returns the addresses in the header, and those in the sectors of the DIFAT. */
  #addressesOfFat(): number[] {
    const addresses: number[] = [];
    for (let i = 0; i < IN_HEADER; i++) {
      const address = this.header(76 + 4 * i);
      if (address < 0) break;
      addresses.push(address);
    }
    const last = this.#size / 4 - 1;
    let next = this.header(68);
    for (let left = this.header(72); left > 0 && next >= 0; left--) {
      for (let i = 0; i < last; i++) {
        const address = this.#number(next, i);
        if (address === END_OF_CHAIN) break;
        if (address !== FREE) addresses.push(address);
      }
      // The FAT is a part of the file.
      if (addresses.length > this.#count) {
        throw brokenCompound("its table of sectors is longer than the file");
      }
      next = this.#number(next, last);
    }
    return addresses;
  }
}

function brokenCompound(reason: string): DocumentError {
  return new DocumentError("damaged", `the compound file is broken: ${reason}`);
}

/** Returns whether bytes begin as a compound file: Office files before 2007, and the wrapper of encrypted files. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => bytes[i] === byte);
}

/** Milliseconds from 1601 to 1970. */
const FILETIME_EPOCH = 11_644_473_600_000;

/** Returns the date of a Windows FILETIME (units of 100 ns since 1601) in ISO 8601; `undefined` if it is out of range. */
export function fileTimeDate(fileTime: bigint): string | undefined {
  const date = new Date(Number(fileTime / 10_000n) - FILETIME_EPOCH);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * Returns the WHATWG label of a code page of Windows, DOS or Macintosh; `undefined` if `TextDecoder` does not support it.
 */
export function codePageLabel(page: number): string | undefined {
  if (Object.hasOwn(CODE_PAGE_LABELS, page)) return CODE_PAGE_LABELS[page];
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  // ISO 8859-12 does not exist.
  return page > 28590 && page <= 28606 && page !== 28602 ? `iso-8859-${page - 28590}` : undefined;
}

const CODE_PAGE_LABELS: Readonly<Record<number, string>> = pairs(
  "866 ibm866 874 windows-874 932 shift_jis 936 gb18030 949 euc-kr 950 big5 1200 utf-16le 1201 utf-16be 10000 macintosh",
  "10001 shift_jis 10002 big5 10003 euc-kr 10007 x-mac-cyrillic 10008 gb18030 20866 koi8-r 20932 euc-jp 20936 gb18030",
  "21866 koi8-u 54936 gb18030 65001 utf-8",
);
