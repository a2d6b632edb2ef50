import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { posixTest } from "../_posix.ts";
import { exists } from "#foundation/boundary/mod.ts";
import { openPipe, type Pipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox, spawnIn, writeFiles } from "./_program.ts";

const TEA = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" };
const NOT_READY = "RAG数据库未就绪，请先处理目标目录构建数据库";
const UPDATED = /.* 的索引已更新：新增 1，修改 0，改名 0，删除 0\n$/;

/** Searches until a hit is found. Earlier answers must have the contract's message that there is no index yet. */
async function searchUntilFound(pipe: Pipe, keyword: string): Promise<string> {
  for (;; await soon()) {
    const { result } = await pipe.search(keyword);
    const { code, message, data } = result.structuredContent;
    if (code === 500) equal(message, NOT_READY);
    else if (data.match_content.length > 0) return result.content[0].text;
  }
}

async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!await happened()) await soon();
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Enough text, so that indexing still runs when it must stop. */
function muchText(): Record<string, string> {
  const words = Array.from({ length: 400_000 }, (_, at) => (at * 7919 % 99_991).toString(36));
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`${at}.txt`, words.slice(at * 1000).join(" ")]),
  );
}

const dataIn = ({ folder }: Sandbox, name = "") => join(folder, ".muxue_rag", name);

/** Locks the folder's index as a process does that indexes it. */
async function lockedBy(sandbox: Sandbox): Promise<Deno.FsFile> {
  await writeFiles(sandbox.folder, { ".muxue_rag/lock": "" });
  const lock = await Deno.open(dataIn(sandbox, "lock"), { write: true });
  ok(await lock.tryLock(true));
  return lock;
}

/** Waits until the log has an event. */
function untilLogged({ cwd }: Sandbox, event: string): Promise<void> {
  const folder = join(cwd, "state", "logs");
  return until(async () =>
    await exists(folder) && [...Deno.readDirSync(folder)]
      .some(({ name }) => Deno.readTextFileSync(join(folder, name)).includes(event))
  );
}

Deno.test("serve builds the index while it serves; the next start indexes the changes", async () => {
  await using sandbox = await makeSandbox(TEA);
  const argv = ["--dir", sandbox.folder, "--update"];
  {
    await using pipe = await openPipe(sandbox, argv);
    match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
    const { code, stderr } = await pipe.end();
    equal(code, 0);
    match(stderr, UPDATED);
  }
  await writeFiles(sandbox.folder, { "new.md": "# Zeppelin\n\nA rigid airship.\n" });
  await using pipe = await openPipe(sandbox, argv);
  match(await searchUntilFound(pipe, "green tea"), /Green tea/);
  match(await searchUntilFound(pipe, "zeppelin airship"), /A rigid airship/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, UPDATED);
});

Deno.test("serve --no-watch and serve with index.watch: false write nothing", async () => {
  await using sandbox = await makeSandbox(TEA);
  const env = { ...sandbox.env, MUXUE_RAG_INDEX_WATCH: "false" };
  await using byFlag = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  await using bySetting = await openPipe({ ...sandbox, env });
  for (const pipe of [byFlag, bySetting]) {
    equal((await pipe.search("green tea")).result.structuredContent.message, NOT_READY);
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (const pipe of [byFlag, bySetting]) equal((await pipe.end()).code, 0);
  equal(await exists(dataIn(sandbox)), false);
});

/** The lock of the folder's index is free, and no temporary file is left. */
async function isLeftClean(sandbox: Sandbox): Promise<void> {
  using file = await Deno.open(dataIn(sandbox, "lock"), { write: true });
  ok(await file.tryLock(true));
  deepEqual([...Deno.readDirSync(dataIn(sandbox))].filter(({ name }) => /tmp/.test(name)), []);
}

Deno.test("serve ends with its client during indexing, frees the lock and leaves no files", async () => {
  await using sandbox = await makeSandbox(muchText());
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
  await until(() => exists(dataIn(sandbox, "lock")));
  const { code, stderr } = await pipe.end();
  equal(code, 0, stderr);
  await isLeftClean(sandbox);
});

posixTest("Ctrl-C ends serve during indexing", async () => {
  await using sandbox = await makeSandbox(muchText());
  const child = spawnIn(sandbox, sandbox.start(["serve", "--dir", sandbox.folder]));
  const stdout = new Response(child.stdout).text();
  const stderr = new Response(child.stderr).text();
  await until(() => exists(dataIn(sandbox, "lock")));
  child.kill("SIGINT");
  deepEqual([(await child.status).code, await stdout], [130, ""]);
  equal(/未能更新/.test(await stderr), false);
  await child.stdin.close().catch(() => {});
  await isLeftClean(sandbox);
});

Deno.test("serve leaves a folder to another process that is indexing it, tells only those who search, and indexes it if that process does not finish", async () => {
  await using sandbox = await makeSandbox(TEA);
  const lock = await lockedBy(sandbox);
  {
    await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
    await untilLogged(sandbox, "serve.update_busy");
    const { code, stderr } = await pipe.end();
    deepEqual([code, stderr], [0, ""]);
  }
  await Deno.remove(join(sandbox.cwd, "state", "logs"), { recursive: true });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder]);
  await untilLogged(sandbox, "serve.update_busy");
  const { structuredContent, content: [{ text }] } = (await pipe.search("green tea")).result;
  equal(structuredContent.message, NOT_READY);
  ok(text.includes(`索引正在建立，无需另行处理，请稍后再检索：${sandbox.folder}`));
  ok(!text.includes("%"));
  lock.close();
  match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, UPDATED);
});

Deno.test("serve reports a folder that fails, and continues with the next", async () => {
  await using sandbox = await makeSandbox(TEA);
  const bad = join(sandbox.cwd, "bad");
  await writeFiles(bad, { ".muxue_rag": "a file" });
  // Like the MCP bundle, which replaces one argument by all chosen folders.
  await using pipe = await openPipe(sandbox, ["--dir", bad, sandbox.folder]);
  match(await searchUntilFound(pipe, "green tea"), /Green tea wants 80 degrees/);
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  match(stderr, /注意：目录 .*bad 的索引未能更新：.*\.muxue_rag 不是普通的文件夹/);
  await untilLogged(sandbox, "serve.update_failed");
});
