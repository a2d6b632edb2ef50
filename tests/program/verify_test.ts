import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { sectionOf } from "../engine/index/_blob_forge.ts";
import { place as folder } from "./_place.ts";
import { ON_WINDOWS } from "../_posix.ts";

/** A folder `notes` with an index, and the program. */
async function place() {
  const files = { "notes/tea.md": "Green tea is steeped at 70 °C.\n", "notes/水.txt": "水要烧开。\n" };
  const here = await folder(files, { MUXUE_RAG_EMBEDDING_PROVIDER: "none" });
  return {
    notes: here.at("notes"),
    index: here.at("notes/.muxue_rag/index.bin"),
    env: here.env,
    async run(...argv: string[]) {
      const { stdout, ...rest } = await here.run(argv);
      return { ...rest, stdout: stdout.replaceAll(/[\d.]+ kB/g, "N kB") };
    },
    [Symbol.asyncDispose]: here[Symbol.asyncDispose],
  };
}

/** A name with a control character, which names on Windows cannot have. */
const NEW = ON_WINDOWS ? "new.txt" : "new\u001b.txt";

Deno.test("verify prints its verdict and findings, exit code 0 while the index is sound", async () => {
  await using work = await place();
  equal((await work.run("--dir", "notes", "--quiet")).code, 0);
  deepEqual(await work.run("verify"), {
    code: 0,
    stdout: [
      work.notes,
      "  Verdict  sound, and up to date with the folder",
      "  Index    2 files, 2 chunks, N kB, all checked",
      "  Folder   sizes and times of the files are as indexed",
      "",
    ].join("\n"),
    stderr: `Checking the index of ${work.notes}\nScanning ${work.notes}\n`,
  });
  await Deno.writeTextFile(join(work.notes, NEW), "new");
  deepEqual(await work.run("verify", "--deep", "--dir", "notes", "--quiet"), {
    code: 0,
    stdout: [
      work.notes,
      "  Verdict   sound, but older than the folder",
      "  Index     2 files, 2 chunks, N kB, all checked",
      "  Folder    1 new, 0 changed, 0 removed",
      "  Contents  2 files have the indexed content",
      `  To do     update the index: muxue_rag --dir ${work.notes}`,
      `  ! ${ON_WINDOWS ? NEW : "new␛.txt"}`,
      "",
    ].join("\n"),
    stderr: "",
  });
  const { code, message, data } = JSON.parse((await work.run("verify", "--json", "--deep")).stdout);
  deepEqual([code, message], [200, "No problems found"]);
  const [{ indexedAt, indexBytes, ...folder }] = data.folders;
  ok(Date.parse(indexedAt) > 0 && indexBytes > 1000);
  deepEqual(folder, {
    root: work.notes,
    state: "behind",
    stale: { new: 1, changed: 0, removed: 0 },
    stalePaths: [NEW],
    files: 2,
    chunks: 2,
    compared: 2,
    differing: [],
    unreadable: [],
    busy: false,
  });
});

Deno.test("verify names the problem of an index and the remedy, exit code 1", async () => {
  await using work = await place();
  const verdictOf = async (...argv: string[]) => {
    const { code, stdout } = await work.run("verify", "--dir", "notes", "--quiet", ...argv);
    return [code, ...stdout.split("\n").slice(1, -1)];
  };
  const rebuild = `muxue_rag --dir ${work.notes}`;
  deepEqual(await verdictOf(), [1, "  Verdict  no index", `  To do    build the index: ${rebuild}`]);
  await work.run("--dir", "notes", "--quiet");
  const sound = await Deno.readFile(work.index);
  const damaged = sound.slice();
  sectionOf(damaged, "texts")[0]! ^= 1;
  await Deno.writeFile(work.index, damaged);
  const [code, verdict, detail, todo] = await verdictOf();
  deepEqual([code, verdict, todo], [
    1,
    "  Verdict  the index is damaged",
    `  To do    rebuild the index: ${rebuild}`,
  ]);
  match(String(detail), /^ {2}Reason {3}The index is damaged \(.+\) and must be rebuilt$/);
  const json = JSON.parse((await work.run("verify", "--json", "--quiet")).stdout);
  deepEqual([json.code, json.message, json.data.folders[0].state], [500, "Problem found", "damaged"]);
  work.env["MUXUE_RAG_LANGUAGE"] = "zh";
  match((await work.run("verify")).stdout, /\n {2}结论 {2}索引已损坏\n/);
});

Deno.test("verify without a folder is wrong usage while no folder was indexed", async () => {
  await using work = await place();
  equal((await work.run("verify")).code, 2);
});
