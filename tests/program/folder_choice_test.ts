import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import type { Io } from "#program/io.ts";
import { fakeContext } from "./_fake_io.ts";
import type { SearchData } from "#library/answer/search_answer.ts";

/** A result of `search --json`. */
interface Found {
  readonly data: SearchData & { readonly searched: readonly string[] };
}

/** Folders `notes` (with `work/plan.txt` and `home.txt`) and `other`, both indexed, and `plain`, which is not. */
async function machine() {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const env = {
    MUXUE_RAG_STATE_DIR: join(dir, "state"),
    MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  const program = async (cwd: string, argv: readonly string[], io: Partial<Io> = {}) => {
    const { context, stdout, stderr } = fakeContext({ io: { cwd: join(dir, cwd), env, ...io } });
    return { code: await run(argv, context.io, "1.2.3"), stdout: stdout(), stderr: stderr() };
  };
  for (const folder of ["notes/work", "other", "plain"]) {
    await Deno.mkdir(join(dir, folder), { recursive: true });
  }
  await Deno.writeTextFile(join(dir, "notes", "work", "plan.txt"), "Tomato soup for the team.\n");
  await Deno.writeTextFile(join(dir, "notes", "home.txt"), "Tomato soup for the family.\n");
  await Deno.writeTextFile(join(dir, "other", "menu.txt"), "Tomato soup for guests.\n");
  await Deno.writeTextFile(join(dir, "plain", "list.txt"), "Tomato soup for nobody.\n");
  equal((await program("notes", ["index"])).code, 0);
  equal((await program("other", ["index"])).code, 0);
  return {
    dir,
    at: (path: string) => join(dir, path),
    program,
    /** Names of the files found and of the folders searched, and the notes on stderr. */
    search: async (cwd: string, ...argv: string[]) => {
      const { code, stdout, stderr } = await program(cwd, ["search", "tomato soup", "--json", ...argv]);
      equal(code, 0, stderr);
      const { data } = JSON.parse(stdout) as Found;
      const files = data.match_content.map(({ file_path }) => file_path.slice(dir.length + 1)).sort();
      return { files, searched: data.searched.map((path) => path.slice(dir.length + 1)), stderr };
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

const ALL = ["notes/home.txt", "notes/work/plan.txt", "other/menu.txt"];

Deno.test("inside an indexed folder a search asks that folder, and --all asks every one", async () => {
  await using place = await machine();
  const inNotes = { files: ["notes/home.txt", "notes/work/plan.txt"], searched: ["notes"], stderr: "" };
  deepEqual(await place.search("notes"), inNotes);
  deepEqual(await place.search("notes/work"), inNotes);
  deepEqual(await place.search("notes", "--all"), { files: ALL, searched: ["notes", "other"], stderr: "" });
  const { stdout } = await place.program("notes", ["search", "tomato soup"]);
  match(stdout, /\nSearched: \S+\/notes \(all folders: --all\)\n$/);
  const explained = await place.program("plain", ["search", "tomato soup", "--explain"]);
  match(explained.stdout, /\nSearched: \S+\/notes, \S+\/other\n$/);
});

Deno.test("outside of indexed folders a search asks every one and says so", async () => {
  await using place = await machine();
  deepEqual(await place.search("plain"), {
    files: ALL,
    searched: ["notes", "other"],
    stderr: `The current folder, ${
      place.at("plain")
    }, is not indexed, so this is about all folders that were indexed on this machine (2). To index it, run muxue_rag index\n`,
  });
  equal((await place.program("plain", ["search", "soup", "--all", "--dir", "."])).code, 2);
});

Deno.test("where nothing is indexed, a search says how to index the current folder", async () => {
  await using place = await machine();
  const { code, stderr } = await place.program("plain", ["search", "soup"], {
    env: { MUXUE_RAG_STATE_DIR: place.at("fresh"), MUXUE_RAG_LANGUAGE: "en" },
  });
  equal(code, 2);
  match(stderr, /To index the current folder, run muxue_rag index;/);
});

Deno.test("--dir below an indexed folder searches its index there, without a second index", async () => {
  await using place = await machine();
  deepEqual(await place.search("plain", "--dir", place.at("notes/work")), {
    files: ["notes/work/plan.txt"],
    searched: ["notes/work"],
    stderr: `${place.at("notes/work")} is part of the indexed folder ${
      place.at("notes")
    }, so the index of that folder is used\n`,
  });
  equal(await exists(place.at("notes/work/.muxue_rag")), false);
  const both = await place.search("plain", "--dir", place.at("notes/work"), "--dir", place.at("other"));
  deepEqual(both.files, ["notes/work/plan.txt", "other/menu.txt"]);
  // the whole folder is named as well
  const whole = await place.search("notes", "--dir", "work", "--dir", ".");
  deepEqual([whole.files, whole.searched, whole.stderr], [ALL.slice(0, 2), ["notes"], ""]);
});

Deno.test("index below an indexed folder is told, and asked at a terminal", async () => {
  await using place = await machine();
  const terminal = { stdin: true, stdout: true, stderr: true };
  const refused = await place.program("notes/work", ["index"], {
    terminal,
    readLine: () => Promise.resolve("n"),
  });
  equal(refused.code, 1);
  match(refused.stderr, /is part of the indexed folder \S+\/notes, .* Build a second index\? \[y\/N\] /);
  equal(await exists(place.at("notes/work/.muxue_rag")), false);

  const scripted = await place.program("notes/work", ["index"]);
  equal(scripted.code, 0);
  match(
    scripted.stderr,
    /^\S+\/notes\/work is part of the indexed folder \S+\/notes\. It gets a second index/,
  );
  // from now on it is a folder of its own, and is updated without a question
  deepEqual((await place.search("notes/work")).searched, ["notes/work"]);
  const again = await place.program("notes/work", ["index"], {
    terminal: { stdin: true, stdout: false, stderr: true },
    readLine: () => Promise.reject(new Error("asked")),
  });
  equal(again.code, 0);
});

Deno.test("a folder that has lost its index is searched by that of the folder around it", async () => {
  await using place = await machine();
  equal((await place.program("notes/work", ["index"])).code, 0);
  await Deno.remove(place.at("notes/work/.muxue_rag"), { recursive: true });
  deepEqual((await place.search("notes/work")).searched, ["notes"]);
  deepEqual((await place.search("plain", "--dir", place.at("notes/work"))).searched, ["notes/work"]);
  equal(await exists(place.at("notes/work/.muxue_rag")), false);
  // where both are lost, no index of the larger folder is built for a search in the smaller one
  await Deno.remove(place.at("notes/.muxue_rag"), { recursive: true });
  deepEqual((await place.search("plain", "--dir", place.at("notes/work"))).files, ["notes/work/plan.txt"]);
  equal(await exists(place.at("notes/.muxue_rag")), false);
});

Deno.test("status shows the indexed folder around the current one, all outside, and the parent of --dir", async () => {
  await using place = await machine();
  const titles = async (cwd: string, ...argv: string[]) =>
    (await place.program(cwd, ["status", ...argv])).stdout.split("\n").filter((line) => /^\S/.test(line));
  const [notes, other] = [place.at("notes"), place.at("other")];
  deepEqual(await titles("notes/work"), [notes]);
  deepEqual(await titles("notes/work", "--all"), [notes, other]);
  deepEqual(await titles("plain"), [notes, other]);
  deepEqual(await titles("plain", "--dir", "../notes/work"), [notes]);
  const { stdout } = await place.program("plain", ["status", "--files", "--json", "--dir", "../notes/work"]);
  const [{ files }] = JSON.parse(stdout).data.folders;
  deepEqual(files.map(({ path }: { path: string }) => path), ["work/plan.txt"]);
});

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
