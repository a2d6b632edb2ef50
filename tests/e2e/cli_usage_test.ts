import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, muxueRag, sandbox } from "../program/_muxue_rag.ts";
import { exists } from "#foundation/boundary/mod.ts";
import { fromSources, smokeTest } from "./_program.ts";

Deno.test("a usage error ends with exit code 2, a suggestion, and an empty stdout", async () => {
  await using place = await sandbox();
  deepEqual(await muxueRag(place, ["--dir", ".", "--ful"]), {
    code: 2,
    stdout: "",
    stderr: "错误：未知选项 --ful，是否想用 --full？\n用法见 muxue_rag --help\n",
  });
  deepEqual(await muxueRag(place, ["serch", "words"], { env: { MUXUE_RAG_LANGUAGE: "en" } }), {
    code: 2,
    stdout: "",
    stderr: "Error: Unknown command serch. Did you mean search?\nFor usage, run muxue_rag --help\n",
  });
});

Deno.test("without arguments, the help is on stderr and the exit code is 2", async () => {
  await using place = await sandbox();
  const run = await muxueRag(place, []);
  deepEqual([run.code, run.stdout], [2, ""]);
  match(run.stderr, /^用法： muxue_rag \[命令\] \[选项\]\n/);
});

Deno.test("help is in the language of the flag, the environment or the configuration", async () => {
  await using place = await sandbox();
  match((await muxueRag(place, ["help"])).stdout, /^用法：/);
  match((await muxueRag(place, ["--help", "--language", "en"])).stdout, /^Usage:/);
  match((await muxueRag(place, ["-h"], { env: { MUXUE_RAG_LANGUAGE: "en" } })).stdout, /^Usage:/);
  await Deno.writeTextFile(join(place.path, "config.yaml"), "language: en\n");
  match((await muxueRag(place, ["help", "search"])).stdout, /^Usage: muxue_rag search/);
});

smokeTest("--version prints the version and the runtime, and with --json also the build", async (start) => {
  await using place = await sandbox(start);
  const { version } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  const details = JSON.parse((await muxueRag(place, ["--version", "--json"])).stdout);
  const stdout = `muxue_rag ${version} (Deno ${details.deno})\n`;
  deepEqual(await muxueRag(place, ["-v"]), { code: 0, stdout, stderr: "" });
  deepEqual([details.name, details.version, details.target], ["muxue_rag", version, Deno.build.target]);
  if (start !== fromSources) return;
  deepEqual([details.deno, details.commit, details.build_date], [Deno.version.deno, null, null]);
});

Deno.test("without a terminal, clean refuses unless --yes is given", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  for (const form of [["clean"], ["--clean"], ["-cl"]]) {
    const refused = await muxueRag(place, ["--dir", dir, ...form, "--language", "en"]);
    equal(refused.code, 2);
    match(
      refused.stderr,
      /^Error: There is no terminal to ask for confirmation, so nothing was changed\. To confirm, add --yes/,
    );
  }
  equal((await muxueRag(place, ["-cl", "-d", dir, "--yes", "--quiet"])).code, 0);
  deepEqual([...Deno.readDirSync(dir)].map((entry) => entry.name).includes(".muxue_rag"), false);
  const again = await muxueRag(place, ["clean", "--dir", dir, "--yes"]);
  deepEqual([again.code, again.stdout], [0, ""]);
});

Deno.test("a backup restores a cleaned index", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  const copy = join(place.path, "copies", "notes.bin");
  const missing = await muxueRag(place, ["-d", dir, "-b", "-bp", copy]);
  deepEqual([missing.code, await exists(join(place.path, "copies"))], [2, false]);
  match(missing.stderr, /目录 .*copies 不存在，未做任何改动。如要新建，请加 --yes/);
  const backup = await muxueRag(place, ["-d", dir, "-b", "-bp", copy, "--yes"]);
  equal(backup.code, 0, backup.stderr);
  match(backup.stdout, /^已备份到 .*notes\.bin（.*）\n$/);

  equal(
    (await muxueRag(place, ["restore", copy, "--dir", dir])).code,
    2,
    "an index is there, and nobody to ask",
  );
  await muxueRag(place, ["clean", "--dir", dir, "--yes"]);
  const restored = await muxueRag(place, ["restore", copy, "--dir", dir]);
  equal(restored.code, 0, restored.stderr);
  match(restored.stdout, /^已恢复索引：.*（3 个文件，\d+ 个分片）\n$/);
  const found = await muxueRag(place, ["search", "--no-update", "备份", "--dir", dir]);
  match(found.stdout, /备份\.md/);
});

Deno.test("a backup of another folder is restored only with --force", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  const stated = await muxueRag(place, ["backup", "--dir", dir, "--language", "en"]);
  const [, copy] = /^Backing up to (\S+) \(--backup-path names another place\)$/m.exec(stated.stderr)!;
  const other = join(place.path, "other");
  await Deno.mkdir(other);
  await Deno.writeTextFile(join(other, "own.md"), "something of its own");
  const restore = (...flags: string[]) =>
    muxueRag(place, ["restore", copy!, "--dir", other, "--language", "en", ...flags]);
  const refused = await restore("--yes");
  deepEqual([refused.code, await exists(join(other, ".muxue_rag", "index.bin"))], [2, false]);
  match(
    refused.stderr,
    /Only 0 of the 3 files in the backup are in .*other\. It may be the backup of another folder\. Nothing was changed\. To restore it all the same, add --force/,
  );
  const forced = await restore("--force");
  equal(forced.code, 0, forced.stderr);
  match(forced.stdout, /^Index restored: .*other \(3 files, \d+ chunks\)\n$/);
  match(forced.stderr, /Before it can be searched, every file must be compared with it/);
});

Deno.test("restore fails for a file that is not a backup", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  equal((await muxueRag(place, ["restore", "nothing.bin", "--dir", dir])).code, 2);
  const run = await muxueRag(place, ["restore", join(dir, "guide.md"), "--dir", dir]);
  deepEqual([run.code, run.stdout], [1, ""]);
});

Deno.test("serve and --serve start without an indexed folder, print nothing unasked, and end with stdin", async () => {
  await using place = await sandbox();
  for (const args of [["serve"], ["--serve"]]) {
    deepEqual(await muxueRag(place, args), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("sensitive folders are refused unless the user allows them", async () => {
  await using place = await sandbox();
  const root = Deno.build.os === "windows" ? "C:\\Windows" : "/etc";
  const refused = await muxueRag(place, ["status", "--dir", root]);
  deepEqual([refused.code, refused.stdout], [2, ""]);
  match(refused.stderr, /^错误：拒绝处理敏感目录：/);
  equal((await muxueRag(place, ["search", "x", "--no-update", "--dir", root, "--allow-sensitive"])).code, 1);
});
