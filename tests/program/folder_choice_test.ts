import { deepEqual, equal, match } from "node:assert/strict";
import type { Io } from "#program/io.ts";
import { place, TERMINAL } from "./_place.ts";
import type { SearchData } from "#library/answer/search_answer.ts";
import { slashed } from "../_posix.ts";

/** A result of `search --json`. */
interface Found {
  readonly data: SearchData & { readonly searched: readonly string[] };
}

/** Folders `notes` (with `work/plan.txt` and `home.txt`) and `other`, both indexed, and `plain`, which is not. */
async function machine() {
  const here = await place({
    "notes/work/plan.txt": "Tomato soup for the team.\n",
    "notes/home.txt": "Tomato soup for the family.\n",
    "other/menu.txt": "Tomato soup for guests.\n",
    "plain/list.txt": "Tomato soup for nobody.\n",
  });
  const program = (cwd: string, argv: readonly string[], io: Partial<Io> = {}) =>
    here.run(argv, { cwd: here.at(cwd), ...io });
  equal((await program("notes", ["index"])).code, 0);
  equal((await program("other", ["index"])).code, 0);
  const below = (path: string) => slashed(path.slice(here.dir.length + 1));
  return {
    ...here,
    program,
    /** Names of the files found and of the folders searched, and the notes on stderr. */
    search: async (cwd: string, ...argv: string[]) => {
      const { code, stdout, stderr } = await program(cwd, ["search", "tomato soup", "--json", ...argv]);
      equal(code, 0, stderr);
      const { data } = JSON.parse(stdout) as Found;
      const files = data.match_content.map(({ file_path }) => below(file_path)).sort();
      return { files, searched: data.searched.map(below), stderr };
    },
  };
}

const ALL = ["notes/home.txt", "notes/work/plan.txt", "other/menu.txt"];

Deno.test("inside an indexed folder a search asks that folder, and --all asks every one", async () => {
  await using home = await machine();
  const inNotes = { files: ["notes/home.txt", "notes/work/plan.txt"], searched: ["notes"], stderr: "" };
  deepEqual(await home.search("notes"), inNotes);
  deepEqual(await home.search("notes/work"), inNotes);
  deepEqual(await home.search("notes", "--all"), { files: ALL, searched: ["notes", "other"], stderr: "" });
  const { stdout } = await home.program("notes", ["search", "tomato soup"]);
  match(stdout, /\nSearched: \S+\/notes \(all folders: --all\)\n$/);
  const explained = await home.program("plain", ["search", "tomato soup", "--explain"]);
  match(explained.stdout, /\nSearched: \S+\/notes, \S+\/other\n$/);
});

Deno.test("outside of indexed folders a search asks every one and says so", async () => {
  await using home = await machine();
  deepEqual(await home.search("plain"), {
    files: ALL,
    searched: ["notes", "other"],
    stderr: `The current folder, ${
      home.at("plain")
    }, is not indexed, so this is about all folders that were indexed on this machine (2). To index it, run muxue_rag index\n`,
  });
  equal((await home.program("plain", ["search", "soup", "--all", "--dir", "."])).code, 2);
});

Deno.test("where nothing is indexed, a search says how to index the current folder", async () => {
  await using home = await machine();
  const { code, stderr } = await home.program("plain", ["search", "soup"], {
    env: { MUXUE_RAG_STATE_DIR: home.at("fresh"), MUXUE_RAG_LANGUAGE: "en" },
  });
  equal(code, 2);
  match(stderr, /To index the current folder, run muxue_rag index;/);
});

Deno.test("--dir below an indexed folder searches its index there, without a second index", async () => {
  await using home = await machine();
  deepEqual(await home.search("plain", "--dir", home.at("notes/work")), {
    files: ["notes/work/plan.txt"],
    searched: ["notes/work"],
    stderr: `${home.at("notes/work")} is part of the indexed folder ${
      home.at("notes")
    }, so the index of that folder is used\n`,
  });
  equal(await home.exists("notes/work/.muxue_rag"), false);
  const both = await home.search("plain", "--dir", home.at("notes/work"), "--dir", home.at("other"));
  deepEqual(both.files, ["notes/work/plan.txt", "other/menu.txt"]);
  // the whole folder is named as well
  const whole = await home.search("notes", "--dir", "work", "--dir", ".");
  deepEqual([whole.files, whole.searched, whole.stderr], [ALL.slice(0, 2), ["notes"], ""]);
});

Deno.test("index below an indexed folder is told, and asked at a terminal", async () => {
  await using home = await machine();
  const refused = await home.program("notes/work", ["index"], {
    terminal: TERMINAL,
    readLine: () => Promise.resolve("n"),
  });
  equal(refused.code, 1);
  match(
    slashed(refused.stderr),
    /is part of the indexed folder \S+\/notes, .* Build a second index\? \[y\/N\] /,
  );
  equal(await home.exists("notes/work/.muxue_rag"), false);

  const scripted = await home.program("notes/work", ["index"]);
  equal(scripted.code, 0);
  match(
    slashed(scripted.stderr),
    /^\S+\/notes\/work is part of the indexed folder \S+\/notes\. It gets a second index/,
  );
  // from now on it is a folder of its own, and is updated without a question
  deepEqual((await home.search("notes/work")).searched, ["notes/work"]);
  const again = await home.program("notes/work", ["index"], {
    terminal: { stdin: true, stdout: false, stderr: true },
    readLine: () => Promise.reject(new Error("asked")),
  });
  equal(again.code, 0);
});

Deno.test("a folder that has lost its index is searched by that of the folder around it", async () => {
  await using home = await machine();
  equal((await home.program("notes/work", ["index"])).code, 0);
  await Deno.remove(home.at("notes/work/.muxue_rag"), { recursive: true });
  deepEqual((await home.search("notes/work")).searched, ["notes"]);
  deepEqual((await home.search("plain", "--dir", home.at("notes/work"))).searched, ["notes/work"]);
  equal(await home.exists("notes/work/.muxue_rag"), false);
  // where both are lost, no index of the larger folder is built for a search in the smaller one
  await Deno.remove(home.at("notes/.muxue_rag"), { recursive: true });
  deepEqual((await home.search("plain", "--dir", home.at("notes/work"))).files, ["notes/work/plan.txt"]);
  equal(await home.exists("notes/.muxue_rag"), false);
});

Deno.test("status shows the indexed folder around the current one, all outside, and the parent of --dir", async () => {
  await using home = await machine();
  const titles = async (cwd: string, ...argv: string[]) =>
    (await home.program(cwd, ["status", ...argv])).stdout.split("\n").filter((line) => /^\S/.test(line));
  const [notes, other] = [home.at("notes"), home.at("other")];
  deepEqual(await titles("notes/work"), [notes]);
  deepEqual(await titles("notes/work", "--all"), [notes, other]);
  deepEqual(await titles("plain"), [notes, other]);
  deepEqual(await titles("plain", "--dir", "../notes/work"), [notes]);
  const { stdout } = await home.program("plain", ["status", "--files", "--json", "--dir", "../notes/work"]);
  const [{ files }] = JSON.parse(stdout).data.folders;
  deepEqual(files.map(({ path }: { path: string }) => path), ["work/plan.txt"]);
});
