import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";

/** A temporary folder. The program runs in it, inside this process. */
async function place() {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const env = {
    MUXUE_RAG_STATE_DIR: join(dir, "state"),
    MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  return {
    dir,
    path: (...names: string[]) => join(dir, ...names),
    async run(...argv: string[]) {
      const { context, stdout, stderr } = fakeContext({ io: { cwd: dir, env } });
      const code = await run(argv, context.io, "1.2.3");
      return { code, stdout: stdout(), stderr: stderr() };
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/** Three folders: `.muxue_rag` is a file in the second, so that it cannot be searched. */
async function threeFolders(dir: string): Promise<string[]> {
  for (const name of ["a", "b", "c"]) {
    await Deno.mkdir(join(dir, name));
    await Deno.writeTextFile(join(dir, name, `${name}.txt`), "Tomato soup, every day.\n");
  }
  await Deno.writeTextFile(join(dir, "b", ".muxue_rag"), "in the way");
  return ["--dir", "a", "--dir", "b", "--dir", "c"];
}

Deno.test("config init explains why it cannot write to a path", async () => {
  await using work = await place();
  await Deno.mkdir(work.path("folder"));
  await Deno.writeTextFile(work.path("file"), "");
  for (const force of [[], ["--force"]]) {
    deepEqual(await work.run("config", "init", "--config", "missing/my.yaml", ...force), {
      code: 2,
      stdout: "",
      stderr: `Error: The folder ${work.path("missing")} does not exist, so ${
        work.path("missing", "my.yaml")
      } cannot be written. Create the folder, or choose another path\n`,
    });
    equal((await work.run("config", "init", "--config", "file/my.yaml", ...force)).code, 2);
    deepEqual(await work.run("config", "init", "--config", "folder", ...force), {
      code: 2,
      stdout: "",
      stderr: `Error: ${work.path("folder")} is a folder, not a configuration file\n`,
    });
  }
  if (Deno.build.os === "windows" || Deno.uid() === 0) return;
  await Deno.chmod(work.path("folder"), 0o500);
  const refused = await work.run("config", "init", "--config", "folder/my.yaml");
  equal(refused.code, 1);
  match(
    refused.stderr,
    /^Error: Cannot write .*my\.yaml: .*\. Check the permissions, or choose another path/,
  );
});

Deno.test("config init --force replaces a link by a new file and leaves no temporary file", async () => {
  if (Deno.build.os === "windows") return;
  await using work = await place();
  await Deno.writeTextFile(work.path("precious.txt"), "precious");
  await Deno.symlink("precious.txt", work.path("config.yaml"));
  equal((await work.run("config", "init")).code, 1, "a link is a file that exists");
  equal((await work.run("config", "init", "--force")).code, 0);
  equal(await Deno.readTextFile(work.path("precious.txt")), "precious");
  equal((await Deno.lstat(work.path("config.yaml"))).isFile, true);
  deepEqual([...Deno.readDirSync(work.dir)].map(({ name }) => name).sort(), ["config.yaml", "precious.txt"]);
});

Deno.test("restore explains why a file is not a backup", async () => {
  await using work = await place();
  await Deno.mkdir(work.path("notes"));
  await Deno.writeTextFile(work.path("file"), "");
  deepEqual(await work.run("restore", "notes", "--dir", "notes"), {
    code: 2,
    stdout: "",
    stderr: `Error: ${work.path("notes")} is not a regular file. Name a file, not a folder or a device\n`,
  });
  for (const path of [["missing.bin"], ["file", "x.bin"]]) {
    deepEqual(await work.run("restore", join(...path), "--dir", "notes"), {
      code: 2,
      stdout: "",
      stderr: `Error: The backup file ${work.path(...path)} does not exist\n`,
    });
  }
});

Deno.test("status shows the problem of one folder and continues with the others", async () => {
  await using work = await place();
  const dirs = await threeFolders(work.dir);
  await work.run("--dir", "a", "--quiet");
  const text = await work.run("status", ...dirs);
  deepEqual([text.code, text.stderr], [0, ""]);
  const blocks = text.stdout.split("\n\n");
  deepEqual(blocks.map((block) => block.split("\n").slice(0, 2)), [
    [work.path("a"), "  State       ready"],
    [work.path("b"), "  State   unusable"],
    [work.path("c"), "  State  not indexed"],
  ]);
  match(blocks[1] ?? "", /\n {2}Reason {2}.*\.muxue_rag is not a regular folder or file/);

  const { data } = JSON.parse((await work.run("status", ...dirs, "--json")).stdout);
  deepEqual(data.folders.map(({ state }: { state: string }) => state), ["ready", "unusable", "missing"]);
  equal((await work.run("status", "--dir", "b")).code, 1, "nothing could be told");
});

Deno.test("search leaves out a folder that cannot be used, with a warning", async () => {
  await using work = await place();
  const dirs = await threeFolders(work.dir);
  const answer = await work.run("search", "tomato", ...dirs);
  equal(answer.code, 0, answer.stderr);
  match(answer.stdout, /a\.txt:1 [^]*c\.txt:1 /);
  const notes = answer.stderr.split("\n");
  equal(notes[0], `Updated the index of ${work.path("a")}: 1 new, 0 changed, 0 renamed, 0 removed`);
  match(notes[1] ?? "", /^Note: Skipped the folder .*b: .*\.muxue_rag is not a regular folder or file/);
  equal(notes[2], `Updated the index of ${work.path("c")}: 1 new, 0 changed, 0 renamed, 0 removed`);
  equal(notes.length, 4);
  const asItIs = await work.run("search", "tomato", ...dirs, "--no-update");
  equal(asItIs.code, 0, asItIs.stderr);
  match(asItIs.stderr, /^Note: The index of .*b is damaged .*b\n$/);
  const alone = await work.run("search", "tomato", "--dir", "b");
  deepEqual([alone.code, alone.stdout], [1, ""]);
  match(alone.stderr, /^Error: .*\.muxue_rag is not a regular folder or file/);
});

Deno.test("search refuses a query that is too long before anything is indexed", async () => {
  await using work = await place();
  await Deno.mkdir(work.path("notes"));
  deepEqual(await work.run("search", "x".repeat(4001), "--dir", "notes"), {
    code: 2,
    stdout: "",
    stderr: "Error: The query is too long: 4001 characters; the limit is 4000. Shorten it\n",
  });
  deepEqual([...Deno.readDirSync(work.path("notes"))], []);
});
