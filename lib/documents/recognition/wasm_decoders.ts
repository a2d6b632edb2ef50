/**
 * Gives pdf.js the decoders for JBIG2, CCITT fax and JPEG 2000, which most scanners write.
 * First how packed WebAssembly is loaded and started, then where pdf.js asks for it, then each decoder.
 */
import { unpacked } from "../packed.ts";

/** Each is a separate module, so that only those at hand are loaded. `scripts/build_recognition.ts` makes them. */
const PACKED_MODULES = {
  core: () => import("./engine/core_wasm.ts"),
  jbig2: () => import("./engine/jbig2_wasm.ts"),
  openjpeg: () => import("./engine/openjpeg_wasm.ts"),
};

/** Returns a WebAssembly module in binary form. */
export async function wasmBytes(name: keyof typeof PACKED_MODULES): Promise<Uint8Array<ArrayBuffer>> {
  return unpacked((await PACKED_MODULES[name]()).data);
}

/** Bytes by which a memory grows at least. */
const STEP = 1 << 20;
const PAGE = 65_536;

/** A module that emscripten made, as pdf.js uses it: beside these, with functions that decode. */
interface DecoderModule {
  /** The picture that was decoded last. */
  imageData: Uint8ClampedArray | null;
  errorMessages?: string;
  readonly memory: WebAssembly.Memory;
  writeArrayToMemory(array: ArrayLike<number>, at: number): void;
}

/**
 * Starts a module that emscripten made. `imports`: functions by their short name. They get the module, which exists when they
 * are called. `exports`: short names of the exports `memory`, `start`, `_malloc`, and of others that pdf.js calls.
 */
async function instantiate(
  name: keyof typeof PACKED_MODULES,
  exports: Readonly<Record<string, string>>,
  imports: (module: () => DecoderModule) => Record<string, unknown>,
): Promise<DecoderModule> {
  const late = () => module;
  const { instance } = await WebAssembly.instantiate(await wasmBytes(name), {
    a: imports(late) as WebAssembly.ModuleImports,
  });
  const { memory, start, ...functions } = Object.fromEntries(
    Object.entries(exports).map(([long, short]) => [long, instance.exports[short]]),
  );
  const module: DecoderModule = {
    imageData: null,
    memory: memory as WebAssembly.Memory,
    writeArrayToMemory: (array, at) => new Uint8Array(module.memory.buffer).set(array, at),
    ...functions,
  };
  (start as () => void)();
  return module;
}

/** Ends the work of a module, which must not be used again. */
function abort(): never {
  throw new WebAssembly.RuntimeError("the module has given up");
}

/** Enlarges a memory to `size` bytes. Returns 1, or 0 if there is not so much memory. */
function grow(memory: WebAssembly.Memory, size: number): number {
  // A size over 2 GB arrives as a negative number.
  const wanted = (size >>> 0) - memory.buffer.byteLength;
  try {
    memory.grow(Math.ceil(Math.max(STEP, wanted) / PAGE));
    return 1;
  } catch {
    return 0;
  }
}

/** The decoders that pdf.js has as WebAssembly, by the file that it would load. */
const DECODERS = { "jbig2.wasm": jbig2Module, "openjpeg.wasm": openJpegModule };

/** A decoder of pdf.js: for JBIG2 and CCITT fax, or for JPEG 2000. */
interface WasmImage {
  readonly _filename: keyof typeof DECODERS;
  _getModule: () => Promise<unknown>;
}

/**
 * Runs `work` so that pdf.js can decode JBIG2, CCITT fax and JPEG 2000, which most scanners write. unpdf has left out that
 * WebAssembly of pdf.js, and with it the functions that it calls. pdf.js makes a decoder when an image first needs it, and
 * defines it as the property `instance` of its class: at that moment the decoder gets a function that loads the module.
 */
export async function withWasmDecoders<T>(work: () => Promise<T>): Promise<T> {
  const original = Object.defineProperty;
  Object.defineProperty = ((target: object, name: PropertyKey, descriptor: PropertyDescriptor) => {
    if (name === "instance" && isDecoder(descriptor.value)) provide(descriptor.value);
    return original(target, name, descriptor);
  }) as typeof Object.defineProperty;
  try {
    return await work();
  } finally {
    Object.defineProperty = original;
  }
}

function isDecoder(value: unknown): value is WasmImage {
  return typeof value === "object" && value !== null && "_filename" in value && "_getModule" in value &&
    Object.hasOwn(DECODERS, String(value._filename));
}

function provide(decoder: WasmImage): void {
  let module: Promise<unknown> | undefined;
  decoder._getModule = () => module ??= DECODERS[decoder._filename]();
}

/** Returns the module that pdf.js decodes JBIG2 and CCITT fax with. The short names are those of `pdfjs-dist` 6.1.200. */
function jbig2Module(): Promise<DecoderModule> {
  const exports = {
    memory: "i",
    start: "j",
    _malloc: "k",
    _free: "l",
    "_jbig2_decode": "m",
    "_ccitt_decode": "n",
  };
  return instantiate("jbig2", exports, (module) => {
    const bytes = (from: number, length: number) =>
      new Uint8ClampedArray(module().memory.buffer, from, length);
    return {
      a: abort,
      b: () => {},
      c: () => 0,
      d: (size: number) => grow(module().memory, size),
      e: abort,
      f: (line: number, length: number, at: number) => module().imageData!.set(bytes(line, length), at),
      g: (size: number) => void (module().imageData = new Uint8ClampedArray(size)),
      h: (rows: number, length: number, stride: number, height: number) => {
        const image = module().imageData = new Uint8ClampedArray(length * height);
        for (let y = 0; y < height; y++) image.set(bytes(rows + y * stride, length), y * length);
      },
    };
  });
}

/** Returns the module that pdf.js decodes JPEG 2000 with. The short names are those of `pdfjs-dist` 6.1.200. */
function openJpegModule(): Promise<DecoderModule> {
  const exports = { memory: "r", start: "s", _malloc: "t", _free: "u", "_jp2_decode": "v" };
  return instantiate("openjpeg", exports, (module) => {
    /** Joins planes of 32-bit samples to pixels. `size`: samples of a pixel; one that no plane gives is opaque. */
    const pixels = (planes: readonly number[], count: number, size: number) => {
      const samples = planes.map((at) => new Int32Array(module().memory.buffer, at, count));
      const image = module().imageData = new Uint8ClampedArray(count * size);
      for (let i = 0, at = 0; i < count; i++) {
        for (let j = 0; j < size; j++) image[at++] = samples[j]?.[i] ?? 255;
      }
    };
    return {
      a: () => void (module().errorMessages = "it is damaged"),
      // No file can be written.
      b: () => 8,
      c: () => {},
      d: (r: number, g: number, b: number, a: number, count: number) => pixels([r, g, b, a], count, 4),
      e: (r: number, g: number, b: number, count: number) => pixels([r, g, b], count, 3),
      f: (grey: number, count: number) => pixels([grey], count, 1),
      g: (r: number, g: number, b: number, count: number) => pixels([r, g, b], count, 4),
      h: (grey: number, a: number, count: number) => pixels([grey, grey, grey, a], count, 4),
      i: () => 0,
      j: (size: number) => grow(module().memory, size),
      k: abort,
      l: () => {},
      m: abort,
      n: () => 70,
      o: () => 0,
      p: (count: number, length: number) => {
        const view = new DataView(module().memory.buffer);
        view.setUint32(count, 0, true);
        view.setUint32(length, 0, true);
        return 0;
      },
      q: (grey: number, count: number) => pixels([grey, grey, grey], count, 4),
    };
  });
}
