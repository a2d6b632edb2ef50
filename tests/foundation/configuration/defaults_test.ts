import { deepEqual, equal } from "node:assert/strict";
import { defaultConfig } from "#foundation/configuration/config.ts";
import { DEFAULTS, EMBEDDERS, LLM_PROVIDERS, RERANKERS } from "#foundation/configuration/defaults.ts";
import { ConfigSchema } from "#foundation/configuration/schema.ts";
import { parse } from "yaml";
import { defaultConfigText } from "#foundation/configuration/mod.ts";
import { load } from "./_load.ts";
import { posixTest } from "../../_posix.ts";

Deno.test("DEFAULTS equals the schema applied to an empty configuration", () => {
  deepEqual(ConfigSchema.parse({}), DEFAULTS);
});

posixTest("defaultConfig() applies the command line and sets the log folder", () => {
  const config = defaultConfig(
    { language: "en", search: { "top_k": 3, mode: undefined } },
    { HOME: "/home/me" },
    "linux",
  );
  deepEqual(config, {
    ...DEFAULTS,
    language: "en",
    search: { ...DEFAULTS.search, "top_k": 3 },
    log: { ...DEFAULTS.log, dir: "/home/me/.local/state/muxue_rag/logs" },
  });
  equal(Object.isFrozen(config?.search.legs), true);
});

Deno.test("defaultConfig() has no log folder without a state folder", () => {
  equal(defaultConfig({}, {}, "linux")?.log.dir, null);
});

Deno.test("defaultConfig() is undefined for keys that the command line does not have", () => {
  equal(defaultConfig({ search: { alpha: 2 } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: { provider: "none" } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: undefined }, {}, "linux")?.embedding.provider, "builtin");
});

Deno.test("the default configuration file has every key with its default", async () => {
  const text = await defaultConfigText();
  const { config, warnings } = await load(text);
  deepEqual(warnings, []);
  deepEqual(config, (await load("")).config);
  deepEqual(parse(text), { ...config, language: "auto" });
});

Deno.test("defaultConfigText() is config.yaml, with a comment in Chinese and English for every key", async () => {
  const text = await defaultConfigText();
  equal(text, await Deno.readTextFile(new URL("../../../config.yaml", import.meta.url)));
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (!/^ *\w+:/.test(line)) continue;
    const [chinese = "", english = ""] = lines.slice(at - 2, at);
    deepEqual([/^ *# .*[\u4e00-\u9fff]/.test(chinese), /^ *# [A-Za-z]/.test(english)], [true, true], line);
  }
});

Deno.test("the comments of the default configuration name every value that a provider can have", async () => {
  const lines = (await defaultConfigText()).split("\n");
  const comments = (section: string) => {
    const start = lines.indexOf(`${section}:`);
    const at = lines.findIndex((line, at) => at > start && line.startsWith("  provider:"));
    return lines.slice(at - 2, at);
  };
  const choices = {
    embedding: EMBEDDERS,
    rerank: RERANKERS,
    llm: LLM_PROVIDERS,
    "vision_llm": LLM_PROVIDERS,
  };
  for (const [section, values] of Object.entries<readonly string[]>(choices)) {
    for (const comment of comments(section)) {
      deepEqual(values.filter((value) => !comment.includes(value)), [], comment);
    }
  }
});
