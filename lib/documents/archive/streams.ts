/**
 * Unpacks a file that is compressed as a whole: gzip, bzip2, xz, Zstandard. Of one that is cut off, the bytes before the cut are kept;
 * of Zstandard, the whole frames before it.
 */
import { zstdDecompressSync } from "node:zlib";
import { Gunzip } from "fflate";
import { type GrowingBytes, NumberReader } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { cutOff, mostUnpacked, tooComplex, type UnpackBudget } from "./budget.ts";
import { decodeBzip2 } from "./bzip2.ts";
import { decodeLzma2, undoX86 } from "./lzma.ts";

/** The bytes in a compressed file. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** Set if bytes are missing at the end, or may be wrong. */
  readonly problem?: DocumentError;
  /** The name that a gzip file gives its content, as bytes. */
  readonly name?: Uint8Array;
}

export type StreamKind = "gz" | "bz2" | "xz" | "zst";

/** Unpacks a compressed file. Throws {@linkcode DocumentError} if nothing can be unpacked, or beyond the limits. */
export function unpack(kind: StreamKind, bytes: Uint8Array, budget: UnpackBudget): Unpacked {
  const out = budget.unpacked(bytes.length);
  let problem: DocumentError | undefined;
  try {
    if (kind === "gz") gunzip(bytes, out);
    else if (kind === "bz2") decodeBzip2(bytes, out);
    else if (kind === "zst") decodeZstandard(bytes, out);
    else decodeXz(bytes, out);
  } catch (error) {
    problem = error instanceof DocumentError ? error : cutOff();
    if (problem.problem === "too_complex" || out.length === 0) throw problem;
  }
  return {
    bytes: out.taken,
    ...(problem === undefined ? {} : { problem }),
    ...(kind === "gz" ? nameOf(bytes) : {}),
  };
}

/** Compressed bytes given to the inflater at once. They inflate to at most 17 MB. */
const STEP = 16_384;

function gunzip(bytes: Uint8Array, out: GrowingBytes): void {
  const gunzip = new Gunzip((piece) => out.append(piece));
  for (let at = 0; at < bytes.length; at += STEP) {
    try {
      gunzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      // Tapes and downloads pad a file with other bytes.
      if (/invalid gzip/.test(String(error)) && out.length > 0) return;
      throw new DocumentError("damaged", "the archive is cut off or broken", { cause: error });
    }
  }
}

/** The name in the header of a gzip file (RFC 1952). */
function nameOf(bytes: Uint8Array): Pick<Unpacked, "name"> {
  const flags = bytes[3]!;
  if ((flags & 8) === 0) return {};
  const from = 10 + ((flags & 4) === 0 ? 0 : 2 + (bytes[10]! | bytes[11]! << 8));
  const end = bytes.indexOf(0, from);
  return end > from && end - from < 1000 ? { name: bytes.subarray(from, end) } : {};
}

/** Decodes all frames of a Zstandard file (RFC 8878). The decoder takes one at a time. */
export function decodeZstandard(bytes: Uint8Array, out: GrowingBytes): void {
  for (let at = 0; at < bytes.length;) {
    const [end, isData] = frameAt(bytes, at);
    if (end > bytes.length) throw cutOff();
    if (isData) {
      try {
        // An empty frame needs room, too.
        out.append(
          zstdDecompressSync(bytes.subarray(at, end), {
            maxOutputLength: Math.min(out.room, mostUnpacked(bytes.length)) + 1,
          }),
        );
      } catch (error) {
        if (error instanceof DocumentError) throw error;
        throw error instanceof RangeError
          ? tooComplex("the archive unpacks to more than the limit")
          : cutOff();
      }
    }
    at = end;
  }
}

/** Sizes of fields in the header of a frame by two bits of its descriptor: of the dictionary's number, of the content's size. */
const DICTIONARY_SIZES = [0, 1, 2, 4], CONTENT_SIZES = [0, 2, 4, 8];

/** Returns where a frame ends, and whether it contains data. */
function frameAt(bytes: Uint8Array, start: number): [end: number, isData: boolean] {
  const view = viewOf(bytes);
  if (start + 8 > bytes.length) throw cutOff();
  const mark = view.getUint32(start, true);
  if (mark >>> 4 === 0x184d2a5) return [start + 8 + view.getUint32(start + 4, true), false];
  if (mark !== 0xfd2fb528) throw cutOff();
  const descriptor = bytes[start + 4]!;
  const isSingle = (descriptor & 0x20) !== 0;
  const contentSize = descriptor >> 6 === 0 && isSingle ? 1 : CONTENT_SIZES[descriptor >> 6]!;
  let at = start + 5 + (isSingle ? 0 : 1) + DICTIONARY_SIZES[descriptor & 3]! + contentSize;
  for (let isLast = false; !isLast;) {
    if (at + 3 > bytes.length) throw cutOff();
    const header = bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16;
    isLast = (header & 1) !== 0;
    // A block of type 1 repeats one byte.
    at += 3 + ((header >> 1 & 3) === 1 ? 1 : header >> 3);
  }
  return [at + ((descriptor & 4) === 0 ? 0 : 4), true];
}

/** Bytes of the checksum after a block, by its kind in the flags of the stream. */
const CHECK_SIZES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
const LZMA2 = 0x21;
const X86 = 4;

/** Decodes all streams of an xz file (tukaani.org/xz/xz-file-format.txt). Checksums are not compared. */
function decodeXz(bytes: Uint8Array, out: GrowingBytes): void {
  for (let at = 0; at < bytes.length;) {
    if (viewOf(bytes).getUint32(at) !== 0xfd377a58) throw cutOff();
    const check = CHECK_SIZES[bytes[at + 7]! & 15]!;
    at += 12;
    // An index follows the blocks. It begins with a size of 0.
    for (let size = bytes[at]; size !== 0; size = bytes[at]) {
      if (size === undefined) throw cutOff();
      const start = out.length;
      const isX86 = hasX86(bytes, at);
      const begin = at + (size + 1) * 4;
      const end = decodeLzma2(bytes, begin, out);
      if (isX86) undoX86(out.bytes.subarray(start, out.length));
      at = end + (4 - (end - begin) % 4) % 4 + check;
    }
    at = behindIndex(bytes, at);
    while (at + 4 <= bytes.length && viewOf(bytes).getUint32(at) === 0) at += 4;
  }
}

/** Whether the block whose header is at `at` is filtered for x86. Throws for filters that are not read. */
function hasX86(bytes: Uint8Array, at: number): boolean {
  const numbers = new Numbers(bytes, at + 2);
  const flags = bytes[at + 1]!;
  if ((flags & 0x40) !== 0) numbers.next();
  if ((flags & 0x80) !== 0) numbers.next();
  const filters: number[] = [];
  for (let i = (flags & 3) + 1; i > 0; i--) {
    filters.push(numbers.next());
    const properties = numbers.next();
    numbers.at += properties;
  }
  const last = filters.pop();
  if (last !== LZMA2 || filters.some((filter) => filter !== X86)) {
    throw new DocumentError("unsupported", "the xz file uses a filter that is not read");
  }
  return filters.length > 0;
}

function behindIndex(bytes: Uint8Array, at: number): number {
  const numbers = new Numbers(bytes, at + 1);
  const records = numbers.next();
  for (let i = 0; i < records; i++) {
    numbers.next();
    numbers.next();
  }
  const size = numbers.at - at;
  // The checksum of the index, and the footer.
  return numbers.at + (4 - size % 4) % 4 + 4 + 12;
}

/** The numbers in a header. */
class Numbers extends NumberReader {
  next(): number {
    const value = this.lowFirst();
    if (value === undefined) throw cutOff();
    return value;
  }
}
