import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import {
  encryptSecret,
  type Environment,
  loadConfig,
  type SettingsElsewhere,
  settingsElsewhere,
} from "#foundation/configuration/mod.ts";
import { folder } from "./_load.ts";

/** The paths are those of Linux. */
const ignore = Deno.build.os === "windows";
const KEY = "sk-4f9a81c2d3";
const SERVER = "embedding:\n  provider: openai-compatible\n  base_url: http://localhost:1\n  model: m\n";

/** A Linux machine with these files in the working folder. `ask` calls settingsElsewhere(). */
async function machine(files: Record<string, string> = {}) {
  const work = await folder(files);
  const path = (name: string) => join(work.dir, name);
  return {
    path,
    async ask(
      env: Environment = {},
      options: { file?: string; language?: "zh" | "en" } = {},
    ): Promise<SettingsElsewhere> {
      const { file, language } = options;
      const where = {
        file,
        cwd: work.dir,
        env: { HOME: path("home"), ...env },
        flags: { language },
        os: "linux",
      } as const;
      return await settingsElsewhere(where, await loadConfig(where));
    },
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

Deno.test({ name: "settingsElsewhere() is empty for the default environment", ignore }, async () => {
  await using here = await machine();
  deepEqual(await here.ask(), { file: null, env: {}, lost: [] });
  deepEqual(await here.ask({ MUXUE_RAG_STATE_DIR: here.path("home/.local/state/muxue_rag"), PATH: "/bin" }), {
    file: null,
    env: {},
    lost: [],
  });
});

Deno.test(
  { name: "settingsElsewhere() names the file unless it is in the user's folder", ignore },
  async () => {
    await using here = await machine({ "config.yaml": "language: en\n", "other.yaml": "language: en\n" });
    const fileOf = async (...asked: Parameters<typeof here.ask>) => (await here.ask(...asked)).file;
    deepEqual(await fileOf(), here.path("config.yaml"));
    deepEqual(await fileOf({}, { file: "other.yaml" }), here.path("other.yaml"));
    deepEqual(await fileOf({ MUXUE_RAG_CONFIG: "other.yaml" }), here.path("other.yaml"));
    await using bare = await machine();
    await Deno.mkdir(bare.path("home/.config/muxue_rag"), { recursive: true });
    const own = bare.path("home/.config/muxue_rag/config.yaml");
    await Deno.writeTextFile(own, "language: en\n");
    deepEqual(await bare.ask(), { file: null, env: {}, lost: [] });
    deepEqual((await bare.ask({}, { file: own })).file, own);
  },
);

Deno.test({ name: "settingsElsewhere() names the user's folders that variables moved", ignore }, async () => {
  await using here = await machine();
  const moved = { MUXUE_RAG_STATE_DIR: "/a/state", MUXUE_RAG_CONFIG_DIR: "/a/config" };
  deepEqual((await here.ask(moved)).env, moved);
  // Clients do not hand these variables on.
  deepEqual((await here.ask({ XDG_STATE_HOME: "/b", XDG_CONFIG_HOME: "/c" })).env, {
    MUXUE_RAG_STATE_DIR: "/b/muxue_rag",
    MUXUE_RAG_CONFIG_DIR: "/c/muxue_rag",
  });
});

Deno.test("settingsElsewhere() carries variables with absolute paths, except those that flags override", async () => {
  await using here = await machine();
  const env = {
    MUXUE_RAG_LANGUAGE: "en",
    MUXUE_RAG_SEARCH_TOP_K: "7",
    MUXUE_RAG_SEARCH_SYNONYMS: "k8s,kubernetes;电脑,计算机",
    MUXUE_RAG_LOG_DIR: "logs",
    MUXUE_RAG_FILES_ALLOW_SENSITIVE: "a,b",
    MUXUE_RAG_FILES_EXCLUDE: "",
  };
  const { MUXUE_RAG_FILES_EXCLUDE: _, ...set } = env;
  const carried = {
    ...set,
    MUXUE_RAG_LOG_DIR: here.path("logs"),
    MUXUE_RAG_FILES_ALLOW_SENSITIVE: `${here.path("a")},${here.path("b")}`,
  };
  deepEqual((await here.ask(env)).env, carried);
  const { MUXUE_RAG_LANGUAGE: __, ...others } = carried;
  deepEqual((await here.ask(env, { language: "zh" })).env, others);
});

Deno.test("settingsElsewhere() carries variables that the file refers to, and reports secrets", async () => {
  await using here = await machine({
    "config.yaml":
      "embedding:\n  provider: openai-compatible\n  base_url: env:URL\n  model: env:MODEL\n  api_key: env:KEY\n",
  });
  const env = { URL: "http://localhost:1", MODEL: "m", KEY };
  deepEqual(await here.ask(env, { file: "config.yaml" }), {
    file: here.path("config.yaml"),
    env: { URL: "http://localhost:1", MODEL: "m" },
    lost: [{ key: "embedding.api_key", name: "KEY", by: "reference" }],
  });
  const secret = { ...env, URL: "http://me:secret@localhost:2" };
  deepEqual((await here.ask(secret, { file: "config.yaml" })).lost, [
    { key: "embedding.base_url", name: "URL", by: "reference" },
    { key: "embedding.api_key", name: "KEY", by: "reference" },
  ]);
});

Deno.test("settingsElsewhere() carries no secret and no passphrase", async () => {
  await using here = await machine();
  const passphrase = { MUXUE_RAG_PASSPHRASE: "correct horse battery" };
  const { text } = await encryptSecret(KEY, { env: passphrase });
  await Deno.writeTextFile(here.path("config.yaml"), `${SERVER}  api_key: ${text}\n`);
  deepEqual(await here.ask({ ...passphrase, MUXUE_RAG_EMBEDDING_API_KEY: KEY }), {
    file: here.path("config.yaml"),
    env: {},
    lost: [
      { key: "embedding.api_key", name: "MUXUE_RAG_PASSPHRASE", by: "passphrase" },
      { key: "embedding.api_key", name: "MUXUE_RAG_EMBEDDING_API_KEY", by: "variable" },
    ],
  });
  await Deno.writeTextFile(here.path("config.yaml"), "language: en\n");
  deepEqual((await here.ask(passphrase)).lost, [], "nothing is encrypted with it");
});

Deno.test(
  { name: "settingsElsewhere() is empty for a secret encrypted with the key file", ignore },
  async () => {
    await using here = await machine();
    const env = { MUXUE_RAG_CONFIG_DIR: here.path("settings") };
    const { text } = await encryptSecret(KEY, { env });
    await Deno.writeTextFile(here.path("config.yaml"), `${SERVER}  api_key: ${text}\n`);
    deepEqual(await here.ask(env), { file: here.path("config.yaml"), env, lost: [] });
  },
);
