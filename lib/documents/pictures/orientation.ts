/** The orientation in which a camera stored a picture. */
import { viewOf } from "../types.ts";

/** Bytes at the start of a JPEG in which the orientation is looked for. */
const HEAD = 65_536;
/** "Exif", followed by two zeros. */
const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;

/** Returns the orientation in which a camera has stored a picture, 1 … 8 as in Exif; 1 if the picture says nothing. */
export function orientationOf(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1;
  const head = bytes.subarray(0, HEAD);
  let at = head.indexOf(EXIF[0]!);
  while (at >= 0 && !EXIF.every((byte, i) => head[at + i] === byte)) at = head.indexOf(EXIF[0]!, at + 1);
  if (at < 0) return 1;
  try {
    return orientationIn(head.subarray(at + EXIF.length));
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Returns the orientation in the first directory of a TIFF. Throws `RangeError` if it is cut off. */
function orientationIn(tiff: Uint8Array): number {
  const view = viewOf(tiff);
  const little = tiff[0] === 0x49;
  const directory = view.getUint32(4, little);
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i;
    if (view.getUint16(entry, little) !== ORIENTATION) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
