import { abort, grow, instantiate } from "./emscripten.ts";
import { wasmBytes } from "./wasm_modules.ts";

/** Returns the module that pdf.js decodes JPEG 2000 with. The short names are those of `pdfjs-dist` 6.1.200. */
export async function openJpegModule(): Promise<unknown> {
  const { exports, memory } = await instantiate(await wasmBytes("openjpeg"), (instance) => {
    /** Joins planes of 32-bit samples to pixels. `size`: samples of a pixel; one that no plane gives is opaque. */
    const pixels = (planes: readonly number[], count: number, size: number) => {
      const samples = planes.map((at) => new Int32Array(instance().memory.buffer, at, count));
      const image = module.imageData = new Uint8ClampedArray(count * size);
      for (let i = 0, at = 0; i < count; i++) {
        for (let j = 0; j < size; j++) image[at++] = samples[j]?.[i] ?? 255;
      }
    };
    return {
      a: () => void (module.errorMessages = "it is damaged"),
      // No file can be written.
      b: () => 8,
      c: () => {},
      d: (r: number, g: number, b: number, a: number, count: number) => pixels([r, g, b, a], count, 4),
      e: (r: number, g: number, b: number, count: number) => pixels([r, g, b], count, 3),
      f: (grey: number, count: number) => pixels([grey], count, 1),
      g: (r: number, g: number, b: number, count: number) => pixels([r, g, b], count, 4),
      h: (grey: number, a: number, count: number) => pixels([grey, grey, grey, a], count, 4),
      i: () => 0,
      j: (size: number) => grow(instance().memory, size),
      k: abort,
      l: () => {},
      m: abort,
      n: () => 70,
      o: () => 0,
      p: (count: number, length: number) => {
        const view = new DataView(instance().memory.buffer);
        view.setUint32(count, 0, true);
        view.setUint32(length, 0, true);
        return 0;
      },
      q: (grey: number, count: number) => pixels([grey, grey, grey], count, 4),
    };
  }, { memory: "r", start: "s" });
  const module = {
    imageData: null as Uint8ClampedArray | null,
    errorMessages: undefined as string | undefined,
    writeArrayToMemory: (array: ArrayLike<number>, at: number) =>
      new Uint8Array(memory.buffer).set(array, at),
    _malloc: exports["t"],
    _free: exports["u"],
    "_jp2_decode": exports["v"],
  };
  return module;
}
