import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, muxueRag, sandbox } from "../program/_muxue_rag.ts";
import { smokeTest } from "./_program.ts";

smokeTest("a first run indexes Chinese and English files and prints a summary", async (start) => {
  await using place = await sandbox(start);
  const dir = await folderOfNotes(place);
  const run = await muxueRag(place, ["--dir", dir, "--language", "en"]);
  equal(run.code, 0, run.stderr);
  match(run.stdout, /^Indexed: .*notes\n {2}New +3\n {2}Changed +0\n/);
  match(run.stdout, / {2}Skipped +1 \(1 image\)\n {2}Failed +0\n {2}Files +3\n/);
  match(
    run.stderr,
    /^(?:The runtime, Deno 2\.[0-7]\..*\n)?Scanning .*\nReading 3 files, .*\nWriting the index: \d+ chunks\nOptional: muxue_rag model install .*\n$/,
  );
});

Deno.test("a second run finds new, changed, renamed and removed files", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir]);
  const same = await muxueRag(place, ["-d", dir, "--json"]);
  deepEqual(counts(same.stdout), { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 3, full: false });

  await Deno.writeTextFile(join(dir, "added.md"), "# Added\n\nA page about lighthouses.\n");
  await Deno.writeTextFile(join(dir, "guide.md"), "# Guide\n\nEverything here is different now.\n");
  await Deno.rename(join(dir, "备份.md"), join(dir, "如何备份.md"));
  await Deno.remove(join(dir, "recipe.txt"));
  const changed = await muxueRag(place, ["-d", dir, "--json"]);
  deepEqual(counts(changed.stdout), {
    new: 1,
    changed: 1,
    renamed: 1,
    removed: 1,
    unchanged: 0,
    full: false,
  });

  const full = await muxueRag(place, ["-d", dir, "--json", "--full"]);
  equal(counts(full.stdout)["full"], true);
});

/** Returns the counts of the single JSON document that a run printed. */
function counts(stdout: string): Record<string, unknown> {
  const { code, data } = JSON.parse(stdout);
  equal(code, 200);
  const { new: added, changed, renamed, removed, unchanged, full } = data;
  return { new: added, changed, renamed, removed, unchanged, full };
}

Deno.test("--quiet prints nothing on success", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  deepEqual(await muxueRag(place, ["--dir", dir, "--quiet"]), { code: 0, stdout: "", stderr: "" });
});

Deno.test("a file that cannot be decoded (UTF-32) is named and does not fail the run", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await Deno.writeFile(join(dir, "坏.txt"), Uint8Array.fromHex("fffe0000610000006200000063000000"));
  const run = await muxueRag(place, ["--dir", dir]);
  equal(run.code, 0, run.stderr);
  match(run.stdout, /失败 +1\n/);
  match(run.stdout, /✗ 坏\.txt: 不支持的文件编码格式/);
  const quiet = await muxueRag(place, ["--dir", dir, "--quiet"]);
  equal(quiet.stdout, "");
  const status = await muxueRag(place, ["status", "--dir", dir]);
  match(status.stdout, /✗ 坏\.txt: 不支持的文件编码格式/);
});

Deno.test("a path that is not a folder ends with exit code 2 and the contract's message", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const missing = await muxueRag(place, ["--dir", "nowhere"]);
  const unknown = `${join(place.path, "nowhere")}。要查看已索引的目录，请运行：muxue_rag status --all`;
  deepEqual(missing, { code: 2, stdout: "", stderr: `错误：目录不存在：${unknown}\n` });
  const misspelt = await muxueRag(place, ["--dir", `${dir}s`]);
  equal(misspelt.stderr, `错误：目录不存在：${dir}s。是否指 ${dir}？\n`);
  const file = join(dir, "guide.md");
  deepEqual(await muxueRag(place, ["--dir", file]), {
    code: 2,
    stdout: "",
    stderr: `错误：路径不是有效目录：${file}。请改用文件所在的目录：${dir}\n`,
  });
});

Deno.test("a relative --dir starts from the working directory", async () => {
  await using place = await sandbox();
  await folderOfNotes(place);
  equal((await muxueRag(place, ["--dir", "notes", "--quiet"])).code, 0);
  ok((await Deno.stat(join(place.path, "notes", ".muxue_rag", "index.bin"))).isFile);
});

Deno.test("with --json, a failure is also a JSON document", async () => {
  await using place = await sandbox();
  const run = await muxueRag(place, ["--dir", "nowhere", "--json"]);
  equal(run.code, 2);
  deepEqual(JSON.parse(run.stdout), {
    code: 500,
    message: `目录不存在：${join(place.path, "nowhere")}。要查看已索引的目录，请运行：muxue_rag status --all`,
    data: null,
  });
});

Deno.test("no colour sequence is written without a terminal", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const run = await muxueRag(place, ["--dir", dir]);
  equal((run.stdout + run.stderr).includes("\u001b"), false);
});

Deno.test("an index that was made with a configuration is not rebuilt when -c is forgotten, and the settings that differ are named", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const config = join(place.path, "small.yaml");
  await Deno.writeTextFile(config, "language: en\nchunking: { max_chars: 300, strategy: fixed }\n");
  const index = (...args: string[]) => muxueRag(place, ["index", "--dir", dir, "--language", "en", ...args]);
  equal((await index("-c", config)).code, 0);
  const path = join(dir, ".muxue_rag", "index.bin");
  const before = await Deno.readFile(path);

  const forgotten = await index();
  equal(forgotten.code, 1);
  match(
    forgotten.stderr,
    /other settings \(chunking\.strategy: fixed → auto, chunking\.max_chars: 300 → \d+\) and is left as it is/,
  );
  match(forgotten.stderr, /index .*notes.* --full/);
  deepEqual(await Deno.readFile(path), before);

  const search = await muxueRag(place, ["search", "--dir", dir, "--language", "en", "tomato"]);
  equal(search.code, 0);
  match(search.stderr, /other settings \(chunking\.strategy/);
  deepEqual(await Deno.readFile(path), before);

  // Each command names one that helps, with the configuration in force.
  for (const command of ["status", "verify", "doctor"]) {
    const { stdout } = await muxueRag(place, [command, "--dir", dir, "--language", "en"]);
    match(
      stdout,
      /To do +name the configuration that it was made with \(-c FILE\), or rebuild the index: muxue_rag --full --dir /,
      command,
    );
  }
  const other = join(place.path, "other.yaml");
  await Deno.writeTextFile(other, "language: en\nchunking: { max_chars: 400, strategy: fixed }\n");
  const { stderr } = await index("-c", other);
  match(stderr, /index .*notes.* --full -c .*other\.yaml/);

  equal((await index("-c", config)).code, 0);
  const full = await index("--full");
  equal(full.code, 0);
  match(full.stdout, /Files +3\n/);
});
