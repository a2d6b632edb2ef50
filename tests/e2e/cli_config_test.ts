import { deepEqual, equal, match } from "node:assert/strict";
import { basename, join } from "node:path";
import { makeSandbox, NOTES, type Sandbox, writeFiles } from "./_program.ts";

Deno.test("a bad configuration stops every command with exit code 2 and the position of each problem", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { cwd, folder, run } = sandbox;
  await writeFiles(cwd, { "my.yaml": "language: en\nsearch:\n  top_k: many\n  fuson: rrf\n" });
  for (const args of [["--dir", folder], ["search", "soup", "--dir", folder], ["config", "check"]]) {
    const { code, stdout, stderr } = await run`${args} --config my.yaml`;
    deepEqual([code, stdout], [2, ""]);
    match(stderr, /^Error: The configuration has 2 problems:\nmy\.yaml:3:10 search\.top_k: /);
    match(stderr, /\nmy\.yaml:4:3 search\.fuson: unknown key; did you mean search\.fusion\?/);
  }
  const json = await run`config check --json -c my.yaml`;
  deepEqual([json.code, JSON.parse(json.stdout).data.problems.length], [2, 2]);
  const missing = await run`config check --config none.yaml`;
  deepEqual([missing.code, missing.stdout], [2, ""]);
  match(missing.stderr, /^错误：配置文件 none\.yaml 不存在/);
});

Deno.test("config check shows the values in effect (flag over environment over file) and masks secrets", async () => {
  await using sandbox = await makeSandbox({}, { env: { MUXUE_RAG_SEARCH_TOP_K: "7" } });
  const { cwd, run } = sandbox;
  await writeFiles(cwd, {
    "config.yaml": "search:\n  top_k: 3\n  alpha: 0.5\nembedding:\n  api_key: sk-very-secret-key\n",
  });
  const json = await run`config check --json --language en`;
  const { message, data } = JSON.parse(json.stdout);
  const { language, search, embedding } = data.config;
  deepEqual([json.code, language, search.top_k, search.alpha, embedding.api_key], [0, "en", 7, 0.5, "****"]);
  equal(message, `The configuration is valid. Source: ${join(cwd, "config.yaml")}`);
  const text = await run`config check`;
  match(text.stdout, /\n {2}top_k: 7\n/);
  equal((json.stdout + json.stderr + text.stdout + text.stderr).includes("very-secret"), false);
});

Deno.test("config init writes the commented defaults once, and again with --force", async () => {
  await using sandbox = await makeSandbox({});
  const { cwd, run } = sandbox;
  const path = join(cwd, "config.yaml");
  const read = () => Deno.readTextFile(path);
  deepEqual(await run`config init`, { code: 0, stdout: `已写入默认配置：${path}\n`, stderr: "" });
  equal(await read(), await Deno.readTextFile(new URL("../../config.yaml", import.meta.url)));
  equal((await run`config check --quiet`).code, 0);

  await Deno.writeTextFile(path, "language: en\n");
  deepEqual([(await run`config init`).code, await read()], [1, "language: en\n"]);
  equal((await run`config init --force`).code, 0);
  match(await read(), /#/);
});

/** Files that say "tea": one that every rule lets through, and one for each rule of the test. */
const RULED = {
  ".gitignore": "ignored.md\n",
  ...Object.fromEntries(
    ["keep", "ignored", "private", "draft"].map((name) => [`${name}.md`, `${name} tea\n`]),
  ),
};

Deno.test("a configuration found in the working folder tightens the rules of folders outside of its own, never loosens them", async () => {
  await using sandbox = await makeSandbox(RULED);
  await using elsewhere = await makeSandbox(RULED);
  const { cwd, folder: inside, run } = sandbox;
  const outside = elsewhere.folder;
  await writeFiles(cwd, {
    "config/config.yaml": "search: {top_k: many}\nfiles: {exclude: [private.md]}\n",
    "config.yaml": "language: en\nfiles: {ignore_files: false, exclude: ['!private.md', draft.md]}\n",
  });
  const path = join(cwd, "config.yaml");
  /** The names of the files that are found, and the lines on stderr about the configuration. */
  const found = async (dir: string, ...args: string[]) => {
    const indexed = await run`index ${dir} --full ${args}`;
    equal(indexed.code, 0, indexed.stderr);
    const { stdout } = await run`search tea --dir ${dir} --format paths --no-update ${args}`;
    const names = stdout.trim().split("\n").map((file) => basename(file, ".md")).sort();
    return [names, indexed.stderr.split("\n").filter((line) => line.includes("config"))];
  };
  const line = `Configuration: ${path} (working folder, not named: outside ${cwd} it can only tighten ` +
    "the rules about which files are read)";
  deepEqual(await found(outside), [["keep"], [
    line,
    `Note: files.ignore_files, files.exclude in ${path} has no effect on ${outside}: the file was not named, and ` +
    `this folder is outside the file's own. If you want this, name it with --config ${path}`,
  ]]);
  const loose = ["ignored", "keep", "private"];
  deepEqual(await found(inside), [loose, [line]]);
  deepEqual(await found(outside, "-c", path), [loose, [`Configuration: ${path} (--config)`]]);
  deepEqual(configurationIn(await run`search tea --dir ${outside} --json --no-update`), foundIn(sandbox));
});

/** The fields about a configuration in the working folder in an answer as JSON. */
function foundIn({ cwd }: Sandbox): object {
  return { file: join(cwd, "config.yaml"), by: "cwd", only_tightens_outside: cwd };
}

function configurationIn({ stdout }: { readonly stdout: string }): unknown {
  return JSON.parse(stdout).data.configuration;
}

Deno.test("index without a folder works on the collections of a configuration found in the working folder", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { cwd, folder, run } = sandbox;
  const path = join(cwd, "config.yaml");
  await Deno.writeTextFile(path, "language: en\ncollections: {notes: {path: 文档 docs}}\n");
  const indexed = await run`index --json`;
  const { collections } = JSON.parse(indexed.stdout).data;
  deepEqual([indexed.code, collections.map(({ root }: { root: string }) => root)], [0, [folder]]);
  deepEqual(configurationIn(indexed), foundIn(sandbox));

  // Without collections, the working folder itself is indexed, and its content may be somebody else's.
  await Deno.remove(join(cwd, "state"), { recursive: true });
  await Deno.writeTextFile(path, "language: en\nfiles: {include: ['*.txt']}\n");
  const own = await sandbox.runIn({ env: { MUXUE_RAG_LANGUAGE: "en" } })`index --json`;
  match(own.stderr, /config\.yaml is inside the indexed folder .* was ignored/);
  equal(configurationIn(own), undefined);
});
