/** The entries of a ZIP archive, also of one whose directory is cut off, and of those whose names are in any encoding. */
import { crc32 } from "node:zlib";
import { DocumentError, viewOf } from "../types.ts";
import { inflate } from "../zip.ts";
import { compressedBytes, directoryEntries, type RawZipEntry } from "../zip_directory.ts";
import { cutOff, type RawEntry, type UnpackBudget } from "./budget.ts";
import { decodeBzip2 } from "./bzip2.ts";
import { decodeLzma } from "./lzma.ts";
import { decodeZstandard } from "./streams.ts";

/** Yields the files of a ZIP archive; of one without a directory, those before the place where it is cut off. */
export function* zipEntries(bytes: Uint8Array, budget: UnpackBudget): Generator<RawEntry> {
  let entries: RawZipEntry[];
  let isWhole = true;
  try {
    entries = [...directoryEntries(bytes, budget.limits.entries)];
  } catch (error) {
    if (!(error instanceof DocumentError) || error.problem !== "damaged") throw error;
    entries = [...localEntries(bytes, budget)];
    if (entries.length === 0) throw error;
    isWhole = false;
  }
  const overlapping = overlaps(entries);
  for (const entry of entries) {
    budget.countEntry();
    const { rawName, flags, size, mtimeMs } = entry;
    if (rawName.length === 0 || SEPARATORS.has(rawName.at(-1)!)) continue;
    const unicode = unicodeName(entry);
    const isUtf8 = unicode !== undefined || (flags & UTF8) !== 0;
    const facts = {
      name: unicode ?? rawName,
      ...(isUtf8 ? { encoding: "utf-8" as const } : {}),
      size,
      ...(mtimeMs === undefined ? {} : { mtimeMs }),
    };
    const problem = problemOf(entry, overlapping);
    if (problem !== undefined) yield { ...facts, problem };
    else yield { ...facts, read: () => read(bytes, entry, budget) };
  }
  if (!isWhole) throw cutOff();
}

const SEPARATORS = new Set([..."/\\"].map((char) => char.charCodeAt(0)));
/** Bit of the flags: name and comment are in UTF-8. */
const UTF8 = 0x800;
/** Compression methods by their number. */
const METHODS = new Map([[0, "stored"], [8, "deflated"], [12, "bzip2"], [14, "lzma"], [93, "zstandard"]]);

function problemOf(entry: RawZipEntry, overlapping: ReadonlySet<RawZipEntry>): DocumentError | undefined {
  if (entry.encrypted) return new DocumentError("encrypted", "it is encrypted");
  if (overlapping.has(entry)) {
    return new DocumentError("damaged", "its bytes are those of another entry, too");
  }
  if (METHODS.has(entry.method)) return undefined;
  return new DocumentError("unsupported", `it is compressed by the method ${entry.method} of ZIP`);
}

/** Entries that share bytes with one before them: a small archive would unpack to any size. */
function overlaps(entries: readonly RawZipEntry[]): Set<RawZipEntry> {
  const found = new Set<RawZipEntry>();
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.header - b.header)) {
    if (entry.header < end) found.add(entry);
    else end = entry.header + 30 + entry.rawName.length + entry.compressedSize;
  }
  return found;
}

/** The name in the extra field of Info-ZIP (0x7075), if it belongs to the name in the header. */
function unicodeName({ rawName, extra }: RawZipEntry): Uint8Array | undefined {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const isName = id === 0x7075 && length > 5 && at + 4 + length <= extra.length;
    if (isName && view.getUint32(at + 5, true) === crc32(rawName)) {
      return extra.subarray(at + 9, at + 4 + length);
    }
    at += 4 + length;
  }
  return undefined;
}

function read(bytes: Uint8Array, entry: RawZipEntry, budget: UnpackBudget): Uint8Array {
  const compressed = compressedBytes(bytes, entry);
  if (entry.method === 0) {
    budget.count(compressed.length, compressed.length, compressed.length);
    return compressed;
  }
  // More than the directory says would not be counted when the archive is listed.
  const out = budget.unpacked(compressed.length, entry.size);
  if (entry.method === 8) { for (const piece of inflate(compressed)) out.append(piece); }
  else if (entry.method === 12) decodeBzip2(compressed, out);
  else if (entry.method === 93) decodeZstandard(compressed, out);
  else {
    // A version, the length of the properties, and they themselves.
    const start = 4 + (compressed[2] ?? 0);
    decodeLzma(compressed.subarray(start), compressed.subarray(4, start), entry.size, out);
  }
  return out.taken;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const HEADER = 30;

/** Yields the entries by the header before the bytes of each, up to the first header that is broken. */
function* localEntries(bytes: Uint8Array, budget: UnpackBudget): Generator<RawZipEntry> {
  const view = viewOf(bytes);
  let count = 0;
  for (let at = 0; at + HEADER <= bytes.length && view.getUint32(at, true) === LOCAL;) {
    if (++count > budget.limits.entries) return;
    const flags = view.getUint16(at + 6, true);
    const nameEnd = at + HEADER + view.getUint16(at + 26, true);
    const start = nameEnd + view.getUint16(at + 28, true);
    const isSizeBehind = (flags & 8) !== 0;
    const end = isSizeBehind ? descriptorAt(view, start) : start + view.getUint32(at + 18, true);
    if (end === undefined || end > bytes.length) return;
    const size = isSizeBehind ? view.getUint32(end + 12, true) : view.getUint32(at + 22, true);
    yield {
      rawName: bytes.subarray(at + HEADER, nameEnd),
      extra: bytes.subarray(nameEnd, start),
      flags,
      header: at,
      compressedSize: end - start,
      size,
      method: view.getUint16(at + 8, true),
      encrypted: (flags & 1) !== 0,
    };
    at = isSizeBehind ? end + 16 : end;
  }
}

/** The place of the record after an entry's bytes that gives their number. */
function descriptorAt(view: DataView, start: number): number | undefined {
  for (let at = start; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at, true) === DESCRIPTOR && view.getUint32(at + 8, true) === at - start) return at;
  }
  return undefined;
}
