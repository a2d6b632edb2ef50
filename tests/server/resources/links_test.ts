import { deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { callOnce, hit, type Message, ROOT, searched, startSession } from "../_session.ts";

const hits = [
  hit({ filePath: join(ROOT, "guide", "green tea.md") }),
  hit({ filePath: join(ROOT, "tea.md") }),
  hit({ filePath: join(ROOT, "guide", "green tea.md"), startLine: 9 }),
  hit({ filePath: "/elsewhere/tea.md" }),
];
const { library } = searched({ hits });

const LINKS = [
  { type: "resource_link", uri: "muxue://notes/guide/green%20tea.md", name: "guide/green tea.md" },
  { type: "resource_link", uri: "muxue://notes/tea.md", name: "tea.md" },
];

async function linksFor(options: Parameters<typeof startSession>[0], args = {}): Promise<Message[]> {
  return (await callOnce("search_rag", { keyword: "tea", ...args }, { library, ...options })).content.slice(
    1,
  );
}

Deno.test("an answer has a link to each file of its hits, for clients that do not give a model the text alone", async () => {
  deepEqual(await linksFor({ client: "unknown" }), LINKS);
  deepEqual(await linksFor({ client: "claude-code" }), LINKS);
  deepEqual(await linksFor({ client: "gemini-cli" }), []);
});

Deno.test("a client of a revision without links receives none", async () => {
  await using session = await startSession({ library, raw: true });
  const clientInfo = { name: "old", version: "0" };
  await session.request("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo });
  deepEqual((await session.call("search_rag", { keyword: "tea" })).content.length, 1);
});

Deno.test("links take at most a tenth of an answer where they count", async () => {
  const links = await linksFor({ client: "unknown" }, { "max_tokens": 250 });
  deepEqual(links, []);
  ok(encode(JSON.stringify(LINKS[1])).length <= 25);
});
