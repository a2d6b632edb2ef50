import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { exists } from "#foundation/boundary/mod.ts";
import { fromSources, makeIndexed, makeSandbox, NOTES, output, smokeTest, writeFiles } from "./_program.ts";

Deno.test("a usage error ends with exit code 2, a suggestion, and an empty stdout", async () => {
  await using sandbox = await makeSandbox({});
  deepEqual(await sandbox.run`--dir . --ful`, {
    code: 2,
    stdout: "",
    stderr: "错误：未知选项 --ful，是否想用 --full？\n用法见 muxue_rag --help\n",
  });
  deepEqual(await sandbox.runIn({ env: { MUXUE_RAG_LANGUAGE: "en" } })`serch words`, {
    code: 2,
    stdout: "",
    stderr: "Error: Unknown command serch. Did you mean search?\nFor usage, run muxue_rag --help\n",
  });
  const empty = await sandbox.run();
  deepEqual([empty.code, empty.stdout], [2, ""]);
  match(empty.stderr, /^用法： muxue_rag \[命令\] \[选项\]\n/);
});

Deno.test("help is in the language of the flag, the environment or the configuration", async () => {
  await using sandbox = await makeSandbox({});
  match((await sandbox.run`help`).stdout, /^用法：/);
  match((await sandbox.run`--help --language en`).stdout, /^Usage:/);
  match((await sandbox.runIn({ env: { MUXUE_RAG_LANGUAGE: "en" } })`-h`).stdout, /^Usage:/);
  await writeFiles(sandbox.cwd, { "config.yaml": "language: en\n" });
  match((await sandbox.run`help search`).stdout, /^Usage: muxue_rag search/);
});

smokeTest("--version prints the version and the runtime, and with --json also the build", async (start) => {
  await using sandbox = await makeSandbox({}, { start });
  const { version } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  const details = JSON.parse((await sandbox.run`--version --json`).stdout);
  const stdout = `muxue_rag ${version} (Deno ${details.deno})\n`;
  deepEqual(await sandbox.run`-v`, { code: 0, stdout, stderr: "" });
  deepEqual([details.name, details.version, details.target], ["muxue_rag", version, Deno.build.target]);
  if (start !== fromSources) return;
  deepEqual([details.deno, details.commit, details.build_date], [Deno.version.deno, null, null]);
});

Deno.test("without a terminal, clean refuses unless --yes is given", async () => {
  await using sandbox = await makeIndexed(NOTES);
  const { folder, run } = sandbox;
  for (const form of ["clean", "--clean", "-cl"]) {
    const { code, stderr } = await run`--dir ${folder} ${form} --language en`;
    equal(code, 2);
    match(
      stderr,
      /^Error: There is no terminal to ask for confirmation, so nothing was changed\. To confirm, add --yes/,
    );
  }
  equal((await run`-cl -d ${folder} --yes --quiet`).code, 0);
  equal(await exists(join(folder, ".muxue_rag")), false);
  const again = await run`clean --dir ${folder} --yes`;
  deepEqual([again.code, again.stdout], [0, ""]);
});

Deno.test("a backup restores a cleaned index, and restore fails for a file that is not a backup", async () => {
  await using sandbox = await makeIndexed(NOTES);
  const { cwd, folder, run } = sandbox;
  const copy = join(cwd, "copies", "notes.bin");
  const missing = await run`-d ${folder} -b -bp ${copy}`;
  deepEqual([missing.code, await exists(join(cwd, "copies"))], [2, false]);
  match(missing.stderr, /目录 .*copies 不存在，未做任何改动。如要新建，请加 --yes/);
  const backup = await run`-d ${folder} -b -bp ${copy} --yes`;
  equal(backup.code, 0, backup.stderr);
  match(backup.stdout, /^已备份到 .*notes\.bin（.*）\n$/);

  equal((await run`restore ${copy} --dir ${folder}`).code, 2, "an index is there, and nobody to ask");
  equal((await run`restore nothing.bin --dir ${folder}`).code, 2);
  await run`clean --dir ${folder} --yes`;
  const wrong = await run`restore ${join(folder, "guide.md")} --dir ${folder}`;
  deepEqual([wrong.code, wrong.stdout], [1, ""]);
  const restored = await run`restore ${copy} --dir ${folder}`;
  equal(restored.code, 0, restored.stderr);
  match(restored.stdout, /^已恢复索引：.*（3 个文件，\d+ 个分片）\n$/);
  match((await run`search --no-update 备份 --dir ${folder}`).stdout, /备份\.md/);
});

Deno.test("a backup of another folder is restored only with --force", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const { cwd, folder, run } = sandbox;
  const stated = await run`backup --dir ${folder}`;
  const [, copy] = /^Backing up to (.+) \(--backup-path names another place\)$/m.exec(stated.stderr)!;
  const other = join(cwd, "other");
  await writeFiles(other, { "own.md": "something of its own" });
  const refused = await run`restore ${copy!} --dir ${other} --yes`;
  deepEqual([refused.code, await exists(join(other, ".muxue_rag", "index.bin"))], [2, false]);
  match(
    refused.stderr,
    /Only 0 of the 3 files in the backup are in .*other\. It may be the backup of another folder\. Nothing was changed\. To restore it all the same, add --force/,
  );
  const forced = await run`restore ${copy!} --dir ${other} --force`;
  equal(forced.code, 0, forced.stderr);
  match(forced.stdout, /^Index restored: .*other \(3 files, \d+ chunks\)\n$/);
  match(forced.stderr, /Before it can be searched, every file must be compared with it/);
});

Deno.test("serve and --serve start without an indexed folder, print nothing unasked, and end with stdin", async () => {
  await using sandbox = await makeSandbox({});
  for (const form of ["serve", "--serve"]) {
    deepEqual(await sandbox.run(form), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("sensitive folders are refused unless the user allows them", async () => {
  await using sandbox = await makeSandbox({});
  const root = Deno.build.os === "windows" ? "C:\\Windows" : "/etc";
  const refused = await sandbox.run`status --dir ${root}`;
  deepEqual([refused.code, refused.stdout], [2, ""]);
  match(refused.stderr, /^错误：拒绝处理敏感目录：/);
  equal((await sandbox.run`search x --no-update --dir ${root} --allow-sensitive`).code, 1);
});

Deno.test({
  name: "a full disk for the output is reported with a message",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using sandbox = await makeSandbox({});
  const { cwd, env, folder } = sandbox;
  for (const command of [["--version"], ["status", "--dir", folder]]) {
    const { cmd, args } = sandbox.start(command);
    const full = ["-c", 'exec "$@" > /dev/full', "sh", cmd, ...args];
    const { code, stderr } = await output("sh", full, { env, cwd, clearEnv: true });
    deepEqual([code, stderr], [1, "错误：输出不完整：磁盘空间不足\n"]);
  }
});
