/**
 * Unpacks Snappy, the compression of iWork archives. Described in google/snappy, `format_description.txt`. iWork writes chunks
 * with a header of four bytes, but without the identifier and the checksums of Snappy's own streams.
 */
import { joinedBytes, NumberReader } from "../bytes.ts";
import { DocumentError } from "../types.ts";

/** Bytes that a chunk may unpack to. iWork writes 64 KB at most. */
const LARGEST_CHUNK = 1 << 24;

/** Returns the unpacked bytes of an iWork archive, at most `limit`. Throws {@linkcode DocumentError}. */
export function unpackChunks(packed: Uint8Array, limit: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at + 4 <= packed.length;) {
    const length = packed[at + 1]! | packed[at + 2]! << 8 | packed[at + 3]! << 16;
    if (packed[at] !== 0) throw broken();
    const chunk = unpack(packed.subarray(at + 4, at + 4 + length));
    size += chunk.length;
    if (size > limit) throw new DocumentError("too_complex", "the archive unpacks to more than the limit");
    chunks.push(chunk);
    at += 4 + length;
  }
  return joinedBytes(chunks);
}

/** Unpacks one chunk: its size, then literals and copies of earlier bytes. */
function unpack(packed: Uint8Array): Uint8Array {
  const reader = new NumberReader(packed);
  const size = reader.lowFirst();
  // A copy of three bytes gives at most 64.
  if (size === undefined || size > LARGEST_CHUNK || size > 22 * packed.length) throw broken();
  let at = reader.at;
  const little = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) value += packed[at++]! * 2 ** (8 * i);
    return value;
  };
  const output = new Uint8Array(size);
  let end = 0;
  while (at < packed.length) {
    const tag = packed[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const length = (short < 60 ? short : little(short - 59)) + 1;
      if (!(at + length <= packed.length && end + length <= size)) throw broken();
      output.set(packed.subarray(at, at + length), end);
      at += length;
      end += length;
    } else {
      const length = kind === 1 ? (tag >> 2 & 7) + 4 : (tag >> 2) + 1;
      const distance = kind === 1 ? (tag >> 5) * 256 + little(1) : little(kind === 2 ? 2 : 4);
      if (!(distance > 0 && distance <= end && end + length <= size)) throw broken();
      for (let i = 0; i < length; i++, end++) output[end] = output[end - distance]!;
    }
  }
  if (end !== size) throw broken();
  return output;
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the Snappy data is broken");
}
