import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, muxueRag, sandbox } from "../program/_muxue_rag.ts";
import { smokeTest } from "./_program.ts";

Deno.test("search builds a missing index and answers with path, lines and section", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const run = await muxueRag(place, ["search", "怎样备份数据", "--dir", dir]);
  equal(run.code, 0, run.stderr);
  const [heading = ""] = run.stdout.split("\n");
  match(heading, /^1\. 备份\.md:\d+-\d+ {2}[高中低] {2}备份/);
  match(run.stdout, /\n {3}│ .*移动硬盘/);
  match(run.stdout, /\n\d+ 个文件，\d+ 个分片，.* s\n$/);
  match(run.stderr, / 的索引已更新：新增 3，/);
});

Deno.test("search --explain shows terms, weights and legs, with --json every value; a bad filter is a usage error", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const explain = ["search", "tomato soup", "--dir", dir, "--explain", "--language", "en"];
  const text = await muxueRag(place, explain);
  equal(text.code, 0, text.stderr);
  match(
    text.stdout,
    /^Terms: tomato soup\nMode: hybrid \(weighted\), vectors: builtin\/1\nWeights: keyword 1, /,
  );
  match(text.stdout, /\n {2}keyword +[\d.]+ {2}\+[\d.]+ {2}#1\n/);
  const { code, data } = JSON.parse((await muxueRag(place, [...explain, "--json"])).stdout);
  deepEqual([code, data.mode, data.final_results[0].found_by], [200, "hybrid", "both"]);
  const bad = await muxueRag(place, ["search", "tomato after:soon", "--dir", dir, "--language", "en"]);
  equal(bad.code, 2);
  match(bad.stderr, /after:soon is not a valid date\. Write 2024-05-01/);
});

Deno.test("search finds a change at once, but not with --no-update", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  await Deno.writeTextFile(join(dir, "new.md"), "The zeppelin lands at noon.\n");
  const old = await muxueRag(place, ["search", "zeppelin", "--dir", dir, "--no-update"]);
  deepEqual([old.code, old.stdout], [0, "未检索到与关键词相关的内容\n"]);
  match((await muxueRag(place, ["search", "zeppelin", "--dir", dir])).stdout, /new\.md:1 /);
});

smokeTest("search --json prints the answer of the MCP tool", async (start) => {
  await using place = await sandbox(start);
  const dir = await folderOfNotes(place);
  const run = await muxueRag(place, [
    "search",
    "tomato soup",
    "--dir",
    dir,
    "--json",
    "--top-k",
    "1",
    "--quiet",
  ]);
  const { code, message, data } = JSON.parse(run.stdout);
  deepEqual([run.code, code, message, run.stderr], [0, 200, "检索成功", ""]);
  deepEqual(data.file_info, [{ file_path: join(dir, "recipe.txt"), file_name: "recipe.txt" }]);
  equal(data.match_content.length, 1);
});

Deno.test("search --format paths prints each file once, --format md a list to paste, and a conflict is a usage error", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const search = ["search", "soup archive", "--dir", dir, "--language", "en", "--quiet"];
  const paths = await muxueRag(place, [...search, "--format", "paths"]);
  deepEqual(paths.stdout.trimEnd().split("\n").sort(), [join(dir, "guide.md"), join(dir, "recipe.txt")]);
  const list = [
    "search",
    "tomato soup",
    "--dir",
    dir,
    "--language",
    "en",
    "--format",
    "md",
    "--context",
    "0",
  ];
  const md = await muxueRag(place, list);
  equal(md.stdout, "1. `recipe.txt:1` (high)\n   > Tomato soup: cook the tomatoes with onions.\n");
  const none = await muxueRag(place, [
    "search",
    "zeppelin",
    "--dir",
    dir,
    "--format",
    "paths",
    "--mode",
    "keyword",
  ]);
  deepEqual([none.code, none.stdout], [0, ""]);
  const json = await muxueRag(place, [...search, "--format", "json"]);
  const short = await muxueRag(place, [...search, "--json"]);
  const withoutTime = ({ stdout }: { stdout: string }) => stdout.replace(/"cost_time": .*/, "");
  equal(withoutTime(json), withoutTime(short));
  const wrong = await muxueRag(place, [...search, "--format", "json", "--full-text"]);
  equal(wrong.code, 2);
  match(wrong.stderr, /^Error: Options --full-text and --format json cannot be used together\n/);
  equal(JSON.parse(wrong.stdout).code, 500);
});

Deno.test({
  name: "search --format paths leaves out a file name with a line break, which would read as two paths",
  ignore: Deno.build.os === "windows",
}, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await Deno.writeTextFile(join(dir, "soup\nguide.md"), "More soup.\n");
  const run = await muxueRag(place, [
    "search",
    "soup",
    "--dir",
    dir,
    "--format",
    "paths",
    "--language",
    "en",
  ]);
  equal(run.stdout, `${join(dir, "recipe.txt")}\n`);
  match(run.stderr, /contains a line break and is left out .*soup␊guide\.md/);
});

Deno.test("search without --dir covers every folder processed on this machine", async () => {
  await using place = await sandbox();
  const none = await muxueRag(place, ["search", "soup"]);
  deepEqual(none, {
    code: 2,
    stdout: "",
    stderr:
      "错误：本机还没有建立过索引。要为当前目录建立索引，请运行 muxue_rag index；其他目录用 --dir 指定\n",
  });
  const dir = await folderOfNotes(place);
  const other = join(place.path, "other");
  await Deno.mkdir(other);
  await Deno.writeTextFile(join(other, "more.txt"), "Another soup, of pumpkins.\n");
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  await muxueRag(place, ["--dir", other, "--quiet"]);
  const both = await muxueRag(place, ["search", "soup"]);
  ok(
    both.stdout.includes(join("notes", "recipe.txt")) && both.stdout.includes(join("other", "more.txt")),
    both.stdout,
  );
  const status = JSON.parse((await muxueRag(place, ["status", "--json"])).stdout);
  deepEqual(status.data.folders.map((folder: { root: string }) => folder.root).sort(), [dir, other].sort());

  await Deno.remove(other, { recursive: true });
  const rest = await muxueRag(place, ["search", "soup"]);
  equal(rest.code, 0, rest.stderr);
  equal(rest.stdout.includes("more.txt"), false);
});

Deno.test("search --no-update on a folder without an index says that the index is not ready, and names the command to run", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  deepEqual(await muxueRag(place, ["search", "soup", "--dir", dir, "--no-update"]), {
    code: 1,
    stdout: "",
    stderr: "错误：RAG数据库未就绪，请先处理目标目录构建数据库\n" +
      `${dir} 尚未建立索引。请运行：muxue_rag --dir ${dir}\n`,
  });
});

Deno.test("a reader that stops early ends search quietly", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await Deno.writeTextFile(join(dir, "long.txt"), "soup of the day. ".repeat(20_000));
  const run = await muxueRag(place, ["search", "soup", "--dir", dir, "--top-k", "100", "--quiet"], {
    closeStdout: true,
  });
  deepEqual([run.code, run.stderr], [0, ""]);
});

Deno.test("status shows the indexed and the outdated files", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  match((await muxueRag(place, ["status", "--dir", dir])).stdout, /状态 +未建索引\n/);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  await Deno.remove(join(dir, "recipe.txt"));
  const run = await muxueRag(place, ["status", "--dir", dir, "--language", "en"]);
  equal(run.code, 0, run.stderr);
  match(run.stdout, / {2}State +ready\n/);
  match(run.stdout, / {2}Files +3\n/);
  match(run.stdout, / {2}To update +0 new, 0 changed, 1 removed\n/);
});

Deno.test("search shows a passage once that is in a web page and in its text, and names both files", async () => {
  await using place = await sandbox();
  const dir = join(place.path, "manual");
  await Deno.mkdir(dir);
  const said =
    "Before a restore, stop the server and check the copy of the database with the checksum beside it.";
  await Deno.writeTextFile(join(dir, "restore.txt"), `${said}\n`);
  await Deno.writeTextFile(
    join(dir, "restore.html"),
    `<!doctype html><title>Restore</title><nav><a href="/">Home</a></nav><h1>Restore</h1><p>${
      said.replace("checksum", '<a href="https://example.org/sums">checksum</a>')
    }</p>`,
  );
  await Deno.writeTextFile(
    join(dir, "server.md"),
    "# Server\n\nThe server keeps its database on one disk.\n",
  );
  const { stdout } = await muxueRag(place, [
    "search",
    "restore the database",
    "--dir",
    dir,
    "--language",
    "en",
  ]);
  equal(stdout.match(/check the copy/g)?.length, 1, stdout);
  match(
    stdout,
    /^1\. .*restore\.(?:html:1-3|txt:1) [^]*also in: .*restore\.(?:html:1-3|txt:1)\n\n2\. .*server\.md/,
  );
});
