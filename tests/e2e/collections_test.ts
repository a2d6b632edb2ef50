import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { formerClient } from "./_official_clients.ts";
import { makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

const FILES = {
  "notes/tea.md": "# Tea\n\nGreen tea wants water of 80 degrees.\n",
  "notes/draft.txt": "A draft about tea.\n",
  "papers/caffeine.txt": "Tea leaves hold less caffeine than coffee beans do.\n".repeat(40),
  "论文/绿茶.md": "# 绿茶\n\n绿茶用八十度的水冲泡 tea。\n",
};

const CONFIG = `language: en
index: {watch: false}
mcp: {tools: all}
collections:
  notes:
    path: 文档 docs/notes
    description: What I wrote down
    files: {include: ["*.md"]}
  studies:
    path: 文档 docs/papers
    chunking: {strategy: fixed, max_chars: 200, overlap: 0}
  论文:
    path: 文档 docs/论文
`;

/** A sandbox with three collections, whose configuration is named by the environment. */
async function collections(): Promise<Sandbox> {
  const sandbox = await makeSandbox(FILES);
  sandbox.env["MUXUE_RAG_CONFIG"] = join(sandbox.cwd, "my.yaml");
  await writeFiles(sandbox.cwd, { "my.yaml": CONFIG });
  return sandbox;
}

Deno.test("an official client lists collections of different settings and searches all, one or several of them", async () => {
  await using sandbox = await collections();
  const at = (...path: string[]) => join(sandbox.folder, ...path);
  equal((await sandbox.run`index --quiet`).code, 0);
  await using client = await formerClient(sandbox, { argv: [] });

  const { data, text } = await client.call("list_collections", {});
  const rows = data.collections.map((
    { name, description, path, documents, chunks }: Record<string, unknown>,
  ) => [
    ...[name, description, path, documents, chunks],
  ]);
  deepEqual(rows, [
    ["notes", "What I wrote down", at("notes"), 1, 1],
    ["studies", undefined, at("papers"), 1, 11],
    ["论文", undefined, at("论文"), 1, 1],
  ]);
  match(text, /notes: \S+ docs\/notes, What I wrote down, 1 document, 1 chunk,/);

  /** The paths in an answer with citations, relative to the folder. */
  const found = async (collection?: string | string[]) => {
    const { data } = await client.call("query_knowledge_hub", { query: "tea", collection });
    const paths = data.citations.map(({ source }: { source: string }) => source.slice(at().length + 1));
    return [...new Set<string>(paths)].map((path) => path.replaceAll("\\", "/")).sort();
  };
  const all = ["notes/tea.md", "papers/caffeine.txt", "论文/绿茶.md"];
  deepEqual(await found(), all);
  deepEqual(await found("all"), all);
  deepEqual(await found("Studies"), [all[1]]);
  deepEqual(await found("notes，论文"), [all[0], all[2]]);
  deepEqual(await found(["studies", "论文"]), [all[1], all[2]]);
  deepEqual(await found(at("notes")), [all[0]]);
  const unknown = await client.call("query_knowledge_hub", { query: "tea", collection: "notes, study" });
  deepEqual([unknown.isError, unknown.message], [
    true,
    "There is no collection or folder study. The collections are: notes, studies, 论文",
  ]);

  for (const folder of [at("notes"), "notes"]) {
    const { data } = await client.call("search_rag", { keyword: "tea", dir_path: folder });
    deepEqual(data.file_info, [{ file_path: at("notes", "tea.md"), file_name: "tea.md" }]);
  }
  equal((await client.call("list_documents", { collection: "notes" })).data.total, 1);
  const excluded = await client.call("read_raw_file", { file_path: at("notes", "draft.txt") });
  match(
    excluded.message,
    /^An ignore file, the configuration or a rule about names leaves out .*, so it is not read/,
  );
});

Deno.test("serve takes the name of a collection, and then serves no other", async () => {
  await using sandbox = await collections();
  equal((await sandbox.run`index 论文 --quiet`).code, 0);
  await using client = await formerClient(sandbox, { argv: ["论文"] });
  const { data } = await client.call("list_collections", {});
  deepEqual(data.collections.map(({ name }: { name: string }) => name), ["论文"]);
});

Deno.test("a server updates each collection by its own settings, at its start and when a client asks for it", async () => {
  await using sandbox = await collections();
  await using client = await formerClient(sandbox, { argv: ["--update"] });
  const { data } = await client.call("ingest_now", { collection: ["notes", "studies"] });
  deepEqual(
    data.collections.map(({ files, chunks }: Record<string, unknown>) => [files, chunks]),
    [[1, 1], [1, 11]],
  );
});
