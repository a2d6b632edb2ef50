import { packageFiles, type PinnedPackage } from "../npm_package.ts";

/** The npm package of pdf.js, in the version that `unpdf` contains. */
const PDFJS: PinnedPackage = {
  spec: "pdfjs-dist@6.1.200",
  integrity: "o8MolyzirkkLrcdsae/HEOiIcXWI7DS5zGpvqW8xTC2YUsW30rltFw2bDGvw/fskUdEMrQm2br68jzDS5BH2vw==",
};

/** Returns the predefined CMaps of pdf.js by name. Throws the errors of {@linkcode packageFiles}. */
export async function fetchCMaps(): Promise<Map<string, Uint8Array>> {
  const cmaps = new Map<string, Uint8Array>();
  for (const [path, bytes] of await packageFiles(PDFJS)) {
    const name = /^package\/cmaps\/(.+)\.bcmap$/.exec(path)?.[1];
    if (name !== undefined) cmaps.set(name, bytes);
  }
  return cmaps;
}
