import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Message, openPipe } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

const FILES = {
  "open.md": "# Walnuts\n\nA walnut grows on a tree in the garden.\n",
  "sub/secret.md": "# Secret walnuts\n\nThe walnut of swordfish is kept in the cellar.\n",
  "sub/deep/secret.txt": "Another walnut of swordfish lies below the stairs.\n",
};

Deno.test("a server that updates nothing shows nothing of a file that is ignored after it was indexed", async () => {
  await using sandbox = await makeIndexed(FILES, { env: { MUXUE_RAG_MCP_TOOLS: "all" } });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  const { ask, call } = pipe;
  const secret = join(sandbox.folder, "sub", "secret.md");
  const uri = (await ask("resources/list")).result.resources
    .find(({ name }: { name: string }) => name.endsWith("secret.md"))?.uri ?? pathToFileURL(secret).href;
  const found = await call("search_rag", { keyword: "swordfish" });
  const [{ "chunk_id": chunk }] = found.result.structuredContent.data.match_content;

  const calls: Record<string, () => Promise<Message>> = {
    "search_rag": () => call("search_rag", { keyword: "walnut" }),
    semantic: () => call("search_rag", { keyword: "walnut", mode: "semantic" }),
    "query_knowledge_hub": () => call("query_knowledge_hub", { query: "swordfish in the cellar" }),
    "explain_search": () => call("explain_search", { keyword: "walnut" }),
    "find_related": () => call("find_related", { "doc_id": "open.md" }),
    "get_chunk_context": () => call("get_chunk_context", { "chunk_id": chunk }),
    "get_document_content": () => call("get_document_content", { "file_path": secret }),
    "get_document_summary": () => call("get_document_summary", { "doc_id": secret }),
    "read_raw_file": () => call("read_raw_file", { "file_path": secret }),
    "list_documents": () => call("list_documents", {}),
    resource: () => ask("resources/read", { uri }),
    resources: () => ask("resources/list"),
  };
  /** The names of the calls whose answers show something of the secret files. */
  const shown = async () => {
    const names: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const answer = JSON.stringify((await call()).result) ?? "";
      if (/cellar|stairs|Secret walnuts|"title":"secret/.test(answer)) names.push(name);
    }
    return names;
  };
  const rules = join(sandbox.folder, "sub", ".muxueragignore");
  // The lists may be two seconds old, passages may not.
  const later = () => new Promise((resolve) => setTimeout(resolve, 2100));
  for (const text of ["*\n", "secret*\n"]) {
    if (text !== "*\n") await later();
    deepEqual(await shown(), Object.keys(calls));
    await Deno.writeTextFile(rules, text);
    deepEqual((await shown()).filter((name) => !["list_documents", "resources"].includes(name)), []);
    await later();
    deepEqual(await shown(), []);
    const { result } = await call("search_rag", { keyword: "walnut" });
    equal(result.structuredContent.data.match_content.length, 1);
    match(JSON.stringify(result), /tree in the garden/);
    await Deno.remove(rules);
  }
});
