import { abort, grow, instantiate } from "./emscripten.ts";
import { wasmBytes } from "./wasm_modules.ts";

/** Returns the module that pdf.js decodes JBIG2 and CCITT fax with. The short names are those of `pdfjs-dist` 6.1.200. */
export async function jbig2Module(): Promise<unknown> {
  const { exports, memory } = await instantiate(await wasmBytes("jbig2"), (instance) => {
    const bytes = (from: number, length: number) =>
      new Uint8ClampedArray(instance().memory.buffer, from, length);
    return {
      a: abort,
      b: () => {},
      c: () => 0,
      d: (size: number) => grow(instance().memory, size),
      e: abort,
      f: (line: number, length: number, at: number) => module.imageData!.set(bytes(line, length), at),
      g: (size: number) => void (module.imageData = new Uint8ClampedArray(size)),
      h: (rows: number, length: number, stride: number, height: number) => {
        const image = module.imageData = new Uint8ClampedArray(length * height);
        for (let y = 0; y < height; y++) image.set(bytes(rows + y * stride, length), y * length);
      },
    };
  }, { memory: "i", start: "j" });
  const module = {
    imageData: null as Uint8ClampedArray | null,
    writeArrayToMemory: (array: ArrayLike<number>, at: number) =>
      new Uint8Array(memory.buffer).set(array, at),
    _malloc: exports["k"],
    _free: exports["l"],
    "_jbig2_decode": exports["m"],
    "_ccitt_decode": exports["n"],
  };
  return module;
}
