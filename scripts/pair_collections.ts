// deno-lint-ignore-file no-console -- a script speaks to its terminal
/**
 * Makes a cross-language collection of two that share their ids: the queries of one with the documents of the other.
 *
 *     deno run -A scripts/pair_collections.ts QUERIES DOCUMENTS OUT
 *
 * The judgements are those of the queries; what they name must be among the documents.
 */
import { readBeir } from "../lib/evaluate/mod.ts";
import { writeBeir } from "./eval/write_beir.ts";

const [asked, searched, out] = Deno.args;
if (asked === undefined || searched === undefined || out === undefined) {
  console.error("usage: pair_collections.ts QUERIES_FOLDER DOCUMENTS_FOLDER OUT");
  Deno.exit(2);
}
const { queries, ...collection } = await readBeir(asked);
const { documents } = await readBeir(searched);
const ids = new Set(documents.map(({ id }) => id));
const stray = queries.flatMap(({ targets }) => targets).find(({ document }) => !ids.has(document));
if (stray !== undefined) {
  throw new Error(`${searched} has no document ${stray.document}: the two do not share ids`);
}
await writeBeir(out, { ...collection, documents, queries });
console.log(`${out}: ${documents.length} documents, ${queries.length} queries`);
