// deno-lint-ignore-file no-console -- a script speaks to its terminal
/**
 * Packs the predefined CMaps (lib/document/pdf/cmaps.json) from the npm package `pdfjs-dist`, which is fetched by
 * `npm pack` and is no part of the program. The same bytes on every run.
 *
 *     deno run -A scripts/build_cmaps.ts [FILE]
 */
import { join } from "node:path";
import { packCMaps } from "./cmaps/pack.ts";
import { fetchCMaps } from "./cmaps/package.ts";

const target = Deno.args[0] ?? join(import.meta.dirname!, "..", "lib", "document", "pdf", "cmaps.json");
const files = await fetchCMaps();
const json = packCMaps(files);
await Deno.writeTextFile(target, json);
console.log(`${target}: ${files.size} CMaps, ${json.length} bytes`);
