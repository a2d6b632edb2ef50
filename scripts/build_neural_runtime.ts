// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes lib/models/neural/runtime_wasm.ts from the npm package onnxruntime-web, which `npm pack` fetches: the WebAssembly module that
 * runs models, compressed and written as a string. A thread without permissions can import it as a module, both from the
 * sources and in an executable. Every run writes the same bytes.
 *
 *     deno run -A scripts/build_neural_runtime.ts
 */
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type Package, packageBytes } from "./npm_package.ts";

/** The version must be that of `onnxruntime-web` in deno.json. */
const RUNTIME: Package = {
  spec: "onnxruntime-web@1.30.0",
  integrity: "q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==",
  file: "package/dist/ort-wasm-simd-threaded.wasm",
};

const bytes = await packageBytes(RUNTIME);
const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = constants;
const packed = brotliCompressSync(bytes, { params: { [quality]: 11, [window]: 24 } });
await Deno.writeTextFile(
  join(import.meta.dirname!, "..", "lib", "models", "neural", "runtime_wasm.ts"),
  `/** ${RUNTIME.file.split("/").at(-1)} of ${RUNTIME.spec}, made by scripts/build_neural_runtime.ts. */\n` +
    `export const data =\n  "${new Uint8Array(packed).toBase64()}";\n`,
);
console.log(`${bytes.length} bytes, ${packed.length} compressed`);
