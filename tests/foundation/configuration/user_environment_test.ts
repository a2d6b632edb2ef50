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

/** The folders of configuration, state and models. */
const FOLDERS: (readonly [
  why: string,
  os: OperatingSystem,
  env: Environment,
  expected: readonly (string | null)[],
])[] = [
  ["the home folder", "linux", { HOME: "/home/me" }, [
    "/home/me/.config/muxue_rag",
    "/home/me/.local/state/muxue_rag",
    "/home/me/.local/share/muxue_rag/models",
  ]],
  ["XDG folders, unless they are relative", "linux", {
    HOME: "/home/me",
    XDG_CONFIG_HOME: "/c",
    XDG_STATE_HOME: "relative",
    XDG_DATA_HOME: "/data",
  }, ["/c/muxue_rag", "/home/me/.local/state/muxue_rag", "/data/muxue_rag/models"]],
  ["Application Support on macOS", "darwin", { HOME: "/Users/me", XDG_CONFIG_HOME: "/c" }, [
    "/Users/me/Library/Application Support/muxue_rag",
    "/Users/me/Library/Application Support/muxue_rag/state",
    "/Users/me/Library/Application Support/muxue_rag/models",
  ]],
  ["AppData on Windows", "windows", {
    APPDATA: "D:\\Roaming",
    LOCALAPPDATA: "D:\\Local",
    USERPROFILE: "C:\\Users\\我",
  }, ["D:\\Roaming\\muxue_rag", "D:\\Local\\muxue_rag", "D:\\Local\\muxue_rag\\models"]],
  ["the home folder on Windows", "windows", { USERPROFILE: "C:\\Users\\我" }, [
    "C:\\Users\\我\\AppData\\Roaming\\muxue_rag",
    "C:\\Users\\我\\AppData\\Local\\muxue_rag",
    "C:\\Users\\我\\AppData\\Local\\muxue_rag\\models",
  ]],
  ["the program's variables first", "linux", {
    HOME: "/home/me",
    MUXUE_RAG_CONFIG_DIR: "/c",
    MUXUE_RAG_STATE_DIR: "/s/../t",
    MUXUE_RAG_MODELS_DIR: "/m/../n",
  }, ["/c", "/t", "/n"]],
  ["the program's variables on Windows", "windows", {
    MUXUE_RAG_CONFIG_DIR: "C:/c",
    MUXUE_RAG_STATE_DIR: "C:\\s\\",
    MUXUE_RAG_MODELS_DIR: "C:\\m",
  }, ["C:\\c", "C:\\s", "C:\\m"]],
  ...(["linux", "darwin", "windows"] as const).map((os) =>
    ["none without a home folder", os, { HOME: "", USERPROFILE: undefined }, [null, null, null]] as const
  ),
];

Deno.test("configDir(), stateDir() and modelsDir() follow the system and its variables", () => {
  for (const [why, os, env, expected] of FOLDERS) {
    deepEqual([configDir, stateDir, modelsDir].map((folder) => folder(env, os)), expected, `${why}, ${os}`);
  }
});

Deno.test("homeFolder() reads USERPROFILE on Windows and HOME elsewhere, and only a full path", () => {
  const env = { HOME: "/home/me", USERPROFILE: "C:\\Users\\me" };
  equal(homeFolder(env, "linux"), "/home/me");
  equal(homeFolder(env, "darwin"), "/home/me");
  equal(homeFolder(env, "windows"), "C:\\Users\\me");
  for (const HOME of [undefined, "", "relative"]) equal(homeFolder({ HOME }, "linux"), undefined);
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
  const cases: [text: string, env: Record<string, string>, language: string][] = [
    ["", { LANG: "zh_CN" }, "zh"],
    ["", { LANG: "fr_FR" }, "en"],
    ["language: auto", { LANG: "zh_CN" }, "zh"],
    ["language: zh", { LANG: "en_US" }, "zh"],
    ["language: auto", { LANG: "zh_CN", MUXUE_RAG_LANGUAGE: "en" }, "en"],
    ["language: en", { LANG: "zh_CN" }, "en"],
  ];
  for (const [text, env, language] of cases) {
    equal((await load(text, { env, os: "linux" })).config.language, language, text);
  }
});
