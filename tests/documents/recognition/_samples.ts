import { inflateSync } from "node:zlib";

/** Returns the bytes of a file in `samples/`. */
export function sample(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(`samples/${name}`, import.meta.url));
}

/** An image with a byte for each pixel, 0 is black. */
export interface GreyPixels {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array<ArrayBuffer>;
}

/** Returns the pixels of a sample, a PNG with one bit for each. */
export function pixelsOf(name: string): GreyPixels {
  const bytes = sample(name);
  const view = new DataView(bytes.buffer);
  const width = view.getUint32(16), height = view.getUint32(20), stride = (width + 7) >> 3;
  const data: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const rows = inflateSync(Uint8Array.from(data.flatMap((part) => [...part])));
  const grey = new Uint8Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    const row = rows.slice(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let i = 0; i < stride; i++) {
      row[i]! += predicted(filter, row[i - 1] ?? 0, above[i]!, above[i - 1] ?? 0);
    }
    for (let x = 0; x < width; x++) grey[y * width + x] = (row[x >> 3]! >> (7 - (x & 7)) & 1) * 255;
    above = row;
  }
  return { width, height, grey };
}

/** The prediction of a filter of PNG (RFC 2083, 6). */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter]!;
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
