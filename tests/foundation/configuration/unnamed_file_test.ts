import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import {
  defaultConfigText,
  type Environment,
  loadConfig,
  type LoadOptions,
} from "#foundation/configuration/mod.ts";
import { complaint, folder, MUST_NOT, onlyFound } from "./_load.ts";
import { posixTest } from "../../_posix.ts";

const LENT = `language: en
embedding:
  provider: openai-compatible
  base_url: http://me:pass@localhost:8080/v1?key=1
  model: m
  api_key: env:TOKEN_OF_THE_USER
`;
const OPENED = `language: en
embedding: {provider: azure, base_url: "http://127.0.0.1:1234/openai", model: m}
log: {dir: /}
`;
const env: Environment = { TOKEN_OF_THE_USER: "hunter22", HOME: "/home/me" };

/** A working folder with `config.yaml`, and the user's configuration folder with the files `own`. */
async function machine(text: string, own: Record<string, string> = {}) {
  const work = await folder({ "config.yaml": text });
  const user = await folder(own);
  const at = (options: Partial<LoadOptions>): LoadOptions => ({
    cwd: work.dir,
    ...options,
    env: { ...env, MUXUE_RAG_CONFIG_DIR: user.dir, ...options.env },
  });
  return {
    work: work.dir,
    user: user.dir,
    load: (options: Partial<LoadOptions> = {}) => loadConfig(at(options)),
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await user[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a file found in the working folder causes a warning for a local server and for a log folder", async () => {
  await using here = await machine(OPENED);
  const { config, warnings } = await here.load();
  deepEqual(warnings, [
    onlyFound("the server http://127.0.0.1:1234 (embedding.base_url)"),
    onlyFound(`log.dir (${config.log.dir})`),
  ]);
});

Deno.test("a file found in the working folder causes a warning for each source of models", async () => {
  await using here = await machine('language: en\nmodels: {mirror_url: "https://mirror.example"}\n');
  deepEqual((await here.load()).warnings, [onlyFound("models.mirror_url (https://mirror.example)")]);
  deepEqual((await here.load({ file: "config.yaml" })).warnings, []);
});

posixTest(
  "a file found in the working folder may not name another machine or open sensitive folders",
  async () => {
    const text = `language: en
embedding: {provider: openai-compatible, base_url: "https://mirror.example/v1", model: m}
files: {allow_sensitive: [/etc, "s\\nh"]}
`;
    await using here = await machine(text);
    const sensitive = `/etc, ${join(here.work, "s␊h")}`;
    equal(
      await complaint(here.load()),
      `The configuration has 2 problems:
config.yaml:2:52 embedding.base_url: would send texts to https://mirror.example, ${MUST_NOT}
config.yaml:3:26 files.allow_sensitive: would open sensitive folders (${sensitive}), ${MUST_NOT}`,
    );
    deepEqual((await here.load({ file: "config.yaml" })).warnings, []);
  },
);

Deno.test("a file that is named or in the user's folder causes no warning", async () => {
  await using here = await machine(OPENED);
  deepEqual((await here.load({ file: "config.yaml" })).warnings, []);
  deepEqual((await here.load({ env: { MUXUE_RAG_CONFIG: "config.yaml" } })).warnings, []);
  await Deno.rename(join(here.work, "config.yaml"), join(here.user, "config.yaml"));
  deepEqual((await here.load()).warnings, []);
  deepEqual((await here.load({ cwd: here.user })).warnings, [], "also where he works in it");
});

Deno.test("a file found in the working folder causes no warning for settings without effect", async () => {
  const quiet = async (text: string, env: Environment = {}) => {
    await using here = await machine(text);
    deepEqual((await here.load({ env })).warnings, [], text);
  };
  await quiet(
    "search: {top_k: 3}\nfiles: {allow_sensitive: false, exclude: [a]}\nlog: {dir: , level: debug}",
  );
  await quiet("embedding: {provider: builtin, base_url: 'http://a', model: m}");
  await quiet("files: {allow_sensitive: []}");
  await quiet(await defaultConfigText());
  await quiet(OPENED, {
    MUXUE_RAG_EMBEDDING_PROVIDER: "openai-compatible",
    MUXUE_RAG_EMBEDDING_BASE_URL: "http://localhost:1",
    MUXUE_RAG_LOG_DIR: "logs",
  });
});

Deno.test("a file found in the working folder may not send environment variables to its own server", async () => {
  await using here = await machine(LENT);
  equal(
    await complaint(here.load()),
    "The configuration has 1 problem:\n" +
      "config.yaml:6:12 embedding.api_key: would send the value of the environment variable TOKEN_OF_THE_USER " +
      `to http://localhost:8080, an address from the same file, ${MUST_NOT}`,
  );
  for (const reference of ["model: env:TOKEN_OF_THE_USER", "model: m\n  api_key: env:MUXUE_RAG_PASSPHRASE"]) {
    await using other = await machine(
      `language: en\nembedding:\n  provider: azure\n  base_url: env:URL\n  ${reference}\n`,
    );
    const more = { URL: "http://localhost:1", MUXUE_RAG_PASSPHRASE: "correct horse" };
    const told = await complaint(other.load({ env: more }));
    equal(told.split("\n").length, 2, told);
    equal(told.includes("to http://localhost:1, an address from the same file"), true, told);
  }
});

Deno.test("environment variables may be sent to a server that the user chose", async () => {
  await using here = await machine(LENT, { "config.yaml": LENT });
  const key = async (options: Partial<LoadOptions>) => (await here.load(options)).config.embedding.api_key;
  equal(await key({ file: "config.yaml" }), "hunter22");
  equal(await key({ env: { MUXUE_RAG_CONFIG: "config.yaml" } }), "hunter22");
  equal(await key({ env: { MUXUE_RAG_EMBEDDING_BASE_URL: "http://localhost:1" } }), "hunter22");
  equal(await key({ env: { MUXUE_RAG_EMBEDDING_PROVIDER: "none" } }), "hunter22", "nothing is sent");
  await Deno.remove(join(here.work, "config.yaml"));
  equal(await key({}), "hunter22", "the file is the user's own");
  await using meant = await machine(LENT.replace("TOKEN_OF_THE_USER", "MUXUE_RAG_EMBEDDING_API_KEY"));
  const { config } = await meant.load({ env: { MUXUE_RAG_EMBEDDING_API_KEY: "lent" } });
  equal(config.embedding.api_key, "lent", "it was set for this program");
});

Deno.test("with foreignCwd, only a named configuration is read from the working folder", async () => {
  await using here = await machine(LENT, { "config.yml": "language: en\nsearch: {top_k: 7}\n" });
  await Deno.writeTextFile(join(here.work, "config.json"), "{");
  const { config, source, warnings } = await here.load({ foreignCwd: true });
  deepEqual([config.search.top_k, config.embedding.provider, source], [
    7,
    "builtin",
    join(here.user, "config.yml"),
  ]);
  deepEqual(
    warnings,
    ["config.yaml", "config.json"].map((name) =>
      `${join(here.work, name)} was ignored: the MCP client chooses the working folder of serve, so a file ` +
      "there may come from someone else. To use it, name it with --config"
    ),
  );
  const named = await here.load({ foreignCwd: true, file: "config.yaml" });
  deepEqual(named.config.embedding.api_key, "hunter22");
});

Deno.test("the user's configuration in an indexed folder is used with a warning", async () => {
  await using here = await machine("title: another program's\n", { "config.yaml": OPENED });
  const asked: (readonly string[])[] = [];
  const indexedAround = (paths: readonly string[]) => {
    asked.push(paths);
    return Promise.resolve(paths.includes(here.user) ? "/home" : undefined);
  };
  const { config, warnings } = await here.load({ indexedAround });
  const own = join(here.user, "config.yaml");
  deepEqual([config.embedding.provider, warnings], ["azure", [
    "config.yaml contains no setting of this program and was ignored. To use it, name it with --config",
    `Your configuration ${own} is inside the indexed folder /home. It stays in effect, but anyone who can ` +
    "write to that folder can change it. Move it, and set MUXUE_RAG_CONFIG_DIR to its new folder",
  ]]);
  deepEqual(asked, [[here.work, join(here.work, "config.yaml")], [here.user, own]]);
});
