/** Pictures with vertical stripes of 16 pixels, light and dark, in formats that few programs write any more. */

const [WIDTH, HEIGHT, STRIPE] = [240, 200, 16] as const;
const [LIGHT, DARK] = [255, 30] as const;

/** The shade of a column. */
export const shadeAt = (x: number): number => Math.floor(x / STRIPE) % 2 === 0 ? LIGHT : DARK;

/** {@linkcode WIDTH} × {@linkcode HEIGHT} shades from the top. */
const rows = (): Uint8Array => Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => shadeAt(i % WIDTH));

const bytesIn = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : [...part]),
  );
const short = (value: number) => [value & 255, value >> 8 & 255];
const long = (value: number) => [...short(value), ...short(value >>> 16)];

/** A GIF whose codes are not compressed. `frame`: the size of its frame. */
export function gif(frame: readonly [number, number] = [WIDTH, HEIGHT]): Uint8Array<ArrayBuffer> {
  const palette = Array.from({ length: 128 }, (_, i) => i === 0 ? [LIGHT, LIGHT, LIGHT] : [DARK, DARK, DARK])
    .flat();
  const blocks: number[] = [];
  const codes = [...rows()].map((shade) => shade === LIGHT ? 0 : 1);
  for (let at = 0; at < codes.length; at += 100) {
    // The code 128 begins a new table before the codes get longer.
    const part = [128, ...codes.slice(at, at + 100)];
    blocks.push(part.length, ...part);
  }
  return bytesIn(
    "GIF89a",
    short(WIDTH),
    short(HEIGHT),
    [0xf6, 0, 0],
    palette,
    [0x2c, 0, 0, 0, 0],
    short(frame[0]),
    short(frame[1]),
    [0, 7],
    blocks,
    [1, 129, 0, 0x3b],
  );
}

/** A BMP with 24 bits for a pixel. */
export function bmp(width: number = WIDTH, height: number = HEIGHT): Uint8Array<ArrayBuffer> {
  const pixels = [...rows()].flatMap((shade) => [shade, shade, shade]);
  const head = [
    "BM",
    long(54 + pixels.length),
    long(0),
    long(54),
    long(40),
    long(width),
    long(height),
    short(1),
    short(24),
  ];
  return bytesIn(...head, long(0), long(pixels.length), long(0), long(0), long(0), long(0), pixels);
}

/** A grey TIFF that is not compressed. */
export function tiff(width: number = WIDTH, height: number = HEIGHT): Uint8Array<ArrayBuffer> {
  const entries = [[256, width], [257, height], [258, 8], [259, 1], [262, 1], [273, 122], [277, 1], [
    278,
    height,
  ], [279, WIDTH * HEIGHT]];
  const table = entries.flatMap(([tag, value]) => [...short(tag!), ...short(4), ...long(1), ...long(value!)]);
  return bytesIn("II*\0", long(8), short(entries.length), table, long(0), rows());
}

/** A WebP without loss. */
export const webp = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromBase64("UklGRjAAAABXRUJQVlA4TCQAAAAv78AxAA/wj/8n/7/nf/7jAWTSNvVvuncFjEX0fxBAyy+q+w8=");
