import { deepEqual } from "node:assert/strict";
import { TOOL_NAMES } from "../../lib/config/mod.ts";
import { TOOLS } from "../../lib/mcp/tools/mod.ts";
import { type SessionOptions, startSession } from "./_session.ts";

async function names(config: NonNullable<SessionOptions["config"]>): Promise<string[]> {
  await using session = await startSession({ config });
  const { result } = await session.request("tools/list");
  return result.tools.map(({ name }: { name: string }) => name);
}

Deno.test("the configuration knows the names of all tools, in their order", () => {
  deepEqual([...TOOL_NAMES], TOOLS.map(({ name }) => name));
});

Deno.test("mcp.tools chooses the tools that most clients need, all, or those of a list in the order of all", async () => {
  deepEqual(await names({ tools: "all" }), [...TOOL_NAMES]);
  deepEqual(
    await names({ tools: "default" }),
    TOOLS.filter(({ isDefault }) => isDefault).map(({ name }) => name),
  );
  deepEqual(await names({ tools: ["read_raw_file", "search_rag"] }), ["search_rag", "read_raw_file"]);
});

Deno.test("a tool that was not chosen cannot be called", async () => {
  await using session = await startSession({ config: { tools: ["search_rag"] } });
  const { error } = await session.request("tools/call", { name: "read_raw_file", arguments: {} });
  deepEqual(error.message, "Tool read_raw_file not found");
});
