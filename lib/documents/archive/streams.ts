/** Unpacks a file that is compressed as a whole: gzip, bzip2, xz. Of one that is cut off, the bytes before the cut are kept. */
import { Gunzip } from "fflate";
import { type GrowingBytes, NumberReader } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { cutOff, type UnpackBudget } from "./budget.ts";
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

export type StreamKind = "gz" | "bz2" | "xz";

/** Unpacks a compressed file. Throws {@linkcode DocumentError} if nothing can be unpacked, or beyond the limits. */
export function unpack(kind: StreamKind, bytes: Uint8Array, budget: UnpackBudget): Unpacked {
  const out = budget.unpacked(bytes.length);
  let problem: DocumentError | undefined;
  try {
    if (kind === "gz") gunzip(bytes, out);
    else if (kind === "bz2") decodeBzip2(bytes, out);
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
