import { ok } from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { startSession } from "./_session.ts";

const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

for (const language of ["en", "zh"] as const) {
  Deno.test(`the default list of tools costs a model fewer than 1,500 tokens, and 3,000 with the output schemas, in ${language}`, async () => {
    await using session = await startSession({ language, config: { tools: "default" } });
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
