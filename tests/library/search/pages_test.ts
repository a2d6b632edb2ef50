import { deepEqual, equal, ok } from "node:assert/strict";
import { type Hit, type SearchRequest } from "#library/search/mod.ts";
import { Place } from "../ingest/_place.ts";

const DOCS = new URL("../../../examples/docs/en/", import.meta.url);

/** The limit of passages of one file, and none. With a limit, the size of the first page decides which of a file are in the list. */
const LIMITS = [3, 100];

for (
  const [mode, perFile] of (["keyword", "hybrid"] as const).flatMap((m) => LIMITS.map((l) => [m, l] as const))
) {
  Deno.test(`${mode}, ${perFile} of a file: pages of any size are one list, which repeats and loses no passage`, async () => {
    using place = new Place();
    for (const { name, isFile } of Deno.readDirSync(DOCS)) {
      if (isFile && name.endsWith(".md")) place.write({ [name]: Deno.readTextFileSync(new URL(name, DOCS)) });
    }
    await place.ingest();
    const settings = { search: { "max_chars": 1_000_000, "per_doc_limit": perFile } };
    const library = await place.library({ settings: settings });
    const search = async (request: Omit<SearchRequest, "mode">) =>
      (await library.search({ mode, ...request })).hits;
    const passage = ({ filePath, startLine, endLine }: Hit) => `${filePath}:${startLine}-${endLine}`;
    for (const query of ["configuration file", "index", "embedding server"]) {
      const pages = async (topK: number, last: number) => {
        const hits = [...await search({ query, topK: 5 })];
        deepEqual(hits.length, 5);
        for (let page: readonly Hit[] = hits; page.length > 0 && hits.length < last;) {
          page = await search({
            query,
            offset: hits.length,
            topK: Math.min(topK, last - hits.length),
            firstTopK: 5,
          });
          hits.push(...page);
        }
        return hits;
      };
      const all = await pages(100, 300);
      deepEqual((await pages(5, 40)).map(passage), all.slice(0, 40).map(passage), query);
      equal(new Set(all.map(({ chunkId }) => chunkId)).size, all.length, query);
      if (perFile < 40) continue;
      // Chunks that touch are one passage in a long answer and may be on two pages.
      for (const { filePath, startLine, endLine } of await search({ query, topK: 40 })) {
        for (const line of [startLine, endLine]) {
          ok(
            all.some((hit) => hit.filePath === filePath && hit.startLine <= line && line <= hit.endLine),
            `${query}: ${filePath}:${line}`,
          );
        }
      }
    }
  });
}
