// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Packs the predefined CMaps into lib/documents/pdf/cmaps.json. They come from the npm package `pdfjs-dist`, which `npm
 * pack` fetches and which is not part of the program. Every run writes the same bytes.
 *
 *     deno run -A scripts/build_cmaps.ts [FILE]
 */
import { join } from "node:path";
import { packCMaps } from "./cmaps/pack.ts";
import { fetchCMaps } from "./cmaps/package.ts";

const target = Deno.args[0] ?? join(import.meta.dirname!, "..", "lib", "documents", "pdf", "cmaps.json");
const files = await fetchCMaps();
const json = packCMaps(files);
await Deno.writeTextFile(target, json);
console.log(`${target}: ${files.size} CMaps, ${json.length} bytes`);
