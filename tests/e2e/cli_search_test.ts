import { deepEqual, equal, match, ok } from "node:assert/strict";
import { basename, join } from "node:path";
import { makeIndexed, makeSandbox, NOTES, smokeTest, writeFiles } from "./_program.ts";
import { quoted } from "../_posix.ts";

const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };

smokeTest(
  "search builds a missing index, answers with path, lines and section, and with --json as the MCP tool does",
  async (start) => {
    await using sandbox = await makeSandbox(NOTES, { start });
    const { folder, run } = sandbox;
    const text = await run`search 怎样备份数据 --dir ${folder}`;
    equal(text.code, 0, text.stderr);
    const [heading = ""] = text.stdout.split("\n");
    match(heading, /^1\. 备份\.md:\d+-\d+ {2}[高中低] {2}备份/);
    match(text.stdout, /\n {3}│ .*移动硬盘/);
    match(text.stdout, /\n\d+ 个文件，\d+ 个分片，.* s\n$/);
    match(text.stderr, / 的索引已更新：新增 3，/);

    const json = await run`search ${"tomato soup"} --dir ${folder} --json --top-k 1 --quiet`;
    const { code, message, data } = JSON.parse(json.stdout);
    deepEqual([json.code, code, message, json.stderr], [0, 200, "检索成功", ""]);
    deepEqual(data.file_info, [{ file_path: join(folder, "recipe.txt"), file_name: "recipe.txt" }]);
    equal(data.match_content.length, 1);
  },
);

Deno.test("search --explain shows terms, weights and legs, with --json every value; a bad filter is a usage error", async () => {
  await using sandbox = await makeIndexed(NOTES, EN);
  const { folder, run } = sandbox;
  const text = await run`search tomato soup --dir ${folder} --explain`;
  equal(text.code, 0, text.stderr);
  match(
    text.stdout,
    /^Terms: tomato soup\nMode: hybrid \(weighted\), vectors: builtin\/1\nWeights: keyword 1, /,
  );
  match(text.stdout, /\n {2}keyword +[\d.]+ {2}\+[\d.]+ {2}#1\n/);
  const json = await run`search tomato soup --dir ${folder} --explain --json`;
  const { code, data } = JSON.parse(json.stdout);
  deepEqual([code, data.mode, data.final_results[0].found_by], [200, "hybrid", "both"]);
  const bad = await run`search tomato after:soon --dir ${folder}`;
  equal(bad.code, 2);
  match(bad.stderr, /after:soon is not a valid date\. Write 2024-05-01/);
});

Deno.test("search answers boolean queries, says how they were understood, what emptied them and where they are wrong", async () => {
  await using sandbox = await makeSandbox({
    "a.md": "---\ntags: [kitchen]\n---\n# Soup\n\nTomato soup with basil.\n",
    "b.md": "# Bread\n\nTomato and olive bread, no soup.\n",
    "c.md": "# 面条\n\n## 做法\n\n番茄鸡蛋面，不放葱。\n",
  }, EN);
  const { folder, run } = sandbox;
  const found = async (query: string) => {
    const { stdout, code } = await run`search ${query} --dir ${folder} --format paths --quiet`;
    equal(code, 0);
    return stdout.split("\n").filter((line) => line !== "").map((line) => basename(line)).sort();
  };
  deepEqual(await found("tomato AND soup"), ["a.md", "b.md"]);
  deepEqual(await found("soup NOT bread"), ["a.md"]);
  deepEqual(await found("(番茄 AND NOT 牛肉) OR basil"), ["a.md", "c.md"]);
  deepEqual(await found("tomato NEAR/0 soup"), ["a.md"]);
  deepEqual(await found("tomato AND (tag:kitchen OR heading:bread)"), ["a.md", "b.md"]);
  deepEqual(await found("tom* -title:soup"), ["b.md"]);
  deepEqual(await found("bread OR NOT tomato"), ["b.md", "c.md"]);
  deepEqual(await found("做法 AND NOT 条做"), ["c.md"]);

  const explained = await run`search ${"tomato (soup OR basi*) -bread"} --dir ${folder} --explain --quiet`;
  match(explained.stdout, /^Terms: .*\nUnderstood as: tomato AND \(soup OR basi\*\) AND NOT bread\n/);
  const empty = await run`search ${"tomato AND encod* AND soup"} --dir ${folder}`;
  match(empty.stdout + empty.stderr, /No passage meets: encod\*\./);
  const together = await run`search ${"tomato AND basil AND olive"} --dir ${folder}`;
  match(together.stdout + together.stderr, /No passage meets: tomato AND basil AND olive\./);
  const wrong = await run`search ${"番茄 AND (soup OR bread"} --dir ${folder}`;
  equal(wrong.code, 2);
  match(wrong.stderr, /The bracket at column 8 is not closed\..*\n {2}番茄 AND \(soup OR bread\n {11}\^\n/);
});

Deno.test("search finds a change at once, but not with --no-update", async () => {
  await using sandbox = await makeIndexed(NOTES);
  const { folder, run } = sandbox;
  await writeFiles(folder, { "new.md": "The zeppelin lands at noon.\n" });
  const old = await run`search zeppelin --dir ${folder} --no-update`;
  deepEqual([old.code, old.stdout], [0, "未检索到与关键词相关的内容\n"]);
  match((await run`search zeppelin --dir ${folder}`).stdout, /new\.md:1 /);
});

Deno.test("search --format paths prints each file once, --format md a list to paste, and a conflict is a usage error", async () => {
  await using sandbox = await makeIndexed(NOTES, EN);
  const { folder, run } = sandbox;
  const search = ["search", "soup", "archive", "--dir", folder, "--quiet", "--no-update"];
  const paths = await run`${search} --format paths`;
  deepEqual(paths.stdout.trimEnd().split("\n").sort(), [
    join(folder, "guide.md"),
    join(folder, "recipe.txt"),
  ]);
  equal(
    (await run`search tomato soup --dir ${folder} --no-update --format md --context 0`).stdout,
    "1. `recipe.txt:1` (high)\n   > Tomato soup: cook the tomatoes with onions.\n",
  );
  const none = await run`search zeppelin --dir ${folder} --no-update --format paths --mode keyword`;
  deepEqual([none.code, none.stdout], [0, ""]);
  const withoutTime = ({ stdout }: { stdout: string }) => stdout.replace(/"cost_time": .*/, "");
  equal(withoutTime(await run`${search} --format json`), withoutTime(await run`${search} --json`));
  const wrong = await run`${search} --format json --full-text`;
  equal(wrong.code, 2);
  match(wrong.stderr, /^Error: Options --full-text and --format json cannot be used together\n/);
  equal(JSON.parse(wrong.stdout).code, 500);

  // A file name with a line break would read as two paths.
  if (Deno.build.os === "windows") return;
  await writeFiles(folder, { "soup\nguide.md": "More soup.\n" });
  const broken = await run`search soup --dir ${folder} --format paths`;
  equal(broken.stdout, `${join(folder, "recipe.txt")}\n`);
  match(broken.stderr, /contains a line break and is left out .*soup␊guide\.md/);
});

Deno.test("search without --dir covers every folder processed on this machine", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { cwd, folder, run } = sandbox;
  deepEqual(await run`search soup`, {
    code: 2,
    stdout: "",
    stderr:
      "错误：本机还没有建立过索引。要为当前目录建立索引，请运行 muxue_rag index；其他目录用 --dir 指定\n",
  });
  const other = join(cwd, "other");
  await writeFiles(other, { "more.txt": "Another soup, of pumpkins.\n" });
  for (const dir of [folder, other]) await run`--dir ${dir} --quiet`;
  const both = (await run`search soup`).stdout;
  ok(both.includes(join(basename(folder), "recipe.txt")) && both.includes(join("other", "more.txt")), both);
  const status = JSON.parse((await run`status --json`).stdout);
  deepEqual(status.data.folders.map((each: { root: string }) => each.root).sort(), [folder, other].sort());

  await Deno.remove(other, { recursive: true });
  const rest = await run`search soup`;
  equal(rest.code, 0, rest.stderr);
  equal(rest.stdout.includes("more.txt"), false);
});

Deno.test("search --no-update on a folder without an index says that the index is not ready, and names the command to run", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { folder, run } = sandbox;
  deepEqual(await run`search soup --dir ${folder} --no-update`, {
    code: 1,
    stdout: "",
    stderr: "错误：RAG数据库未就绪，请先处理目标目录构建数据库\n" +
      `${folder} 尚未建立索引。请运行：muxue_rag --dir ${quoted(folder)}\n`,
  });
});

Deno.test("a reader that stops early ends search quietly", async () => {
  await using sandbox = await makeSandbox({ ...NOTES, "long.txt": "soup of the day. ".repeat(20_000) });
  const run = sandbox.runIn({ closeStdout: true });
  const { code, stderr } = await run`search soup --dir ${sandbox.folder} --top-k 100 --quiet`;
  deepEqual([code, stderr], [0, ""]);
});

Deno.test("status shows the indexed and the outdated files", async () => {
  await using sandbox = await makeSandbox(NOTES);
  const { folder, run } = sandbox;
  match((await run`status --dir ${folder}`).stdout, /状态 +未建索引\n/);
  await run`--dir ${folder} --quiet`;
  await Deno.remove(join(folder, "recipe.txt"));
  const { code, stdout, stderr } = await run`status --dir ${folder} --language en`;
  equal(code, 0, stderr);
  match(stdout, / {2}State +ready\n/);
  match(stdout, / {2}Files +3\n/);
  match(stdout, / {2}To update +0 new, 0 changed, 1 removed\n/);
});

Deno.test("search shows a passage once that is in a web page and in its text, and names both files", async () => {
  const said =
    "Before a restore, stop the server and check the copy of the database with the checksum beside it.";
  const linked = said.replace("checksum", '<a href="https://example.org/sums">checksum</a>');
  await using sandbox = await makeSandbox({
    "restore.txt": `${said}\n`,
    "restore.html":
      `<!doctype html><title>Restore</title><nav><a href="/">Home</a></nav><h1>Restore</h1><p>${linked}</p>`,
    "server.md": "# Server\n\nThe server keeps its database on one disk.\n",
  }, EN);
  const { stdout } = await sandbox.run`search ${"restore the database"} --dir ${sandbox.folder}`;
  equal(stdout.match(/check the copy/g)?.length, 1, stdout);
  match(
    stdout,
    /^1\. .*restore\.(?:html:1-3|txt:1) [^]*also in: .*restore\.(?:html:1-3|txt:1)\n\n2\. .*server\.md/,
  );
});
