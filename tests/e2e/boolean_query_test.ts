import { deepEqual, match } from "node:assert/strict";
import { openPipe } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };

Deno.test("search_rag answers boolean queries, explains them, and says where one is wrong and what emptied it", async () => {
  await using sandbox = await makeIndexed({
    "a.md": "---\ntags: [kitchen]\n---\n# Soup\n\nTomato soup with basil.\n",
    "b.md": "# Bread\n\nTomato and olive bread, no soup.\n",
    "c.md": "# 面条\n\n番茄鸡蛋面，不放葱。\n",
  }, EN);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  const answer = async (keyword: string) => (await pipe.search(keyword)).result;
  const found = async (keyword: string) => {
    const { match_content: hits } = (await answer(keyword)).structuredContent.data;
    return hits.map(({ file_path: path }: { file_path: string }) => path.replace(/^.*[\\/]/, "")).sort();
  };
  deepEqual(await found("(番茄 OR tomato) AND NOT soup"), ["c.md"]);
  deepEqual(await found("tom* NEAR/3 soup tag:kitchen"), ["a.md"]);
  match((await answer("tomato AND encod*")).content[0].text, /No passage meets: encod\*\./);
  const { isError, content: [{ text }] } = await answer("tomato AND (soup OR bread");
  deepEqual(isError, true);
  match(text, /The bracket at column 12 is not closed/);
  const { result: unknown } = await pipe.search("tomato AND meta.colour:red");
  match(unknown.content[0].text, /There is no filter meta\.colour/);
});
