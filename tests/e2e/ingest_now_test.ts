import assert from "node:assert/strict";
import { join } from "node:path";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { makeSandbox } from "./_program.ts";

const FILES = Object.fromEntries(
  Array.from(
    { length: 300 },
    (_, i) => [`note ${i}.md`, `# Note ${i}\n\n${`Words of note ${i}. `.repeat(300)}\n`],
  ),
);

for (const [name, , connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} updates a folder by ingest_now, sees the progress, and cancels`, async () => {
    await using sandbox = await makeSandbox(FILES);
    const indexed = await sandbox.run("--dir", sandbox.folder);
    assert.equal(indexed.code, 0, indexed.stderr);
    const env = { ...sandbox.env, MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" };
    await using client = await connect({ ...sandbox, env });

    await Deno.writeTextFile(join(sandbox.folder, "new.md"), "A zebra has stripes.");
    const updated = await client.call("ingest_now", {});
    assert.deepEqual([updated.code, updated.data.collections[0].new], [200, 1]);
    const found = await client.call("search_rag", { keyword: "zebra" });
    assert.equal(found.data.file_info[0].file_name, "new.md");

    const seen: number[] = [];
    const rebuilt = await client.call("ingest_now", { full: true }, {
      onprogress: ({ progress, total }) => seen.push(progress / total!),
    });
    const [summary] = rebuilt.data.collections;
    assert.deepEqual([summary.full, summary.files], [true, 301]);
    assert.ok(
      seen.length > 1 && seen.every((share, i) => share <= 1 && share > (seen[i - 1] ?? -1)),
      `${seen}`,
    );

    const before = await client.call("list_collections", {});
    const stop = new AbortController();
    const cancelled = client.call("ingest_now", { full: true }, {
      signal: stop.signal,
      onprogress: ({ message }) => message?.includes(" of 301 ") && stop.abort(new Error("enough")),
    });
    await assert.rejects(cancelled);
    const after = await client.call("list_collections", {});
    assert.equal(after.data.collections[0].updated, before.data.collections[0].updated);
    assert.equal((await client.call("ingest_now", {})).data.collections[0].unchanged, 301);
  });
}

Deno.test("ingest_now and reembed_document say what to do where the server may not write", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "Green tea." });
  const indexed = await sandbox.run("--dir", sandbox.folder);
  assert.equal(indexed.code, 0, indexed.stderr);
  const env = {
    ...sandbox.env,
    MUXUE_RAG_MCP_TOOLS: "all",
    MUXUE_RAG_INDEX_WATCH: "false",
    MUXUE_RAG_LANGUAGE: "en",
  };
  await using client = await OFFICIAL_CLIENTS[0]![2]({ ...sandbox, env });
  for (const [tool, args] of [["ingest_now", {}], ["reembed_document", { doc_id: "tea.md" }]] as const) {
    const { code, message } = await client.call(tool, args);
    assert.equal(code, 500);
    assert.match(message, /^This server may not write indexes \(--no-watch or index\.watch: false\)\. Run/);
  }
});
