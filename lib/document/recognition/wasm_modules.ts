import { brotliDecompressSync } from "node:zlib";

/** Each is a separate module, so that only those at hand are loaded. `scripts/build_recognition.ts` makes them. */
const MODULES = {
  core: () => import("./engine/core_wasm.ts"),
  jbig2: () => import("./engine/jbig2_wasm.ts"),
  openjpeg: () => import("./engine/openjpeg_wasm.ts"),
};

/** Returns a WebAssembly module in binary form. */
export async function wasmBytes(name: keyof typeof MODULES): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await MODULES[name]();
  return new Uint8Array(brotliDecompressSync(Uint8Array.fromBase64(data)));
}
