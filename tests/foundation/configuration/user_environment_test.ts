import { deepEqual, equal } from "node:assert/strict";
import {
  configDir,
  type Environment,
  homeFolder,
  modelsDir,
  stateDir,
  systemLanguage,
} from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { load } from "./_load.ts";

function both(env: Environment, os: OperatingSystem): [string | null, string | null] {
  return [configDir(env, os), stateDir(env, os)];
}

Deno.test("configDir() and stateDir() use the XDG folders on Linux, or the home folder", () => {
  deepEqual(both({ HOME: "/home/me" }, "linux"), [
    "/home/me/.config/muxue_rag",
    "/home/me/.local/state/muxue_rag",
  ]);
  deepEqual(both({ HOME: "/home/me", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative" }, "linux"), [
    "/c/muxue_rag",
    "/home/me/.local/state/muxue_rag",
  ]);
});

Deno.test("configDir() and stateDir() use Application Support on macOS", () => {
  deepEqual(both({ HOME: "/Users/me", "XDG_CONFIG_HOME": "/c" }, "darwin"), [
    "/Users/me/Library/Application Support/muxue_rag",
    "/Users/me/Library/Application Support/muxue_rag/state",
  ]);
});

Deno.test("configDir() and stateDir() use AppData on Windows", () => {
  const env = { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local", USERPROFILE: "C:\\Users\\我" };
  deepEqual(both(env, "windows"), ["D:\\Roaming\\muxue_rag", "D:\\Local\\muxue_rag"]);
  deepEqual(both({ USERPROFILE: "C:\\Users\\我" }, "windows"), [
    "C:\\Users\\我\\AppData\\Roaming\\muxue_rag",
    "C:\\Users\\我\\AppData\\Local\\muxue_rag",
  ]);
});

Deno.test("the variables of the program override the folders on every system", () => {
  deepEqual(
    both({ HOME: "/home/me", "MUXUE_RAG_CONFIG_DIR": "/c", "MUXUE_RAG_STATE_DIR": "/s/../t" }, "linux"),
    ["/c", "/t"],
  );
  deepEqual(both({ "MUXUE_RAG_CONFIG_DIR": "C:/c", "MUXUE_RAG_STATE_DIR": "C:\\s\\" }, "windows"), [
    "C:\\c",
    "C:\\s",
  ]);
});

Deno.test("configDir() and stateDir() are null without a home folder", () => {
  for (const os of ["linux", "darwin", "windows"] as const) {
    deepEqual(both({ HOME: "", USERPROFILE: undefined }, os), [null, null]);
  }
});

Deno.test("homeFolder() reads USERPROFILE on Windows and HOME elsewhere, and only a full path", () => {
  const env = { HOME: "/home/me", USERPROFILE: "C:\\Users\\me" };
  equal(homeFolder(env, "linux"), "/home/me");
  equal(homeFolder(env, "darwin"), "/home/me");
  equal(homeFolder(env, "windows"), "C:\\Users\\me");
  for (const HOME of [undefined, "", "relative"]) equal(homeFolder({ HOME }, "linux"), undefined);
});

Deno.test("modelsDir() is in the user's data folder, and MUXUE_RAG_MODELS_DIR overrides it", () => {
  const home = { HOME: "/home/me" };
  deepEqual(
    [
      modelsDir(home, "linux"),
      modelsDir({ ...home, "XDG_DATA_HOME": "/data" }, "linux"),
      modelsDir(home, "darwin"),
      modelsDir({ LOCALAPPDATA: "D:\\Local" }, "windows"),
      modelsDir({ ...home, "MUXUE_RAG_MODELS_DIR": "/m/../n" }, "linux"),
      modelsDir({}, "linux"),
    ],
    [
      "/home/me/.local/share/muxue_rag/models",
      "/data/muxue_rag/models",
      "/home/me/Library/Application Support/muxue_rag/models",
      "D:\\Local\\muxue_rag\\models",
      "/n",
      null,
    ],
  );
});

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
