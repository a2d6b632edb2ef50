import type { Matrix } from "../pdf/upright.ts";

/** An image in shades of grey. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  /** A byte for each pixel, 0 is black. For a mask the grey of its ink, where it is painted. */
  readonly grey: Uint8Array;
  /** For a mask: 1 where it is painted. */
  readonly painted?: Uint8Array;
}

/** Most samples along a side of a pixel, where an image is scaled down. */
const MOST_SAMPLES = 4;

/** A page in shades of grey, white at first. */
export class Raster {
  readonly grey: Uint8Array<ArrayBuffer>;

  constructor(readonly width: number, readonly height: number) {
    this.grey = new Uint8Array(width * height).fill(255);
  }

  /**
   * Paints an image. `matrix` maps the unit square, with the first row of the image at y = 1, to pixels. Returns the number
   * of samples taken, to which the time is proportional.
   */
  paint({ width, height, grey, painted }: GreyImage, [a, b, c, d, e, f]: Matrix): number {
    const area = a * d - b * c;
    if (!Number.isFinite(area) || Math.abs(area) < 1e-6) return 0;
    const xs = [e, e + a, e + c, e + a + c], ys = [f, f + b, f + d, f + b + d];
    const left = Math.max(0, Math.floor(Math.min(...xs))),
      right = Math.min(this.width, Math.ceil(Math.max(...xs)));
    const top = Math.max(0, Math.floor(Math.min(...ys))),
      bottom = Math.min(this.height, Math.ceil(Math.max(...ys)));
    // Steps in pixels of the image for a step of one pixel of the page.
    const columnX = d * width / area, columnY = -c * width / area;
    const rowX = b * height / area, rowY = -a * height / area;
    const scale = Math.max(Math.hypot(columnX, columnY), Math.hypot(rowX, rowY));
    const samples = Math.min(MOST_SAMPLES, Math.max(1, Math.round(scale)));
    const step = 1 / samples;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        let sum = 0, count = 0;
        for (let i = 0; i < samples; i++) {
          const dy = y + (i + 0.5) * step - f;
          for (let j = 0; j < samples; j++) {
            const dx = x + (j + 0.5) * step - e;
            const column = Math.floor(columnX * dx + columnY * dy);
            const row = Math.floor(height + rowX * dx + rowY * dy);
            if (column < 0 || row < 0 || column >= width || row >= height) continue;
            const at = row * width + column;
            if (painted !== undefined && painted[at] === 0) continue;
            sum += grey[at]!;
            count++;
          }
        }
        if (count === 0) continue;
        const all = samples * samples, at = y * this.width + x;
        this.grey[at] = (sum + this.grey[at]! * (all - count)) / all;
      }
    }
    return Math.max(0, right - left) * Math.max(0, bottom - top) * samples * samples;
  }

  /** Returns the page as a PGM file. */
  toPgm(): Uint8Array<ArrayBuffer> {
    const head = new TextEncoder().encode(`P5\n${this.width} ${this.height}\n255\n`);
    const file = new Uint8Array(head.length + this.grey.length);
    file.set(head);
    file.set(this.grey, head.length);
    return file;
  }
}
