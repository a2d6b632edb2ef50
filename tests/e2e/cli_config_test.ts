import { deepEqual, equal, match } from "node:assert/strict";
import { basename, join } from "node:path";
import { folderOfNotes, muxueRag, sandbox } from "../program/_muxue_rag.ts";

Deno.test("a bad configuration stops every command with exit code 2 and the position of each problem", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await Deno.writeTextFile(
    join(place.path, "my.yaml"),
    "language: en\nsearch:\n  top_k: many\n  fuson: rrf\n",
  );
  for (const args of [["--dir", dir], ["search", "soup", "--dir", dir], ["config", "check"]]) {
    const run = await muxueRag(place, [...args, "--config", "my.yaml"]);
    deepEqual([run.code, run.stdout], [2, ""]);
    match(run.stderr, /^Error: The configuration has 2 problems:\nmy\.yaml:3:10 search\.top_k: /);
    match(run.stderr, /\nmy\.yaml:4:3 search\.fuson: unknown key; did you mean search\.fusion\?/);
  }
  const json = await muxueRag(place, ["config", "check", "--json", "-c", "my.yaml"]);
  equal(json.code, 2);
  equal(JSON.parse(json.stdout).data.problems.length, 2);
});

Deno.test("a missing configuration file is a usage error", async () => {
  await using place = await sandbox();
  const run = await muxueRag(place, ["config", "check", "--config", "none.yaml"]);
  deepEqual([run.code, run.stdout], [2, ""]);
  match(run.stderr, /^错误：配置文件 none\.yaml 不存在/);
});

Deno.test("config check shows the values in effect (flag over environment over file) and masks secrets", async () => {
  await using place = await sandbox();
  await Deno.writeTextFile(
    join(place.path, "config.yaml"),
    "search:\n  top_k: 3\n  alpha: 0.5\nembedding:\n  api_key: sk-very-secret-key\n",
  );
  const env = { MUXUE_RAG_SEARCH_TOP_K: "7" };
  const run = await muxueRag(place, ["config", "check", "--json", "--language", "en"], { env });
  equal(run.code, 0, run.stderr);
  const { message, data } = JSON.parse(run.stdout);
  const { language, search, embedding } = data.config;
  deepEqual([language, search.top_k, search.alpha, embedding.api_key], ["en", 7, 0.5, "****"]);
  equal(message, `The configuration is valid. Source: ${join(place.path, "config.yaml")}`);
  const text = await muxueRag(place, ["config", "check"], { env });
  match(text.stdout, /\n {2}top_k: 7\n/);
  equal((run.stdout + run.stderr + text.stdout + text.stderr).includes("very-secret"), false);
});

Deno.test("config init writes the commented defaults once, and again with --force", async () => {
  await using place = await sandbox();
  const path = join(place.path, "config.yaml");
  const first = await muxueRag(place, ["config", "init"]);
  deepEqual(first, { code: 0, stdout: `已写入默认配置：${path}\n`, stderr: "" });
  equal(
    await Deno.readTextFile(path),
    await Deno.readTextFile(new URL("../../config.yaml", import.meta.url)),
  );
  equal((await muxueRag(place, ["config", "check", "--quiet"])).code, 0);

  await Deno.writeTextFile(path, "language: en\n");
  const second = await muxueRag(place, ["config", "init"]);
  deepEqual([second.code, await Deno.readTextFile(path)], [1, "language: en\n"]);
  equal((await muxueRag(place, ["config", "init", "--force"])).code, 0);
  match(await Deno.readTextFile(path), /#/);
});

/** Files that say "tea": one that every rule lets through, and one for each rule of the test. */
async function folderWithRules(dir: string): Promise<string> {
  await Deno.mkdir(dir);
  await Deno.writeTextFile(join(dir, ".gitignore"), "ignored.md\n");
  for (const name of ["keep", "ignored", "private", "draft"]) {
    await Deno.writeTextFile(join(dir, `${name}.md`), `${name} tea\n`);
  }
  return dir;
}

Deno.test("a configuration found in the working folder tightens the rules of folders outside of its own, never loosens them", async () => {
  await using place = await sandbox();
  await using elsewhere = await sandbox();
  const outside = await folderWithRules(join(elsewhere.path, "notes"));
  const inside = await folderWithRules(join(place.path, "notes"));
  const own = join(place.path, "settings");
  await Deno.mkdir(own);
  await Deno.writeTextFile(
    join(own, "config.yaml"),
    "search: {top_k: many}\nfiles: {exclude: [private.md]}\n",
  );
  const path = join(place.path, "config.yaml");
  await Deno.writeTextFile(
    path,
    "language: en\nfiles: {ignore_files: false, exclude: ['!private.md', draft.md]}\n",
  );
  /** The names of the files that are found, and the lines on stderr about the configuration. */
  const found = async (dir: string, ...args: string[]) => {
    const search = ["search", "tea", "--dir", dir, "--format", "paths", "--no-update"];
    const indexed = await muxueRag(place, ["index", dir, "--full", ...args]);
    equal(indexed.code, 0, indexed.stderr);
    const { stdout } = await muxueRag(place, [...search, ...args]);
    const names = stdout.trim().split("\n").map((file) => basename(file, ".md")).sort();
    return [names, indexed.stderr.split("\n").filter((line) => line.includes("config"))];
  };
  const line =
    `Configuration: ${path} (working folder, not named: outside ${place.path} it can only tighten ` +
    "the rules about which files are read)";
  deepEqual(await found(outside), [["keep"], [
    line,
    `Note: files.ignore_files, files.exclude in ${path} has no effect on ${outside}: the file was not named, and ` +
    `this folder is outside the file's own. If you want this, name it with --config ${path}`,
  ]]);
  deepEqual(await found(inside), [["ignored", "keep", "private"], [line]]);
  deepEqual(await found(outside, "-c", path), [["ignored", "keep", "private"], [
    `Configuration: ${path} (--config)`,
  ]]);
  const { stdout } = await muxueRag(place, ["search", "tea", "--dir", outside, "--json", "--no-update"]);
  deepEqual(JSON.parse(stdout).data.configuration, {
    file: path,
    by: "cwd",
    only_tightens_outside: place.path,
  });
});

Deno.test("index without a folder works on the collections of a configuration found in the working folder", async () => {
  await using place = await sandbox();
  const notes = await folderOfNotes(place);
  const path = join(place.path, "config.yaml");
  await Deno.writeTextFile(path, "language: en\ncollections: {notes: {path: notes}}\n");
  const { code, stdout } = await muxueRag(place, ["index", "--json"]);
  const { data } = JSON.parse(stdout);
  deepEqual([code, data.collections.map(({ root }: { root: string }) => root)], [0, [notes]]);
  deepEqual(data.configuration, { file: path, by: "cwd", only_tightens_outside: place.path });

  // Without collections, the working folder itself is indexed, and its content may be somebody else's.
  await Deno.remove(join(place.path, "state"), { recursive: true });
  await Deno.writeTextFile(path, "language: en\nfiles: {include: ['*.txt']}\n");
  const own = await muxueRag(place, ["index", "--json"], { env: { MUXUE_RAG_LANGUAGE: "en" } });
  match(own.stderr, /config\.yaml is inside the indexed folder .* was ignored/);
  equal(JSON.parse(own.stdout).data.configuration, undefined);
});
