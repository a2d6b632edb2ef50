import { equal, match, ok } from "node:assert/strict";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { makeSandbox, spawnIn } from "./_program.ts";

const COUNT = 40, CONCURRENCY = 3;

Deno.test("a run that is killed at half leaves the index searchable, and the next repeats at most the calls under way", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  const { provider, base_url: url, model } = server.llm();
  const files = Object.fromEntries(
    Array.from({ length: COUNT }, (_, i) => [
      `${i}.md`,
      `# Paper ${i}\n\nThe bank lends money to people who want to buy a house, and they pay it back over many years. ${i}\n`,
    ]),
  );
  await using place = await makeSandbox(files, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_LLM_PROVIDER: provider,
      MUXUE_RAG_LLM_BASE_URL: url,
      MUXUE_RAG_LLM_MODEL: model,
      MUXUE_RAG_LLM_TASKS: "enrich",
      MUXUE_RAG_LLM_CONCURRENCY: String(CONCURRENCY),
    },
  });
  const child = spawnIn(place, place.start(["index", place.folder]), "null");
  const output = Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  server.reply = () => {
    if (server.requests.length === COUNT / 2) child.kill("SIGKILL");
    return { title: "", summary: "", tags: ["mortgages"], questions: [] };
  };
  await child.status;
  await output;
  const before = server.requests.length;
  ok(before >= COUNT / 2 && before < COUNT, `${before}`);
  const found = await place.run`search bank --dir ${place.folder} --json`;
  equal(JSON.parse(found.stdout).data.match_content.length > 0, true, found.stderr);
  server.reply = () => ({ title: "", summary: "", tags: ["mortgages"], questions: [] });
  const again = await place.run`index ${place.folder}`;
  match(again.stdout, new RegExp(`enrich: ${COUNT} of ${COUNT} done`), again.stderr);
  const repeated = server.requests.length - COUNT;
  ok(repeated >= 0 && repeated <= CONCURRENCY, `${repeated} calls repeated`);
});
