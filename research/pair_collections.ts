// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a cross-language collection from two collections with the same ids: the queries of one, and the documents of the
 * other.
 *
 *     deno run -A research/pair_collections.ts QUERIES DOCUMENTS OUT
 *
 * The judgements belong to the queries. They must name only documents that exist in the second collection.
 */
import { readBeir } from "#library/evaluate/mod.ts";
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
  throw new Error(`${searched} has no document ${stray.document}: the collections must have the same ids`);
}
await writeBeir(out, { ...collection, documents, queries });
console.log(`${out}: ${documents.length} documents, ${queries.length} queries`);
