import { jbig2Module } from "./jbig2.ts";
import { openJpegModule } from "./openjpeg.ts";

/** The decoders that pdf.js has as WebAssembly, by the file that it would load. */
const MODULES = { "jbig2.wasm": jbig2Module, "openjpeg.wasm": openJpegModule };

/** A decoder of pdf.js: for JBIG2 and CCITT fax, or for JPEG 2000. */
interface WasmImage {
  readonly _filename: keyof typeof MODULES;
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
    Object.hasOwn(MODULES, String(value._filename));
}

function provide(decoder: WasmImage): void {
  let module: Promise<unknown> | undefined;
  decoder._getModule = () => module ??= MODULES[decoder._filename]();
}
