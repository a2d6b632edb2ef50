import { deepEqual, ok } from "node:assert/strict";
import { TOOL_NAMES } from "#foundation/configuration/mod.ts";
import { present } from "#foundation/present.ts";
import { MESSAGES } from "#foundation/messages/mod.ts";
import { TOOLS } from "#server/tools/mod.ts";
import { type SessionOptions, startSession } from "./_session.ts";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** A server that may write its indexes. */
const UPKEEP: SessionOptions["upkeep"] = {
  update: () => Promise.reject(new Error("not asked for")),
  underWay: () => Promise.reject(new Error("not asked for")),
  reembed: () => Promise.reject(new Error("not asked for")),
};

/** A server with a language model. */
const ANSWERING: SessionOptions["answering"] = {
  model: () => Promise.reject(new Error("not asked for")),
  prompts: null,
  maxOutputTokens: 100,
};

async function names(
  config: NonNullable<SessionOptions["config"]>,
  upkeep?: SessionOptions["upkeep"],
  answering?: SessionOptions["answering"],
): Promise<string[]> {
  await using session = await startSession(present({ config, upkeep, answering }));
  const { result } = await session.request("tools/list");
  return result.tools.map(({ name }: { name: string }) => name);
}

Deno.test("the configuration knows the names of all tools, in their order", () => {
  deepEqual([...TOOL_NAMES], TOOLS.map(({ name }) => name));
});

Deno.test("mcp.tools chooses the tools that most clients need, all, or those of a list in the order of all", async () => {
  deepEqual(await names({ tools: "all" }), TOOL_NAMES.filter((name) => name !== "ask"));
  deepEqual(await names({ tools: "all" }, undefined, ANSWERING), [...TOOL_NAMES]);
  deepEqual(
    await names({ tools: "default" }, UPKEEP),
    TOOLS.filter(({ isDefault }) => isDefault).map(({ name }) => name),
  );
  deepEqual(await names({ tools: ["read_raw_file", "search_rag"] }), ["search_rag", "read_raw_file"]);
});

Deno.test("ingest_now is a default tool of a server that may write indexes, and of no other", async () => {
  const [writing, reading] = [await names({ tools: "default" }, UPKEEP), await names({ tools: "default" })];
  deepEqual(writing.filter((name) => !reading.includes(name)), ["ingest_now"]);
  deepEqual(await names({ tools: ["ingest_now"] }), ["ingest_now"]);
});

Deno.test("ask is a tool where a language model is configured, if it is chosen", async () => {
  deepEqual(await names({ tools: ["ask", "search_rag"] }), ["search_rag"]);
  deepEqual(await names({ tools: ["ask", "search_rag"] }, undefined, ANSWERING), ["search_rag", "ask"]);
  deepEqual((await names({ tools: "default" }, UPKEEP, ANSWERING)).includes("ask"), false);
});

Deno.test("a tool that was not chosen cannot be called", async () => {
  await using session = await startSession({ config: { tools: ["search_rag"] } });
  const { error } = await session.request("tools/call", { name: "read_raw_file", arguments: {} });
  deepEqual(error.message, "Tool read_raw_file not found");
});

Deno.test("descriptions name no tool that was not chosen", async () => {
  await using session = await startSession({
    config: { tools: ["read_raw_file", "get_document_original"] },
  });
  const { result } = await session.request("tools/list");
  deepEqual(result.tools.map(({ description }: { description: string }) => description), [
    "Reads a plain-text file as it is, whole or some lines; says where to continue if cut.",
    "Returns a file's bytes as an embedded resource.",
  ]);
});

Deno.test("no message names a tool but the descriptions, because a client may not have it", () => {
  // "ask" is a word as well.
  const names = new RegExp(`\\b(?:${TOOL_NAMES.filter((name) => name !== "ask").join("|")})\\b`);
  const naming = Object.entries(MESSAGES).filter(([key, [zh, en]]) =>
    !key.endsWith("_description") && (names.test(zh) || names.test(en))
  );
  deepEqual(naming.map(([key]) => key), ["arg_as_in_search"]);
});

const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

for (const language of ["en", "zh"] as const) {
  Deno.test(`the default list of tools costs a model fewer than 1,500 tokens, and 3,000 with the output schemas, in ${language}`, async () => {
    await using session = await startSession({ language, config: { tools: "default" }, upkeep: UPKEEP });
    const { result } = await session.request("tools/list");
    const seen = result.tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
      name,
      description,
      inputSchema,
    }));
    ok(tokens(seen) < 1500, `${tokens(seen)} tokens of names, descriptions and arguments`);
    ok(tokens(result) < 3000, `${tokens(result)} tokens of the whole list`);
  });
}
