import { crc32, deflateSync } from "node:zlib";

/** Returns a grey PNG of one shade, or with noise that does not compress. `extra`: rows behind the last. */
export function makePng(
  width: number,
  height: number,
  { noise = false, shade = 128, extra = 0 } = {},
): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * (height + extra)).fill(shade);
  let state = 1;
  for (let i = 0; i < rows.length; i++) {
    if (noise) rows[i] = (state = Math.imul(state, 1_103_515_245) + 12_345 >>> 0) >>> 16;
    if (i % (width + 1) === 0) rows[i] = 0;
  }
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(head.buffer)),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
