import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Message, openPipe } from "./_mcp_pipe.ts";
import { makeSandbox } from "./_program.ts";

const FILES = {
  "open.md": "# Walnuts\n\nA walnut grows on a tree in the garden.\n",
  "sub/secret.md": "# Secret walnuts\n\nThe walnut of swordfish is kept in the cellar.\n",
  "sub/deep/secret.txt": "Another walnut of swordfish lies below the stairs.\n",
};

Deno.test("a server that updates nothing shows nothing of a file that is ignored after it was indexed", async () => {
  await using sandbox = await makeSandbox(FILES);
  sandbox.env.MUXUE_RAG_MCP_TOOLS = "all";
  equal((await sandbox.run("--dir", sandbox.folder)).code, 0);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  let id = 0;
  const ask = async (method: string, params: unknown): Promise<Message> => {
    await pipe.send({ jsonrpc: "2.0", id: ++id, method, params });
    return (await pipe.receiveUntil(id)).at(-1);
  };
  const call = (name: string, args: Record<string, unknown>) => ask("tools/call", { name, arguments: args });
  const secret = join(sandbox.folder, "sub", "secret.md");
  const uri = (await ask("resources/list", {})).result.resources
    .find(({ name }: { name: string }) => name.endsWith("secret.md"))?.uri ?? pathToFileURL(secret).href;
  const found = await call("search_rag", { keyword: "swordfish" });
  const [{ "chunk_id": chunk }] = found.result.structuredContent.data.match_content;

  const shown = async () => {
    const answers = {
      "search_rag": await call("search_rag", { keyword: "walnut" }),
      semantic: await call("search_rag", { keyword: "walnut", mode: "semantic" }),
      "query_knowledge_hub": await call("query_knowledge_hub", { query: "swordfish in the cellar" }),
      "explain_search": await call("explain_search", { keyword: "walnut" }),
      "find_related": await call("find_related", { "doc_id": "open.md" }),
      "get_chunk_context": await call("get_chunk_context", { "chunk_id": chunk }),
      "get_document_content": await call("get_document_content", { "file_path": secret }),
      "get_document_summary": await call("get_document_summary", { "doc_id": secret }),
      "read_raw_file": await call("read_raw_file", { "file_path": secret }),
      "list_documents": await call("list_documents", {}),
      resource: await ask("resources/read", { uri }),
      resources: await ask("resources/list", {}),
    };
    return Object.entries(answers).filter(([, { result }]) =>
      /cellar|stairs|Secret walnuts|"title":"secret/.test(JSON.stringify(result) ?? "")
    ).map(([name]) => name);
  };
  const all = [
    "search_rag",
    "semantic",
    "query_knowledge_hub",
    "explain_search",
    "find_related",
    "get_chunk_context",
    "get_document_content",
    "get_document_summary",
    "read_raw_file",
    "list_documents",
    "resource",
    "resources",
  ];
  const rules = join(sandbox.folder, "sub", ".muxueragignore");
  for (const text of ["*\n", "secret*\n"]) {
    deepEqual(await shown(), all);
    await Deno.writeTextFile(rules, text);
    // The lists may be two seconds old, passages may not.
    deepEqual((await shown()).filter((name) => !["list_documents", "resources"].includes(name)), []);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    deepEqual(await shown(), []);
    const { result } = await call("search_rag", { keyword: "walnut" });
    equal(result.structuredContent.data.match_content.length, 1);
    match(JSON.stringify(result), /tree in the garden/);
    await Deno.remove(rules);
    await new Promise((resolve) => setTimeout(resolve, 2100));
  }
});
