import { brotliCompressSync, constants } from "node:zlib";

/** Returns the source of a module that exports WebAssembly as `data`, compressed by Brotli and written in Base64. `origin`: its comment. */
export function packedWasm(bytes: Uint8Array, origin: string): string {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = constants;
  const packed = brotliCompressSync(bytes, { params: { [quality]: 11, [window]: 24 } });
  return `/** ${origin} */\nexport const data =\n  "${new Uint8Array(packed).toBase64()}";\n`;
}
