import { brotliDecompressSync } from "node:zlib";

/**
 * The predefined CMaps of PDF 2.0 (9.7.5.2) and the further ones of Adobe's cmap-resources, by name, in the binary form of
 * pdf.js. Fonts that are not embedded and most Chinese, Japanese and Korean ones need them to tell characters.
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
