import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { makeIndexed, makeSandbox, NOTES, smokeTest, writeFiles } from "./_program.ts";

smokeTest("a first run indexes Chinese and English files and prints a summary", async (start) => {
  await using sandbox = await makeSandbox(NOTES, { start });
  const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
  equal(run.code, 0, run.stderr);
  match(run.stdout, /^Indexed: .*文档 docs\n {2}New +3\n {2}Changed +0\n/);
  match(run.stdout, / {2}Skipped +1 \(1 image\)\n {2}Failed +0\n {2}Files +3\n/);
  // Reading takes long enough for lines of progress on a slow machine, such as one under an emulator.
  match(
    run.stderr,
    /^(?:The runtime, Deno 2\.[0-7]\..*\n)?Scanning .*\nReading 3 files, .*\n(?:\d+% .*\n)*Writing the index: \d+ chunks\nOptional: muxue_rag model install .*\n$/,
  );
  equal((run.stdout + run.stderr).includes("\u001b"), false, "no colour without a terminal");
  deepEqual(await sandbox.run`--dir ${sandbox.folder} --full --quiet`, { code: 0, stdout: "", stderr: "" });
});

Deno.test("a second run finds new, changed, renamed and removed files", async () => {
  await using sandbox = await makeIndexed(NOTES);
  const { cwd, folder, run } = sandbox;
  const counts = async (...flags: string[]) => {
    // a relative path starts from the working folder
    const { code, data } = JSON.parse((await run`-d ${"文档 docs"} --json ${flags}`).stdout);
    const { new: added, changed, renamed, removed, unchanged, full } = data;
    return { code, new: added, changed, renamed, removed, unchanged, full };
  };
  const same = { code: 200, new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 3, full: false };
  deepEqual(await counts(), same);

  await writeFiles(folder, {
    "added.md": "# Added\n\nA page about lighthouses.\n",
    "guide.md": "# Guide\n\nEverything here is different now.\n",
  });
  await Deno.rename(join(folder, "备份.md"), join(folder, "如何备份.md"));
  await Deno.remove(join(folder, "recipe.txt"));
  deepEqual(await counts(), { ...same, new: 1, changed: 1, renamed: 1, removed: 1, unchanged: 0 });
  equal((await counts("--full")).full, true);
  ok((await Deno.stat(join(cwd, "文档 docs", ".muxue_rag", "index.bin"))).isFile);
});

Deno.test("a file that cannot be decoded (UTF-32) is named and does not fail the run", async () => {
  await using sandbox = await makeSandbox({
    ...NOTES,
    "坏.txt": Uint8Array.fromHex("fffe0000610000006200000063000000"),
  });
  const { folder, run } = sandbox;
  const indexed = await run`--dir ${folder}`;
  equal(indexed.code, 0, indexed.stderr);
  match(indexed.stdout, /失败 +1\n/);
  match(indexed.stdout, /✗ 坏\.txt: 不支持的文件编码格式/);
  equal((await run`--dir ${folder} --quiet`).stdout, "");
  match((await run`status --dir ${folder}`).stdout, /✗ 坏\.txt: 不支持的文件编码格式/);
});

Deno.test("a path that is not a folder ends with exit code 2 and the contract's message, with --json as JSON", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { cwd, folder, run } = sandbox;
  const missing = `目录不存在：${join(cwd, "nowhere")}。要查看已索引的目录，请运行：muxue_rag status --all`;
  const file = join(folder, "guide.md");
  const cases = {
    nowhere: missing,
    [`${folder}s`]: `目录不存在：${folder}s。是否指 ${folder}？`,
    [file]: `路径不是有效目录：${file}。请改用文件所在的目录：${folder}`,
  };
  for (const [path, told] of Object.entries(cases)) {
    deepEqual(await run`--dir ${path}`, { code: 2, stdout: "", stderr: `错误：${told}\n` });
  }
  const json = await run`--dir nowhere --json`;
  deepEqual([json.code, JSON.parse(json.stdout)], [2, { code: 500, message: missing, data: null }]);
});

Deno.test("an index that was made with a configuration is not rebuilt when -c is forgotten, and the settings that differ are named", async () => {
  await using sandbox = await makeSandbox(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const { cwd, folder, run } = sandbox;
  await writeFiles(cwd, {
    "small.yaml": "language: en\nchunking: { max_chars: 300, strategy: fixed }\n",
    "other.yaml": "language: en\nchunking: { max_chars: 400, strategy: fixed }\n",
  });
  equal((await run`index --dir ${folder} -c small.yaml`).code, 0);
  const path = join(folder, ".muxue_rag", "index.bin");
  const before = await Deno.readFile(path);

  const forgotten = await run`index --dir ${folder}`;
  equal(forgotten.code, 1);
  match(
    forgotten.stderr,
    /other settings \(chunking\.strategy: fixed → auto, chunking\.max_chars: 300 → \d+\) and is left as it is/,
  );
  match(forgotten.stderr, /index .*文档 docs.* --full/);
  const search = await run`search --dir ${folder} tomato`;
  equal(search.code, 0);
  match(search.stderr, /other settings \(chunking\.strategy/);
  deepEqual(await Deno.readFile(path), before);

  // Each command names one that helps, with the configuration in force.
  for (const command of ["status", "verify", "doctor"]) {
    match(
      (await run`${command} --dir ${folder}`).stdout,
      /To do +name the configuration that it was made with \(-c FILE\), or rebuild the index: muxue_rag --full --dir /,
      command,
    );
  }
  match(
    (await run`index --dir ${folder} -c other.yaml`).stderr,
    /index .*文档 docs.* --full -c .*other\.yaml/,
  );
  equal((await run`index --dir ${folder} -c small.yaml`).code, 0);
  const full = await run`index --dir ${folder} --full`;
  equal(full.code, 0);
  match(full.stdout, /Files +3\n/);
});
