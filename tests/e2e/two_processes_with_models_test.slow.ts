import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { type Asked, LanguageServer } from "../models/language/_servers/mod.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

const COUNT = 24, CONCURRENCY = 3;

/** Papers with one chunk each; `word` stands in all of them. */
function papers(word: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [
    `${word}${i}.md`,
    `# Paper ${i}\n\nThe ${word} lends money to people who want to buy a house, and they pay it back over many years. ${i}\n`,
  ]));
}

async function work(budget: Record<string, string> = {}) {
  const server = await LanguageServer.start("openai-compatible");
  server.delayMs = 250;
  server.reply = () => ({ title: "", summary: "", tags: ["mortgages"], questions: [] });
  const { provider, base_url: url, model } = server.llm();
  const place = await makeSandbox(papers("bank"), {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_LLM_PROVIDER: provider,
      MUXUE_RAG_LLM_BASE_URL: url,
      MUXUE_RAG_LLM_MODEL: model,
      MUXUE_RAG_LLM_TASKS: "enrich",
      MUXUE_RAG_LLM_CONCURRENCY: String(CONCURRENCY),
      ...budget,
    },
  });
  return {
    place,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Indexes once more, and checks that every result of the runs before is there. */
async function nothingIsLost({ run, folder }: Sandbox, server: LanguageServer): Promise<void> {
  const { stdout, stderr } = await run`index ${folder}`;
  match(stdout, new RegExp(`enrich: ${COUNT} of ${COUNT} done`), stderr);
  equal(new Set(server.requests.map(({ prompt }) => numberOf(prompt))).size, COUNT);
  const calls = server.requests.length;
  ok(calls <= COUNT + CONCURRENCY, `${calls} calls`);
  await run`index ${folder} --full`;
  equal(server.requests.length, calls);
}

function numberOf(prompt: string): string | undefined {
  return /over many years\. (\d+)/.exec(prompt)?.[1];
}

/** Waits until a server has got some requests. */
async function asked({ requests }: LanguageServer, count: number): Promise<void> {
  while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("two processes that index a folder at once lose no result of a model", async () => {
  await using job = await work();
  const { place, server } = job;
  const first = place.run`index ${place.folder}`;
  await asked(server, CONCURRENCY);
  const { code, stdout, stderr } = await place.run`index ${place.folder}`;
  equal(code, 0, stderr);
  match(stdout, /up to date[\s\S]*Another process \(\d+\) is indexing this folder/);
  equal((await first).code, 0, (await first).stderr);
  await nothingIsLost(place, server);
});

Deno.test("an indexing run while a server makes texts loses no result of a model", async () => {
  await using job = await work();
  const { place, server } = job;
  {
    await using pipe = await openPipe(place);
    await asked(server, CONCURRENCY);
    const { code, stderr } = await place.run`index ${place.folder} --json`;
    equal(code, 0, stderr);
    await pipe.searchUntil("mortgages", (text) => text.includes("bank"));
    await pipe.end();
  }
  await nothingIsLost(place, server);
});

Deno.test("two processes share the limit of a day, and exceed it by no more than the calls under way", async () => {
  await using first = await work();
  const { place, server } = first;
  const other = join(place.cwd, "other");
  await writeFiles(other, papers("river"));
  const limit = 8_000;
  const env = { MUXUE_RAG_LLM_BUDGET_DAY_TOKENS: String(limit) };
  const runs = await Promise.all(
    [place.folder, other].map((folder) => place.runIn({ env })`index ${folder} --json`),
  );
  for (const { code, stderr } of runs) equal(code, 0, stderr);
  const used = tokensOf(runs.map(({ stdout }) => JSON.parse(stdout).data.generated.usage));
  const largest = Math.max(...server.requests.map(tokensOfCall));
  ok(server.requests.length > 2 * CONCURRENCY && server.requests.length < 2 * COUNT);
  ok(used <= limit + 2 * CONCURRENCY * largest, `${used} of ${limit}`);
  for (const folder of [place.folder, other]) {
    const status = await place.run`status --dir ${folder} --json`;
    const [{ generated: [{ done }] }] = JSON.parse(status.stdout).data.folders;
    ok(done < COUNT, `${done} of ${folder}`);
  }
  await Promise.all([place.folder, other].map((folder) => place.run`index ${folder}`));
  equal(server.requests.length, 2 * COUNT);
});

function tokensOf(
  usages: readonly { readonly inputTokens: number; readonly outputTokens: number }[],
): number {
  return usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

function tokensOfCall({ inputTokens, maxTokens = 0 }: Asked): number {
  return inputTokens + maxTokens;
}
