import assert from "node:assert/strict";
import { join } from "node:path";
import { TOOL_NAMES } from "#foundation/configuration/mod.ts";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { makeSandbox } from "./_program.ts";
import { SAMPLE_CALLS, SAMPLE_FILES } from "./_tools.ts";

for (const [name, revision, connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} calls every tool, and each refuses arguments of a wrong type`, async () => {
    await using sandbox = await makeSandbox(SAMPLE_FILES);
    const indexed = await sandbox.run("--dir", sandbox.folder);
    assert.equal(indexed.code, 0, indexed.stderr);
    const env = { ...sandbox.env, MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" };
    await using client = await connect({ ...sandbox, env });
    assert.equal(client.revision, revision);
    // The clients compile the declared schemas of the answers now, and check each answer by them.
    assert.deepEqual(await client.listTools(), TOOL_NAMES);
    const path = join(sandbox.folder, "tea.md");
    const { data } = await client.call("query_knowledge_hub", { query: "green tea" });
    const chunk = data.citations.find(({ source }: { source: string }) => source === path).chunk_id;

    for (const tool of TOOL_NAMES) {
      const { args, expected } = SAMPLE_CALLS[tool];
      const answer = await client.call(tool, args(path, chunk));
      assert.deepEqual([tool, answer.isError, answer.code], [tool, false, 200], answer.message);
      assert.match(JSON.stringify(answer.data), expected, tool);
      assert.ok(answer.text.length > 0, tool);

      const wrong = Object.fromEntries(Object.keys(args(path, chunk)).map((key) => [key, { no: "text" }]));
      if (Object.keys(wrong).length === 0) continue;
      const refused = await client.call(tool, wrong);
      assert.deepEqual([tool, refused.isError, refused.code, refused.data], [tool, true, 500, null]);
    }
  });
}
