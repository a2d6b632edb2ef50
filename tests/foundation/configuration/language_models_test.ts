import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import {
  folderConfig,
  loadConfig,
  maskSecrets,
  secretValues,
  serverAddress,
} from "#foundation/configuration/mod.ts";
import { LLM_ADDRESSES, LLM_PROVIDERS } from "#foundation/configuration/defaults.ts";
import { complaint, folder, load, MUST_NOT, onlyFound } from "./_load.ts";
import { posixTest } from "../../_posix.ts";

/** The configuration of a file that the user has named. */
function named(text: string, env: Record<string, string> = {}) {
  return load(text, { env, file: "config.yaml" });
}

Deno.test("a language model needs a name, and an address where the provider has none", async () => {
  const address = "an address that begins with http:// or https:// and names a valid host";
  for (const provider of LLM_PROVIDERS.filter((name) => name !== "none")) {
    const needs = LLM_ADDRESSES[provider] === null
      ? { "base_url": address, model: "text" }
      : { model: "text" };
    for (const section of ["llm", "vision_llm"]) {
      deepEqual(
        (await complaint(load(`language: en\n${section}: {provider: ${provider}}\n`))).split("\n").slice(1),
        Object.entries(needs).map(([key, expected]) =>
          `config.yaml:2:${section.length + 14} ${section}.${key}: expected ${expected} ` +
          `(required for provider ${provider}), found nothing`
        ),
      );
    }
  }
  deepEqual((await load("llm: {provider: none, tasks: [enrich]}")).config.llm.tasks, ["enrich"]);
});

Deno.test("the address of a language model is the configured one, or that of its provider", async () => {
  const addressOf = async (text: string) =>
    serverAddress((await named(`llm: {model: m, ${text}}`)).config.llm);
  equal(await addressOf("provider: none, base_url: 'http://a.example.org'"), undefined);
  equal(await addressOf("provider: ollama"), "http://127.0.0.1:11434");
  equal(await addressOf("provider: ollama, base_url: 'http://a.example.org'"), "http://a.example.org");
});

posixTest("a collection narrows the tasks of the language model, and cannot add one", async () => {
  const text = (tasks: string) =>
    `language: en
llm: {tasks: [enrich, rewrite]}
collections:
  notes: {path: /notes, llm: {tasks: [${tasks}]}}
  papers: {path: /papers}
`;
  const { config } = await named(text("rewrite"));
  deepEqual(folderConfig(config, "/notes").llm.tasks, ["rewrite"]);
  deepEqual(folderConfig(config, "/papers").llm.tasks, ["enrich", "rewrite"]);
  equal(
    await complaint(named(text("rewrite, judge"))),
    `The configuration has 1 problem:
config.yaml:4:38 collections.notes.llm.tasks: expected tasks of llm.tasks, which a collection can only narrow: ` +
      "enrich, rewrite, found a list",
  );
});

Deno.test("the keys and addresses of language models are masked and known as secrets", async () => {
  const { config } = await named(
    `llm: {provider: openai, model: m, api_key: env:KEY, base_url: "https://me:hush-hush@a.example.org/v1"}
vision_llm: {api_key: sk-vision}
`,
    { KEY: "sk-0123456789" },
  );
  deepEqual(secretValues(config).sort(), ["hush-hush", "sk-0123456789", "sk-vision"]);
  const { llm, vision_llm: vision } = maskSecrets(config);
  deepEqual([llm.api_key, llm.base_url, vision.api_key], ["****", "https://****@a.example.org/v1", "****"]);
});

Deno.test("a file found in the working folder may not send texts to a language model elsewhere", async () => {
  await using remote = await folder({
    "config.yaml": "language: en\nllm: {provider: deepseek, model: m, tasks: [enrich]}\n",
  });
  equal(
    await complaint(loadConfig({ cwd: remote.dir, env: {} })),
    `The configuration has 1 problem:
config.yaml:2:17 llm.base_url: would send texts to https://api.deepseek.com, ${MUST_NOT}`,
  );
  await using local = await folder({
    "config.yaml": "language: en\nvision_llm: {provider: ollama, model: m}\nllm: {prompts: prompts}\n",
  });
  deepEqual((await loadConfig({ cwd: local.dir, env: {} })).warnings, [
    onlyFound("the server http://127.0.0.1:11434 (vision_llm.base_url)"),
    onlyFound(`llm.prompts (${join(local.dir, "prompts")})`),
  ]);
});

Deno.test("the environment sets a language model and its budget", async () => {
  const env = {
    MUXUE_RAG_LLM_PROVIDER: "ollama",
    MUXUE_RAG_LLM_MODEL: "qwen3:4b",
    MUXUE_RAG_LLM_TASKS: "enrich,refine",
    MUXUE_RAG_LLM_BUDGET_DAY_TOKENS: "100000",
    MUXUE_RAG_VISION_LLM_CONTEXT_TOKENS: "8192",
  };
  const { llm, vision_llm: vision } = (await loadConfig({ cwd: "/nowhere", env })).config;
  deepEqual([llm.provider, llm.model, llm.tasks, llm.budget.day_tokens, vision.context_tokens], [
    "ollama",
    "qwen3:4b",
    ["enrich", "refine"],
    100_000,
    8192,
  ]);
});
