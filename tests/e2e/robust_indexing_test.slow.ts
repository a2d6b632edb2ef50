import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { join } from "node:path";
import { IS_ROOT, ON_WINDOWS } from "../foundation/boundary/helpers.ts";
import { makeIndexed, makeSandbox, type Sandbox, spawnIn, writeFiles } from "./_program.ts";

const index = (sandbox: Sandbox) => join(sandbox.folder, ".muxue_rag", "index.bin");
const dataFolder = (sandbox: Sandbox) =>
  [...Deno.readDirSync(join(sandbox.folder, ".muxue_rag"))].map(({ name }) => name).sort();

/** Returns the files that a search finds, without updating the index. */
async function found(sandbox: Sandbox, query: string): Promise<string[]> {
  const { code, stdout, stderr } = await sandbox
    .run`search ${query} --dir ${sandbox.folder} --json --no-update`;
  equal(code, 0, stderr);
  return JSON.parse(stdout).data.file_info.map((file: { file_name: string }) => file.file_name);
}

Deno.test("kill -9 while indexing leaves the old index answering, and the next run cleans up", async () => {
  await using sandbox = await makeIndexed({ "a.txt": "an apple" });
  const { folder } = sandbox;
  const before = await Deno.readFile(index(sandbox));
  // Enough text for at least a second of indexing.
  const words = Array.from({ length: 20_000 }, (_, at) => `word${(at * 7919) % 20_000}`).join(" ");
  const much = Array.from({ length: 150 }, (_, file) => `${file}.txt`);
  await writeFiles(folder, Object.fromEntries(much.map((name) => [name, `${name} ${words}`])));
  const child = spawnIn(sandbox, sandbox.start(["--dir", folder]), "null");
  // until the run writes its new index
  while (!dataFolder(sandbox).some((name) => name.endsWith(".tmp"))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill("SIGKILL");
  equal((await child.output()).success, false);

  deepEqual(await Deno.readFile(index(sandbox)), before);
  equal(dataFolder(sandbox).filter((name) => name.endsWith(".tmp")).length, 1);
  deepEqual(await found(sandbox, "apple"), ["a.txt"]);

  for (const name of much.slice(3)) Deno.removeSync(join(folder, name));
  const next = await sandbox.run`--dir ${folder} --json`;
  equal(next.code, 0, next.stderr);
  equal(JSON.parse(next.stdout).data.new, 3);
  deepEqual(dataFolder(sandbox), [".gitignore", "index.bin", "lock"]);
});

Deno.test({
  name: "a full disk is reported and leaves the old index unchanged",
  // Mounting a small file system requires root.
  ignore: Deno.build.os !== "linux" || !IS_ROOT,
  async fn(t) {
    await using sandbox = await makeSandbox({});
    const mounted = await new Deno.Command("mount", {
      args: ["-t", "tmpfs", "-o", "size=1m", "tmpfs", sandbox.folder],
      stderr: "null",
    }).output().catch(() => ({ success: false }));
    // In a container, even root may lack the permission.
    if (!mounted.success) return;
    try {
      await Deno.writeTextFile(join(sandbox.folder, "a.txt"), "an apple");
      equal((await sandbox.run`--dir ${sandbox.folder}`).code, 0);
      const before = await Deno.readFile(index(sandbox));
      const message =
        /^Error: The disk is full, so .*\.muxue_rag could not be written; the existing index is unchanged. Free some space and try again\n$/m;
      const text = Array.from({ length: 60_000 }, (_, at) => `w${at}`).join(" ");
      await Deno.writeTextFile(join(sandbox.folder, "b.txt"), text);

      await t.step("while the index is written", async () => {
        const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
        equal(run.code, 1, run.stdout);
        match(run.stderr, message);
        deepEqual(await Deno.readFile(index(sandbox)), before);
        deepEqual(dataFolder(sandbox), [".gitignore", "index.bin", "lock"]);
      });
      await t.step("from the start", async () => {
        await using _filled = await fill(join(sandbox.folder, "filling"));
        const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
        equal(run.code, 1, run.stdout);
        match(run.stderr, message);
        deepEqual(await Deno.readFile(index(sandbox)), before);
        deepEqual(await found(sandbox, "apple"), ["a.txt"]);
      });
      await t.step("with room again all is well", async () => {
        await Deno.remove(join(sandbox.folder, "b.txt"));
        equal((await sandbox.run`--dir ${sandbox.folder}`).code, 0);
      });
      await t.step("a disk that cannot be written to", async () => {
        await Deno.writeTextFile(join(sandbox.folder, "c.txt"), "a pear");
        const remount = (how: string) =>
          new Deno.Command("mount", { args: ["-o", `remount,${how}`, sandbox.folder] }).output();
        equal((await remount("ro")).success, true);
        const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
        equal(run.code, 1, run.stdout);
        match(
          run.stderr,
          /^Error: Cannot write to .*\.muxue_rag.*Read-only file system.* Check the permissions and the disk\n$/m,
        );
        deepEqual(await found(sandbox, "apple"), ["a.txt"]);
        equal((await remount("rw")).success, true);
      });
    } finally {
      await new Deno.Command("umount", { args: [sandbox.folder] }).output();
    }
  },
});

/** Writes a file until the disk is full. Disposal removes the file. */
async function fill(path: string): Promise<AsyncDisposable> {
  const file = await Deno.open(path, { createNew: true, write: true });
  try {
    for (;;) await file.write(new Uint8Array(4096));
  } catch {
    // full
  } finally {
    file.close();
  }
  return { [Symbol.asyncDispose]: () => Deno.remove(path) };
}

Deno.test({
  name: "a read-only data folder is reported, and its index still answers",
  // Root can write even to read-only folders.
  ignore: ON_WINDOWS || IS_ROOT,
  async fn() {
    await using sandbox = await makeIndexed({ "a.txt": "an apple" });
    const before = await Deno.readFile(index(sandbox));
    await Deno.writeTextFile(join(sandbox.folder, "b.txt"), "a pear");
    const folder = join(sandbox.folder, ".muxue_rag");
    await Deno.chmod(folder, 0o555);
    try {
      const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
      equal(run.code, 1, run.stdout);
      match(run.stderr, /^Error: Cannot write to .*\.muxue_rag.*Permission denied/m);
      deepEqual(await Deno.readFile(index(sandbox)), before);
      deepEqual(await found(sandbox, "apple"), ["a.txt"]);
    } finally {
      await Deno.chmod(folder, 0o755);
    }
  },
});

Deno.test("a damaged index is reported, and the next run rebuilds it", async () => {
  await using sandbox = await makeIndexed({ "a.txt": "an apple" });
  const bytes = await Deno.readFile(index(sandbox));
  bytes[bytes.length - 1]! ^= 1;
  await Deno.writeFile(index(sandbox), bytes);

  const search = await sandbox.run`search apple --dir ${sandbox.folder} --no-update`;
  notEqual(search.code, 0);
  match(search.stderr, /RAG数据库未就绪，请先处理目标目录构建数据库/);
  const status = await sandbox.run`status --dir ${sandbox.folder} --language en`;
  match(status.stdout, /damaged, needs rebuilding/);
  const run = await sandbox.run`--dir ${sandbox.folder} --language en`;
  equal(run.code, 0, run.stderr);
  match(run.stdout, /Rebuilt from scratch: The index is damaged \(checksum of the block table\)/);
  deepEqual(await found(sandbox, "apple"), ["a.txt"]);
});
