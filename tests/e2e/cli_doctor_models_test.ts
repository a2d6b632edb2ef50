import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { KEY, LanguageServer, type Speech } from "../models/language/_servers/mod.ts";
import { makeSandbox, writeFiles } from "./_program.ts";

const TASKS = "refine,enrich,caption,rewrite,rerank,verify,judge";

/** The variables that name a server in `section`, its key by another variable. */
function settings(server: LanguageServer, section: "LLM" | "VISION_LLM"): Record<string, string> {
  const named = server.environment(section);
  if (server.setup.key === undefined) return named;
  return { ...named, [`MUXUE_RAG_${section}_API_KEY`]: "env:MODEL_KEY", MODEL_KEY: KEY };
}

/** Runs `doctor --json` with the two models; returns its report and the exit code. */
async function doctor(llm: LanguageServer, vision: LanguageServer, env: Record<string, string> = {}) {
  await using place = await makeSandbox({});
  const all = {
    MUXUE_RAG_LANGUAGE: "en",
    MUXUE_RAG_LLM_TASKS: TASKS,
    ...settings(llm, "LLM"),
    ...settings(vision, "VISION_LLM"),
    ...env,
  };
  const { code, stdout, stderr } = await place.runIn({ env: all })`doctor --json`;
  const { data } = JSON.parse(stdout || `{"data": ${JSON.stringify(stderr)}}`);
  const text = await place.runIn({ env: all })`doctor`;
  return { code, models: data.languageModels, text: text.stdout + text.stderr };
}

Deno.test("doctor tries each task of the language models with one small request, and says how it was answered", async () => {
  for (const speech of ["ollama", "deepseek"] as Speech[]) {
    await using llm = await LanguageServer.start(speech);
    await using vision = await LanguageServer.start("vllm");
    // The request shows the form of its answer.
    llm.reply = ({ prompt }) => /as JSON: (\{.*\})/.exec(prompt)?.[1] ?? "OK";
    vision.reply = () => ({ colour: "red" });
    const { code, models, text } = await doctor(llm, vision);
    const form = speech === "deepseek" ? "json_object" : "json_schema";
    const rows = models.map(({ section, tasks }: { section: string; tasks: Record<string, unknown>[] }) => [
      section,
      tasks.map(({ task, ok, form }) => [task, ok, form]),
    ]);
    deepEqual([code, rows], [0, [
      ["llm", [
        ...["refine", "enrich", "rewrite", "rerank", "verify", "judge"].map((task) => [task, true, form]),
        ["answer", true, undefined],
      ]],
      ["vision_llm", [["caption", true, "json_schema"]]],
    ]]);
    ok(
      models[0].tasks.every(({ tokens }: { tokens: { input: number } }) =>
        tokens.input > 10 && tokens.input < 200
      ),
    );
    equal(llm.requests.length, 2 * 7);
    match(text, new RegExp(`Task +✓ enrich: works \\(${form}\\), .*, \\d+ tokens in and \\d+ out`));
  }
});

Deno.test("doctor names the tasks that do not work, and fails", async () => {
  await using llm = await LanguageServer.start("openai-compatible");
  await using vision = await LanguageServer.start("lmstudio");
  llm.rule = (asked) =>
    asked.text.includes("tags") ? "refusal" : asked.text.includes("drop") ? "wrong schema" : undefined;
  const { code, models, text } = await doctor(llm, vision);
  const problems = models.flatMap(({ tasks }: { tasks: { task: string; ok: boolean; problem: string }[] }) =>
    tasks.filter(({ ok }) => !ok).map(({ task, problem }) => `${task}: ${problem}`)
  );
  equal(code, 1);
  match(problems.join("\n"), /^refine: .*\nenrich: .*\ncaption: The model did not see the picture\./);
  match(text, /3 problems found/);
});

Deno.test("doctor sends nothing to an address without consent", async () => {
  await using vision = await LanguageServer.start("lmstudio");
  const far = { MUXUE_RAG_LLM_BASE_URL: "https://model.example/v1" };
  await using llm = await LanguageServer.start("openai-compatible");
  const { models, text } = await doctor(llm, vision, far);
  doesNotMatch(text, /Key +not set\n +Task +Nothing/);
  deepEqual([models[0].tasks, models[0].notAsked], [
    [],
    "Nothing was sent to model.example, because you have not agreed. To agree for a folder, run: muxue_rag index FOLDER --consent model.example",
  ]);
  equal(llm.raw.length, 0);
});

Deno.test("doctor names the folder and the configuration in the command that gives consent, as index does", async () => {
  const env = { MUXUE_RAG_LANGUAGE: "en", MUXUE_RAG_LLM_API_KEY: "sk-hush-0123456789" };
  await using place = await makeSandbox({ "tea.md": "# Tea\n" }, { env });
  const { run, folder, cwd } = place;
  await writeFiles(cwd, { "rag.yaml": "llm:\n  provider: deepseek\n  model: m\n  tasks: [rewrite]\n" });
  const { stdout } = await run`doctor --dir ${folder} --config rag.yaml --json`;
  match(
    JSON.parse(stdout).data.languageModels[0].notAsked,
    /To agree, run: muxue_rag .*rag\.yaml'? index '?.*docs'? --consent api\.deepseek\.com$/,
  );
});

Deno.test("doctor sends nothing more where the tokens of the day are used up", async () => {
  await using llm = await LanguageServer.start("openai-compatible");
  await using vision = await LanguageServer.start("vllm");
  const { code, models } = await doctor(llm, vision, { MUXUE_RAG_LLM_BUDGET_DAY_TOKENS: "100" });
  const problems = models.flatMap(({ tasks }: { tasks: { problem: string }[] }) =>
    tasks.map(({ problem }) => problem)
  );
  equal(code, 1);
  for (const problem of problems) {
    match(problem, /^The budget of today \(llm\.budget\.day_tokens: 100 tokens\)/);
  }
  deepEqual([problems.length, llm.requests.length, vision.requests.length], [8, 0, 0]);
});
