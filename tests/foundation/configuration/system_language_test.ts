import { equal } from "node:assert/strict";
import { systemLanguage } from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { load } from "./_load.ts";

const CASES: readonly [
  env: Readonly<Record<string, string>>,
  os: OperatingSystem,
  locale: string,
  language: "zh" | "en",
][] = [
  [{ LANG: "zh_CN.UTF-8" }, "linux", "en-US", "zh"],
  [{ LANG: "zh_TW" }, "linux", "en-US", "zh"],
  [{ LANG: "zh" }, "darwin", "en-US", "zh"],
  [{ LANG: "zha_CN" }, "linux", "en-US", "en"],
  [{ LANG: "C.UTF-8" }, "linux", "zh-CN", "en"],
  [{ LC_ALL: "en_GB.UTF-8", LC_MESSAGES: "zh_CN", LANG: "zh_CN" }, "linux", "zh-CN", "en"],
  [{ LC_ALL: "", LC_MESSAGES: "zh_CN.GBK", LANG: "en_US" }, "linux", "en-US", "zh"],
  [{}, "linux", "zh-CN", "en"],
  [{}, "darwin", "zh-Hans-CN", "zh"],
  [{}, "windows", "zh-TW", "zh"],
  [{}, "windows", "de-DE", "en"],
  [{ LANG: "en_US.UTF-8" }, "windows", "zh-CN", "en"],
];

Deno.test("systemLanguage() is Chinese on Chinese systems and English on all others", () => {
  for (const [env, os, locale, language] of CASES) {
    equal(systemLanguage(env, os, () => locale), language, JSON.stringify([env, os, locale]));
  }
});

Deno.test("the language of the system counts where no setting names one", async () => {
  const languageOf = async (text: string, env = {}) =>
    (await load(text, { env, os: "linux" })).config.language;
  equal(await languageOf("", { LANG: "zh_CN" }), "zh");
  equal(await languageOf("", { LANG: "fr_FR" }), "en");
  equal(await languageOf("language: auto", { LANG: "zh_CN" }), "zh");
  equal(await languageOf("language: zh", { LANG: "en_US" }), "zh");
  equal(await languageOf("language: auto", { LANG: "zh_CN", MUXUE_RAG_LANGUAGE: "en" }), "en");
  equal(await languageOf("language: en", { LANG: "zh_CN" }), "en");
});
