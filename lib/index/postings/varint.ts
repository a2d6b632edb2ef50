/**
 * Writes an unsigned 32-bit number in one to five bytes, seven bits in each, low ones first, the top bit set in all but the
 * last. Returns the offset after it.
 */
export function putVarint(bytes: Uint8Array, from: number, number: number): number {
  let at = from;
  let value = number;
  while (value > 0x7f) {
    bytes[at++] = (value & 0x7f) | 0x80;
    value >>>= 7;
  }
  bytes[at++] = value;
  return at;
}
