import { Buffer } from "node:buffer";

const FAT_MAGIC = 0xcafebabe;
const MACH_O_64 = 0xfeedfacf;
const ARM64 = 0x0100000c;
/** Memory pages on an arm64 Mac have 2^14 bytes, and every part must start at a page. */
const ALIGNMENT_BITS = 14;

/**
 * Joins 64-bit Mach-O executables for different processors into one that macOS runs on each of them, as `lipo -create`
 * does. The parts are copied unchanged, so signatures stay valid. Throws if a part is not a 64-bit Mach-O executable, or if
 * two parts are for the same processor. Format: <mach-o/fat.h>; its numbers are big-endian, those of a part little-endian.
 */
export function universalBinary(parts: readonly Uint8Array[]): Uint8Array {
  const slices = parts.map((bytes) => {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (part.length < 12 || part.readUInt32LE(0) !== MACH_O_64) {
      throw new Error("Not a 64-bit Mach-O file");
    }
    return { part, processor: part.readUInt32LE(4), variant: part.readUInt32LE(8) };
  });
  if (new Set(slices.map(({ processor }) => processor)).size < slices.length) {
    throw new Error("Two parts are for the same processor");
  }
  // Like lipo, put arm64 last, because old systems stop at a processor that they do not know.
  slices.sort((a, b) => Number(a.processor === ARM64) - Number(b.processor === ARM64));

  const head = Buffer.alloc(8 + 20 * slices.length);
  head.writeUInt32BE(FAT_MAGIC, 0);
  head.writeUInt32BE(slices.length, 4);
  const pieces: Uint8Array[] = [head];
  let length = head.length;
  slices.forEach(({ part, processor, variant }, i) => {
    const padding = -length & ((1 << ALIGNMENT_BITS) - 1);
    pieces.push(new Uint8Array(padding), part);
    const entry = 8 + 20 * i;
    head.writeUInt32BE(processor, entry);
    head.writeUInt32BE(variant, entry + 4);
    head.writeUInt32BE(length + padding, entry + 8);
    head.writeUInt32BE(part.length, entry + 12);
    head.writeUInt32BE(ALIGNMENT_BITS, entry + 16);
    length += padding + part.length;
  });
  return Buffer.concat(pieces);
}
