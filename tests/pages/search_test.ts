import { deepEqual, equal } from "node:assert/strict";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { makeIndexed, makeSandbox, NOTES, writeFiles } from "../e2e/_program.ts";
import { startUi } from "./_socket.ts";

/** Texts about tea with the same words in other numbers, so that there is an order. */
const TEAS = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [
  `${at}.md`,
  `# Tea ${at}\n\n${"Green tea. ".repeat(at % 5 + 1)}Other words ${"about gardens ".repeat(at)}.\n`,
]));

Deno.test("the hits of the page have the order that assistants get, also on the next page of the list", async () => {
  await using sandbox = await makeIndexed({ ...NOTES, ...TEAS });
  await using ui = await startUi(sandbox);
  await using pipe = await openPipe(sandbox);
  for (const query of ["green tea gardens", "备份", "how are tomatoes cooked", "type:md tea"]) {
    const first = (await ui.call("search/query", { query, topK: 5 })).json;
    const next = (await ui.call("search/query", { query, topK: 5, offset: 5, firstTopK: 5 })).json;
    const { result } = await pipe.call("search_rag", { keyword: query, top_k: 5, max_tokens: 20_000 });
    const { next_cursor: cursor, ...data } = result.structuredContent.data;
    const further = cursor === undefined ? [] : (await pipe.call("search_rag", {
      ...{ keyword: query, top_k: 5, max_tokens: 20_000, cursor },
    })).result.structuredContent.data.match_content;
    // deno-lint-ignore no-explicit-any
    const places = (hits: any[]) =>
      hits.map((hit) => [hit.path ?? hit.file_path, hit.startLine ?? hit.start_line]);
    deepEqual(places([...first.hits, ...next.hits]), places([...data.match_content, ...further]), query);
  }
});

Deno.test("a hit tells its place, its marks and its degree, and filters hold", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const { json } = await ui.call("search/query", { query: "archive", filters: { type: "md" } });
  const [{ chunkId, score, path, ...hit }] = json.hits;
  deepEqual([chunkId.length, typeof score, path], [16, "number", `${sandbox.folder}/guide.md`]);
  deepEqual(hit, {
    ...{ startLine: 1, endLine: 5, shownPath: "guide.md", collection: "文档 docs", degree: "high" },
    ...{
      content: "# Guide\n\n## Install\n\nUnpack the archive and run it.",
      marks: [{ start: 32, end: 39 }],
    },
    ...{ section: ["Guide"], sectionMarks: [[]], also: [] },
    citation: `[1] ${path}:1-5 (of 5 lines, Guide) high chunk_id=${chunkId}`,
  });
  const none = (await ui.call("search/query", { query: "archive", filters: { type: "txt" } })).json;
  deepEqual(none.hits, []);
});

Deno.test("errors are told in the language of the browser", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const errorIn = async (language: string) =>
    (await ui.call("search/query", { query: " " }, { "Accept-Language": language })).json.error;
  deepEqual([await errorIn("zh"), await errorIn("en")].map(({ key }) => key), ["empty_query", "empty_query"]);
  equal((await errorIn("zh-CN,zh;q=0.9,en;q=0.8")).message, "检索关键词为空。请输入要查找的内容");
});

Deno.test("ui does not index a folder by itself that has no index, and opens the page that does", async () => {
  await using sandbox = await makeSandbox(NOTES);
  await using ui = await startUi(sandbox);
  await writeFiles(sandbox.folder, { "new.md": "Tea.\n" });
  const { status, json } = await ui.call("search/query", { query: "archive" });
  const entries = Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name);
  deepEqual([status, json.error.key, (await entries).includes(".muxue_rag"), ui.path], [
    400,
    "index_not_ready",
    false,
    "/ingestion",
  ]);
});
