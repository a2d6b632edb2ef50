import { brotliDecompressSync } from "node:zlib";

/**
 * Returns the predefined CMaps of PDF 2.0 (9.7.5.2) and the others of Adobe's cmap-resources, by name, in the binary form of
 * pdf.js. They map codes to characters for fonts that are not embedded, and for most Chinese, Japanese and Korean fonts.
 * `scripts/build_cmaps.ts` makes the file.
 */
export async function loadCMaps(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { default: { sizes, data } } = await import("./cmaps.json", { with: { type: "json" } });
  const all = new Uint8Array(brotliDecompressSync(Uint8Array.fromBase64(data)));
  const cmaps = new Map<string, Uint8Array>();
  let at = 0;
  for (const [name, size] of Object.entries(sizes)) {
    cmaps.set(name, all.subarray(at, at + size));
    at += size;
  }
  return cmaps;
}
