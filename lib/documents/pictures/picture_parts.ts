/** The parts of picture files: chunks of PNG, segments of JPEG, and directories of TIFF, which EXIF uses as well. */
import { beginsWith, charactersOf } from "../bytes.ts";
import { viewOf } from "../types.ts";

/** The first bytes of a PNG as characters. */
export const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";

/** A chunk of a PNG. */
export interface PngChunk {
  /** Four letters: `IHDR`, `IDAT`, `tEXt` … */
  readonly type: string;
  /** Its bytes without the checksum. There are fewer where the file is cut off. */
  readonly content: Uint8Array;
}

/** Yields the chunks of a PNG, also those behind its end. Their checksums are not compared. */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk, void, undefined> {
  const view = viewOf(bytes);
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at);
    yield { type: charactersOf(bytes.subarray(at + 4, at + 8)), content: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
}

/** A segment of a JPEG. */
export interface JpegSegment {
  /** Its second byte, such as {@linkcode APP1}. */
  readonly marker: number;
  /** The bytes behind its length. There are fewer where the file is cut off. */
  readonly content: Uint8Array;
}

/** The marker of EXIF and XMP, and that of Photoshop. */
export const APP1 = 0xe1, APP13 = 0xed;
const SCAN = 0xda, END = 0xd9;

/** Yields the segments of a JPEG before its first scan (ITU-T T.81, annex B), up to the first place that is broken. */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment, void, undefined> {
  const view = viewOf(bytes);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === SCAN || marker === END) return;
    // Any number of bytes 0xff may stand before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = Math.max(2, view.getUint16(at + 2));
    yield { marker, content: bytes.subarray(at + 4, at + 2 + length) };
    at += 2 + length;
  }
}

/** Returns what follows a signature, `Exif\0\0` for EXIF; `undefined` if the content of a segment does not begin with it. */
export function contentAfter({ content }: JpegSegment, signature: string): Uint8Array | undefined {
  return beginsWith(content, signature) ? content.subarray(signature.length) : undefined;
}

/** The signature of EXIF in a JPEG. A TIFF follows it. */
export const EXIF = "Exif\0\0";

/** Most directories of a TIFF and most entries of one that are read. */
const MOST_DIRECTORIES = 2_000, MOST_ENTRIES = 1_000;

/** Returns the offsets of the directories of a TIFF, one for each of its pages; empty for any other file. */
export function tiffDirectories(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  const little = isLittleEndian(bytes);
  if (bytes.length < 8 || bytes[0] !== bytes[1] || !little && bytes[0] !== 0x4d) return [];
  if (view.getUint16(2, little) !== 42) return [];
  const offsets = new Set<number>();
  for (let at = view.getUint32(4, little); at >= 8 && at + 2 <= bytes.length;) {
    // A chain may end in itself.
    if (offsets.has(at) || offsets.size === MOST_DIRECTORIES) break;
    offsets.add(at);
    const next = at + 2 + 12 * view.getUint16(at, little);
    if (next + 4 > bytes.length) break;
    at = view.getUint32(next, little);
  }
  return [...offsets];
}

/** An entry of a directory. Its value has the byte order of the file. */
export interface TiffEntry {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** Bytes of a value by its type (TIFF 6.0, section 2). */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8];

/** Yields the entries of the directory at an offset, that of the first one by default. Throws `RangeError` if it is cut off. */
export function* tiffEntries(tiff: Uint8Array, directory?: number): Generator<TiffEntry, void, undefined> {
  const view = viewOf(tiff);
  const little = isLittleEndian(tiff);
  const start = directory ?? view.getUint32(4, little);
  const count = Math.min(view.getUint16(start, little), MOST_ENTRIES);
  for (let i = 0; i < count; i++) {
    const at = start + 2 + 12 * i;
    const size = (SIZES[view.getUint16(at + 2, little)] ?? 1) * view.getUint32(at + 4, little);
    // A value of up to four bytes stands in the place of its offset.
    const from = size <= 4 ? at + 8 : view.getUint32(at + 8, little);
    yield { tag: view.getUint16(at, little), value: tiff.subarray(from, from + size) };
  }
}

/** Whether the numbers of a TIFF have their lowest byte first. */
export function isLittleEndian(tiff: Uint8Array): boolean {
  return tiff[0] === 0x49;
}
