import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { openPipe, type Pipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox } from "./_program.ts";
import { spawnIn } from "./_spawn.ts";

const TEA = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" };
const NOT_READY = "RAG数据库未就绪，请先处理目标目录构建数据库";

/** Searches until a hit is found. Earlier answers must have the contract's message that there is no index yet. */
async function searchUntilFound(pipe: Pipe, keyword: string): Promise<string> {
  for (;;) {
    const { result } = await pipe.search(keyword);
    const { code, message, data } = result.structuredContent;
    if (code === 500) equal(message, NOT_READY);
    else if (data.match_content.length > 0) return result.content[0].text;
    await soon();
  }
}

/** Enough text, so that indexing still runs when it must stop. */
function muchText(): Record<string, string> {
  const words = Array.from({ length: 400_000 }, (_, at) => (at * 7919 % 99_991).toString(36));
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`${at}.txt`, words.slice(at * 1000).join(" ")]),
  );
}

async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!await happened()) await soon();
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function exists(...path: string[]): Promise<boolean> {
  return await Deno.lstat(join(...path)).then(() => true, () => false);
}

/** Returns whether the lock of the folder's index is free. */
async function isFree({ folder }: Sandbox): Promise<boolean> {
  using file = await Deno.open(join(folder, ".muxue_rag", "lock"), { write: true });
  return await file.tryLock(true);
}

async function logOf({ env }: Sandbox): Promise<string> {
  const folder = join(env["MUXUE_RAG_STATE_DIR"]!, "logs");
  let text = "";
  try {
    for await (const { name } of Deno.readDir(folder)) text += await Deno.readTextFile(join(folder, name));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return text;
}

Deno.test("serve builds the index while it serves; the next start indexes the changes", async () => {
  await using sandbox = await makeSandbox(TEA);
  const argv = ["--dir", sandbox.folder, "--update"];
  {
    await using pipe = await openPipe(sandbox, argv);
    match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
    const { code, stderr } = await pipe.end();
    equal(code, 0);
    match(stderr, /.* 的索引已更新：新增 1，修改 0，改名 0，删除 0\n$/);
  }
  await Deno.writeTextFile(join(sandbox.folder, "new.md"), "# Zeppelin\n\nA rigid airship.\n");
  await using pipe = await openPipe(sandbox, argv);
  match(await searchUntilFound(pipe, "green tea"), /Green tea/);
  match(await searchUntilFound(pipe, "zeppelin airship"), /A rigid airship/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, /.* 的索引已更新：新增 1，修改 0，改名 0，删除 0\n$/);
});

Deno.test("serve --no-watch writes nothing", async () => {
  await using sandbox = await makeSandbox(TEA);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  const { result } = await pipe.search("green tea");
  equal(result.structuredContent.message, NOT_READY);
  equal((await pipe.end()).code, 0);
  equal(await exists(sandbox.folder, ".muxue_rag"), false);
});

Deno.test("serve with index.watch: false writes nothing", async () => {
  await using sandbox = await makeSandbox(TEA);
  const env = { ...sandbox.env, MUXUE_RAG_INDEX_WATCH: "false" };
  await using pipe = await openPipe({ ...sandbox, env });
  const { result } = await pipe.search("green tea");
  equal(result.structuredContent.message, NOT_READY);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  equal((await pipe.end()).code, 0);
  equal(await exists(sandbox.folder, ".muxue_rag"), false);
});

Deno.test("serve ends with its client during indexing, frees the lock and leaves no files", async () => {
  await using sandbox = await makeSandbox(muchText());
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
  await until(() => exists(sandbox.folder, ".muxue_rag", "lock"));
  const { code, stderr } = await pipe.end();
  equal(code, 0, stderr);
  const left = await Array.fromAsync(Deno.readDir(join(sandbox.folder, ".muxue_rag")));
  deepEqual(left.filter(({ name }) => /tmp/.test(name)), []);
  equal(await isFree(sandbox), true);
});

Deno.test({
  name: "Ctrl-C ends serve during indexing",
  ignore: Deno.build.os === "windows",
}, async () => {
  await using sandbox = await makeSandbox(muchText());
  const child = spawnIn(sandbox, sandbox.start(["serve", "--dir", sandbox.folder]));
  const stdout = new Response(child.stdout).text();
  const stderr = new Response(child.stderr).text();
  await until(() => exists(sandbox.folder, ".muxue_rag", "lock"));
  child.kill("SIGINT");
  deepEqual([(await child.status).code, await stdout], [130, ""]);
  equal(/未能更新/.test(await stderr), false);
  await child.stdin.close().catch(() => {});
  equal(await isFree(sandbox), true);
});

Deno.test("serve skips a folder that another process is indexing, and only logs it", async () => {
  await using sandbox = await makeSandbox(TEA);
  await Deno.mkdir(join(sandbox.folder, ".muxue_rag"));
  using lock = await Deno.open(join(sandbox.folder, ".muxue_rag", "lock"), { write: true, create: true });
  ok(await lock.tryLock(true));
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
  await until(async () => (await logOf(sandbox)).includes("serve.update_busy"));
  const { code, stderr } = await pipe.end();
  deepEqual([code, stderr], [0, ""]);
});

Deno.test("serve says that another process is indexing a folder, and indexes it if that process does not finish", async () => {
  await using sandbox = await makeSandbox(TEA);
  await Deno.mkdir(join(sandbox.folder, ".muxue_rag"));
  const lock = await Deno.open(join(sandbox.folder, ".muxue_rag", "lock"), { write: true, create: true });
  ok(await lock.tryLock(true));
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
  await until(async () => (await logOf(sandbox)).includes("serve.update_busy"));
  const { result } = await pipe.search("green tea");
  equal(result.structuredContent.message, NOT_READY);
  ok(result.content[0].text.includes(`索引正在建立，无需另行处理，请稍后再检索：${sandbox.folder}`));
  ok(!result.content[0].text.includes("%"));
  lock.close();
  match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, /.* 的索引已更新：新增 1，修改 0，改名 0，删除 0\n$/);
});

Deno.test("serve reports a folder that fails, and continues with the next", async () => {
  await using sandbox = await makeSandbox(TEA);
  const bad = join(sandbox.cwd, "bad");
  await Deno.mkdir(bad);
  await Deno.writeTextFile(join(bad, ".muxue_rag"), "a file");
  // Like the MCP bundle, which replaces one argument by all chosen folders.
  await using pipe = await openPipe(sandbox, ["--dir", bad, sandbox.folder]);
  match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, /注意：目录 .*bad 的索引未能更新：.*\.muxue_rag 不是普通的文件夹/);
  match(await logOf(sandbox), /serve\.update_failed/);
});
