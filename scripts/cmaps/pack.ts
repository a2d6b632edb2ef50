import { brotliCompressSync, constants } from "node:zlib";

/**
 * Returns the text of `cmaps.json`. `sizes` lists the name and length in bytes of every CMap in order; `data` is their
 * concatenation, compressed with Brotli, in base64. Compressed together they take a third of the space of single files.
 */
export function packCMaps(files: ReadonlyMap<string, Uint8Array>): string {
  const names = [...files.keys()].sort();
  const all = new Uint8Array(names.reduce((sum, name) => sum + files.get(name)!.length, 0));
  let at = 0;
  for (const name of names) {
    all.set(files.get(name)!, at);
    at += files.get(name)!.length;
  }
  const data = new Uint8Array(brotliCompressSync(all, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: all.length,
    },
  }));
  const sizes = Object.fromEntries(names.map((name) => [name, files.get(name)!.length]));
  return `${JSON.stringify({ sizes, data: data.toBase64() }, null, 2)}\n`;
}
