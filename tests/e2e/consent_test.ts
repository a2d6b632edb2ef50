import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { hasTerminal, makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

const TEA = { "tea.md": "# Tea\n\nGreen tea needs water of 80 degrees.\n" };
/** An address that no machine has (RFC 5737). */
const REMOTE = "https://192.0.2.1:8443/v1";

/** A sandbox whose configuration names a model on another machine. */
async function withModel(more: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const env = {
    MUXUE_RAG_LANGUAGE: "en",
    MUXUE_RAG_LLM_PROVIDER: "openai-compatible",
    MUXUE_RAG_LLM_BASE_URL: REMOTE,
    MUXUE_RAG_LLM_MODEL: "m",
    MUXUE_RAG_LLM_API_KEY: "sk-hush-0123456789",
    MUXUE_RAG_LLM_TASKS: "enrich",
    ...more,
  };
  return await makeSandbox(TEA, { env });
}

/** The consents that are kept, by the name of the folder. */
async function consents({ cwd }: Sandbox): Promise<Record<string, unknown>> {
  const dir = join(cwd, "state", "consent");
  const found: Record<string, unknown> = {};
  const names = await Array.fromAsync(Deno.readDir(dir)).catch(() => []);
  for (const { name } of names) {
    const { path, given, declined } = JSON.parse(await Deno.readTextFile(join(dir, name)));
    found[path] = { given, declined };
  }
  return found;
}

Deno.test("--consent names a configured host, for the folder of the command alone, until it is taken back", async () => {
  await using place = await withModel();
  const { folder, run, cwd } = place;
  const wrong = await run`index ${folder} --consent example.org`;
  deepEqual(
    [wrong.code, wrong.stderr.includes("The configuration has: 192.0.2.1:8443")],
    [2, true],
    wrong.stderr,
  );
  await run`doctor --dir ${folder} --consent 192.0.2.1:8443`;
  deepEqual(await consents(place), { [folder]: { given: ["https://192.0.2.1:8443"], declined: [] } });
  deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).includes(".muxue_rag"), false);
  const other = join(cwd, "copy");
  await writeFiles(other, TEA);
  await run`doctor --dir ${other}`;
  deepEqual(Object.keys(await consents(place)), [folder]);
  await run`doctor --dir ${folder} --consent none`;
  deepEqual(await consents(place), {});
});

Deno.test("--consent without a language model says what to set", async () => {
  await using place = await makeSandbox(TEA, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const { code, stderr } = await place.run`index ${place.folder} --consent api.deepseek.com`;
  equal(code, 2);
  match(stderr, /no language model is configured. Set llm.provider first/);
});

Deno.test("on a terminal, consent is asked for by the host's name, and a refusal is kept", async () => {
  if (!await hasTerminal()) return;
  await using place = await withModel();
  const asked = await place.runIn({ terminal: 200, stdin: "y\n" })`index ${place.folder}`;
  ok(
    asked.stdout.includes(`would be sent to 192.0.2.1:8443. To agree, type the name of the host`),
    asked.stdout,
  );
  ok(asked.stdout.includes("--consent 192.0.2.1:8443"), asked.stdout);
  deepEqual(await consents(place), { [place.folder]: { given: [], declined: ["https://192.0.2.1:8443"] } });
  const again = await place.runIn({ terminal: 200, stdin: "\n" })`index ${place.folder}`;
  equal(again.stdout.includes("type the name of the host"), false, "a refusal is not asked for again");
});

Deno.test("on a terminal, the host's name gives consent, which is kept", async () => {
  if (!await hasTerminal()) return;
  // The task asks for nothing while a folder is indexed.
  await using place = await withModel({ MUXUE_RAG_LLM_TASKS: "rewrite" });
  const { runIn, folder } = place;
  await runIn({ terminal: 200, stdin: "192.0.2.1:8443\n" })`index ${folder}`;
  deepEqual(await consents(place), { [folder]: { given: ["https://192.0.2.1:8443"], declined: [] } });
  const again = await runIn({ terminal: 200, stdin: "\n" })`index ${folder}`;
  equal(again.stdout.includes("type the name of the host"), false, "a consent is not asked for again");
});

Deno.test("a language model that reranks needs consent as well: without it the hits keep their order, and a note says why", async () => {
  const place = await makeSandbox({ ...TEA, "cup.md": "# Cup\n\nTea is poured into a cup of 200 ml.\n" }, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_RERANK_PROVIDER: "llm",
      MUXUE_RAG_RERANK_BASE_URL: REMOTE,
      MUXUE_RAG_RERANK_MODEL: "m",
      MUXUE_RAG_RERANK_API_KEY: "sk-hush-0123456789",
      MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "0.2",
    },
  });
  await using _place = place;
  const { folder, run } = place;
  const found = async () => {
    const { code, stdout, stderr } = await run`search ${"tea"} --dir ${folder} --json`;
    equal(code, 0, stderr);
    const { match_content: hits, notices } = JSON.parse(stdout).data;
    return { count: hits.length, notice: notices.join() };
  };
  const checked = async () => JSON.parse((await run`doctor --dir ${folder} --json`).stdout).data;
  const missing =
    `Texts of ${folder} are not sent to 192.0.2.1:8443, because you have not agreed. To agree, run: muxue_rag index`;
  const before = await found();
  deepEqual([before.count, before.notice.includes(missing)], [2, true], before.notice);
  match(before.notice, /--consent 192\.0\.2\.1:8443$/);
  const { boundary, rerank } = await checked();
  deepEqual([boundary.net, rerank.ok, rerank.problem.includes(missing)], [[], false, true], rerank.problem);
  const data = join(place.cwd, "questions.jsonl");
  await Deno.writeTextFile(data, `${JSON.stringify({ query: "tea", files: ["tea.md"] })}\n`);
  const measured = await run`eval ${data} --dir ${folder}`;
  deepEqual(
    [measured.code, measured.stderr.includes("add --consent 192.0.2.1:8443")],
    [2, true],
    measured.stderr,
  );
  await run`index ${folder} --consent 192.0.2.1:8443`;
  const after = await found();
  deepEqual([after.count, after.notice.includes("not agreed")], [2, false], after.notice);
  match(after.notice, /not be reranked/);
  deepEqual((await checked()).boundary.net, ["192.0.2.1:8443"]);
});

Deno.test("the folder of prompts exists and lies outside of every indexed folder", async () => {
  await using place = await withModel({ MUXUE_RAG_LLM_PROMPTS: "文档 docs/prompts" });
  await writeFiles(place.folder, { "prompts/enrich.en.md": "version: 1\n" });
  const inside = await place.run`index ${place.folder}`;
  deepEqual([inside.code, inside.stderr.includes("is in the indexed folder")], [2, true], inside.stderr);
  const missing = await place.runIn({ env: { MUXUE_RAG_LLM_PROMPTS: "nowhere" } })`index ${place.folder}`;
  deepEqual([missing.code, missing.stderr.includes("there is no folder")], [2, true], missing.stderr);
});
