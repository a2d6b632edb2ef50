/**
 * The central directory of a ZIP archive: the names, sizes and places of its entries, without inflating anything.
 * The registry of formats needs no more to recognise a file, so it does not load the inflater.
 */
import { DocumentError, viewOf } from "./types.ts";

/** A file in a ZIP archive, as its central directory describes it. */
export interface ZipEntry {
  readonly name: string;
  /** Offset of the local header. */
  readonly header: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Compression method: 0 is stored, 8 is deflated. */
  readonly method: number;
  readonly encrypted: boolean;
}

/** An entry as the directory has it: its name in any encoding, with what tells the encoding. */
export interface RawZipEntry extends Omit<ZipEntry, "name"> {
  readonly rawName: Uint8Array;
  readonly flags: number;
  /** The extra fields. */
  readonly extra: Uint8Array;
  /** Absent if it is not a time. The directory has the time of day where the archive was made; it counts as UTC. */
  readonly mtimeMs?: number;
}

/** "PK\5\6": the end of the central directory. */
const END = 0x06054b50;
const END_64 = 0x06064b50;
/** "PK\1\2": an entry of the central directory. */
const CENTRAL = 0x02014b50;
const CENTRAL_SIZE = 46;
/** "PK\3\4": the header before the bytes of an entry. */
const LOCAL = 0x04034b50;
/** The end record has 22 bytes and a comment of at most 65,535. */
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;

/**
 * Returns the names of the entries of a ZIP archive, at most `limit`, without inflating anything (APPNOTE.TXT 4.3.12). Empty
 * if the central directory is missing or broken.
 */
export function zipNames(bytes: Uint8Array, limit: number): string[] {
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end < 0) return [];
  const decoder = new TextDecoder();
  const names: string[] = [];
  let at = view.getUint32(end + 16, true) + shiftOf(view, end);
  while (
    names.length < limit && at + CENTRAL_SIZE <= view.byteLength && view.getUint32(at, true) === CENTRAL
  ) {
    const length = view.getUint16(at + 28, true);
    names.push(decoder.decode(bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + length)));
    at += CENTRAL_SIZE + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

/**
 * Returns the entries of a ZIP archive by name, in the order of the central directory. Of two entries with one name the
 * first is kept. Throws {@linkcode DocumentError}: `damaged` without a directory, `too_complex` beyond `maxEntries`.
 */
export function readDirectory(bytes: Uint8Array, maxEntries: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  for (
    const { rawName, header, compressedSize, size, method, encrypted } of directoryEntries(bytes, maxEntries)
  ) {
    const name = decodeName(rawName);
    if (!entries.has(name)) entries.set(name, { name, header, compressedSize, size, method, encrypted });
  }
  return entries;
}

/** Yields all entries of the central directory, in its order. Throws like {@linkcode readDirectory}. */
export function* directoryEntries(bytes: Uint8Array, maxEntries: number): Generator<RawZipEntry> {
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end < 0) throw damaged();
  let [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  const size = view.getUint32(end + 12, true);
  if (count === 0xffff || at === 0xffffffff || size === 0xffffffff) {
    [count, at] = readEnd64(view, end) ?? [count, at];
  }
  const shift = shiftOf(view, end);
  at += shift;
  if (count > maxEntries) {
    throw new DocumentError("too_complex", `the ZIP archive has ${count} entries, more than ${maxEntries}`);
  }
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_SIZE > view.byteLength || view.getUint32(at, true) !== CENTRAL) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const extra = at + CENTRAL_SIZE + nameLength;
    const next = extra + extraLength + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw damaged();
    const [uncompressed, compressed, header] = sizes(view, at, extra, extraLength);
    // A directory that is not where it says to be may belong to an archive of which bytes are missing.
    if (shift > 0 && !isAt(view, header + shift, LOCAL)) throw damaged();
    const flags = view.getUint16(at + 8, true);
    const mtimeMs = timeOf(view.getUint16(at + 12, true), view.getUint16(at + 14, true));
    yield {
      rawName: bytes.subarray(at + CENTRAL_SIZE, extra),
      extra: bytes.subarray(extra, extra + extraLength),
      flags,
      header: header + shift,
      compressedSize: compressed,
      size: uncompressed,
      method: view.getUint16(at + 10, true),
      encrypted: (flags & 1) !== 0,
      ...(mtimeMs === undefined ? {} : { mtimeMs }),
    };
    at = next;
  }
}

/** Milliseconds since 1970 for a time and date of MS-DOS, whose years begin with 1980. */
function timeOf(time: number, date: number): number | undefined {
  const [year, month, day] = [1980 + (date >> 9), date >> 5 & 15, date & 31];
  if (month < 1 || month > 12 || day < 1) return undefined;
  return Date.UTC(year, month - 1, day, time >> 11, time >> 5 & 63, (time & 31) * 2);
}

/** Returns the compressed bytes of an entry. */
export function compressedBytes(
  bytes: Uint8Array,
  entry: Pick<ZipEntry, "header" | "compressedSize">,
): Uint8Array {
  const view = viewOf(bytes);
  const { header } = entry;
  if (header + 30 > view.byteLength || view.getUint32(header, true) !== LOCAL) throw damaged();
  const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
  if (start + entry.compressedSize > bytes.length) throw damaged();
  return bytes.subarray(start, start + entry.compressedSize);
}

export function damaged(): DocumentError {
  return new DocumentError("damaged", "the ZIP archive is cut off or broken");
}

/** Returns the offset of the end record, or -1. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_SIZE - LONGEST_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= lowest; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return -1;
}

/** Returns the bytes before the archive, such as a program that unpacks it, which its offsets do not count. */
function shiftOf(view: DataView, end: number): number {
  const [size, at] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  return end - size > at && !isAt(view, at, CENTRAL) && isAt(view, end - size, CENTRAL) ? end - size - at : 0;
}

function isAt(view: DataView, offset: number, mark: number): boolean {
  return offset + 4 <= view.byteLength && view.getUint32(offset, true) === mark;
}

/**
 * Returns the number of entries and the offset of the directory from the ZIP64 end record, if there is a locator before
 * `end`.
 */
function readEnd64(view: DataView, end: number): [number, number] | undefined {
  if (end < 20 || view.getUint32(end - 20, true) !== 0x07064b50) return undefined;
  const at = Number(view.getBigUint64(end - 12, true));
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== END_64) throw damaged();
  return [Number(view.getBigUint64(at + 32, true)), Number(view.getBigUint64(at + 48, true))];
}

/**
 * Returns size, compressed size and offset of the local header. The ZIP64 extra field holds those whose bits are all set.
 */
function sizes(view: DataView, at: number, extra: number, extraLength: number): [number, number, number] {
  const found: [number, number, number] = [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ];
  const end = extra + extraLength;
  while (extra + 4 <= end) {
    const [id, length] = [view.getUint16(extra, true), view.getUint16(extra + 2, true)];
    const stop = Math.min(end, extra + 4 + length);
    if (id === 1) {
      let field = extra + 4;
      for (const i of [0, 1, 2] as const) {
        if (found[i] !== 0xffffffff || field + 8 > stop) continue;
        found[i] = Number(view.getBigUint64(field, true));
        field += 8;
      }
    }
    extra += 4 + length;
  }
  return found;
}

/** Decodes a name as UTF-8, or else as Latin-1. Backslashes of Windows become slashes. */
function decodeName(bytes: Uint8Array): string {
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    name = new TextDecoder("latin1").decode(bytes);
  }
  return name.replaceAll("\\", "/");
}
