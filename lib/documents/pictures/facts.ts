/** The media type, size and orientation of a picture from its first bytes. */
import { viewOf } from "../types.ts";
import { APP1, contentAfter, EXIF, isLittleEndian, jpegSegments, tiffEntries } from "./picture_parts.ts";

/** Facts in the head of a picture. Sizes are in pixels. */
export interface PictureFacts {
  readonly mediaType: string;
  readonly width?: number;
  readonly height?: number;
}

/** Media types that clients show. */
export const SHOWN: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Media types of which pixels can be read. */
export const READABLE: ReadonlySet<string> = new Set([...SHOWN, "image/bmp", "image/tiff"]);

/** Returns what the head of a picture says; `undefined` for bytes that are no picture. */
export function factsOf(bytes: Uint8Array): PictureFacts | undefined {
  try {
    return read(bytes);
  } catch (error) {
    // The head is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(bytes: Uint8Array): PictureFacts | undefined {
  const view = viewOf(bytes);
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("\x89PNG\r\n\x1a\n")) {
    return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (head.startsWith("\xff\xd8\xff")) return { mediaType: "image/jpeg", ...jpegSize(bytes) };
  if (/^GIF8[79]a/.test(head)) {
    return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (/^RIFF[^]{4}WEBP/.test(head)) return { mediaType: "image/webp", ...webpSize(view) };
  if (head.startsWith("BM") && bytes.length > 26) {
    const height = Math.abs(view.getInt32(22, true));
    return { mediaType: "image/bmp", width: view.getUint32(18, true), height };
  }
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return { mediaType: "image/tiff" };
  if (view.getUint32(0, true) === 1 && bytes.length > 44 && view.getUint32(40, true) === 0x464d4520) {
    return { mediaType: "image/emf" };
  }
  if (head.startsWith("\xd7\xcd\xc6\x9a") || head.startsWith("\x01\x00\x09\x00")) {
    return { mediaType: "image/wmf" };
  }
  const text = new TextDecoder().decode(bytes.subarray(0, 1000));
  if (/^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:\w+:)?svg[\s>]/.test(text)) {
    return { mediaType: "image/svg+xml" };
  }
  return undefined;
}

/** Returns the size in the frame header of a JPEG; empty if it has none. */
function jpegSize(bytes: Uint8Array): { width?: number; height?: number } {
  const frame = frameOf(bytes);
  return frame === undefined ? {} : { height: frame.getUint16(1), width: frame.getUint16(3) };
}

/** Returns the number of colours in the frame header of a JPEG: 1, 3 or 4; 3 if it has none. */
export function jpegColours(bytes: Uint8Array): number {
  return frameOf(bytes)?.getUint8(5) ?? 3;
}

/** Returns the frame header of a JPEG: precision, height, width, number of colours. */
function frameOf(bytes: Uint8Array): DataView | undefined {
  for (const { marker, content } of jpegSegments(bytes)) {
    // Frames: C0 … CF without tables (C4, CC) and reserved ones (C8).
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return content.length < 6 ? undefined : viewOf(content);
  }
  return undefined;
}

const ORIENTATION = 0x0112;

/** Returns the orientation in which a camera has stored a JPEG, 1 … 8 as in EXIF; 1 if the picture does not tell it. */
export function orientationOf(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1;
  try {
    for (const segment of jpegSegments(bytes)) {
      const exif = segment.marker === APP1 ? contentAfter(segment, EXIF) : undefined;
      if (exif !== undefined) return orientationIn(exif);
    }
  } catch (error) {
    // The directory is cut off.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

function orientationIn(exif: Uint8Array): number {
  for (const { tag, value } of tiffEntries(exif)) {
    if (tag !== ORIENTATION) continue;
    const orientation = viewOf(value).getUint16(0, isLittleEndian(exif));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

function webpSize(view: DataView): { width?: number; height?: number } {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
  if (kind === "VP8 ") {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
  }
  if (kind !== "VP8X") return {};
  const number = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
  return { width: number(24), height: number(27) };
}
