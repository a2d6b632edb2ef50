import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { dataFolderIn, indexDirOf } from "#foundation/registry.ts";
import { place as folder } from "./_place.ts";

/** Two folders, and the program. */
async function place() {
  const files = { "我的 notes/tea.md": "Green tea.\n", "papers/tea.md": "Black tea.\n" };
  const here = await folder(files, { MUXUE_RAG_EMBEDDING_PROVIDER: "none" });
  return {
    dir: here.dir,
    notes: here.at("我的 notes"),
    papers: here.at("papers"),
    indexes: here.at("kept", "indexes"),
    run: (...argv: string[]) => here.run([...argv, "--quiet"]),
    [Symbol.asyncDispose]: here[Symbol.asyncDispose],
  };
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("--index-dir keeps each index in a folder named after its folder and writes nothing into that", async () => {
  await using work = await place();
  for (const dir of [work.notes, work.papers]) {
    const { code, stderr } = await work.run("--dir", dir, "--index-dir", "kept/indexes");
    equal(code, 0, stderr);
    deepEqual(names(dir), ["tea.md"]);
  }
  const [papers = "", notes = ""] = names(work.indexes);
  match(notes, /^我的_notes-[0-9a-f]{16}$/);
  match(papers, /^papers-[0-9a-f]{16}$/);
  for (const name of [notes, papers]) {
    deepEqual(names(join(work.indexes, name)), [".gitignore", "index.bin", "lock"]);
  }
});

Deno.test("commands without --index-dir find the index where it was put, until it is deleted", async () => {
  await using work = await place();
  const { notes, indexes } = work;
  const backup = join(work.dir, "backup");
  equal((await work.run("--dir", notes, "--index-dir", indexes)).code, 0);
  const folder = dataFolderIn(indexes, notes);
  equal(await indexDirOf(join(work.dir, "state"), notes), folder);
  const said = async (...argv: string[]) => {
    const { code, stdout, stderr } = await work.run(...argv);
    equal(code, 0, `${argv}: ${stdout}${stderr}`);
    return stdout;
  };
  match(await said("status"), /State {5,}ready/);
  match(await said("verify", "--deep"), /sound, and up to date/);
  match(await said("doctor", "--dir", notes), /No problems found/);
  await Deno.writeTextFile(join(notes, "new.md"), "Oolong.\n");
  match(await said("search", "oolong", "--dir", notes), /Oolong/);
  match(await said("search", "oolong", "--no-update"), /Oolong/);
  await said("--dir", notes, "--full");
  await said("backup", "--dir", notes, "-bp", backup);
  await said("restore", backup, "--dir", notes, "--yes");
  deepEqual(names(notes), ["new.md", "tea.md"]);
  await said("clean", "--dir", notes, "--yes");
  deepEqual([names(indexes), await indexDirOf(join(work.dir, "state"), notes)], [[], undefined]);
  await said("--dir", notes);
  deepEqual(names(notes), [".muxue_rag", "new.md", "tea.md"]);
});

Deno.test("an index folder inside an indexed folder is not indexed", async () => {
  await using work = await place();
  await work.run("--dir", work.notes, "--index-dir", work.notes);
  const { stdout } = await work.run("status", "--files", "--dir", work.notes);
  equal(stdout.includes("index.bin"), false, stdout);
  equal((await work.run("verify", "--dir", work.notes)).code, 0);
});

Deno.test("the list of folders names no data folder but one of this program for this folder", async () => {
  await using work = await place();
  const { notes, papers, indexes } = work;
  const state = join(work.dir, "state");
  await work.run("--dir", notes, "--index-dir", indexes);
  const [entry = ""] = names(join(state, "folders"));
  const path = join(state, "folders", entry);
  const known = JSON.parse(await Deno.readTextFile(path));
  equal(known.index, dataFolderIn(indexes, notes));
  for (const index of [papers, dataFolderIn(indexes, papers), "relative", `${known.index}/..`, 7, "/"]) {
    await Deno.writeTextFile(path, JSON.stringify({ ...known, index }));
    equal(await indexDirOf(state, notes), undefined, String(index));
  }
});
