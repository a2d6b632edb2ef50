import { deepEqual, equal, ok } from "node:assert/strict";
import type { EndsAnswer, WatchLine, WireRun } from "../../lib/pages/wire/ingestion.ts";
import { storeAt } from "../library/ingest/_place.ts";
import { startUi, type Ui } from "./_ui.ts";

const FILES = {
  "a.md": "Tea.",
  "b.md": "Coffee.",
  "broken.pdf": "not a PDF",
  "empty.md": "",
  "c.png": new Uint8Array([1]),
};

/** Runs an update to its end. Returns all that was told of it. */
async function update(ui: Ui, full = false): Promise<readonly WireRun[]> {
  const [{ name }] = (await ui.call("session/info")).collections;
  const { run } = await ui.call("ingestion/start", { folder: name, full });
  const lines: WatchLine[] = await ui.lines("ingestion/watch", { run: run.id });
  return lines.map(({ run }) => run);
}

async function ends(ui: Ui, run: WireRun, more: object = {}): Promise<string[]> {
  const answer: EndsAnswer = await ui.call("ingestion/ends", { run: run.id, ...more });
  return answer.ends.map(({ path, end, reason }) =>
    reason === undefined ? `${path} ${end}` : `${path} ${end}: ${reason}`
  );
}

Deno.test("an update is told of until its end, every file has an end with its reason, and the numbers add up", async () => {
  await using ui = await startUi(FILES);
  await Deno.writeTextFile(`${ui.sandbox.folder}/d.md`, "Milk.");
  await Deno.remove(`${ui.sandbox.folder}/b.md`);
  // The update in the background may take up the changes before.
  const told = await update(ui, true);
  const last = told.at(-1)!;
  equal(last.state, "done");
  deepEqual(last.counts, { found: 5, indexed: 2, unchanged: 0, skipped: 2, failed: 1, removed: 0 });
  for (const { progress } of told) {
    if (progress === undefined) continue;
    ok(progress.totalFiles === undefined || progress.totalFiles > 0, "a total of 0 is never told");
    ok(progress.step !== "scan" || progress.totalFiles === undefined, "no total while files are counted");
  }
  const lines = await ends(ui, last);
  deepEqual(lines.map((line) => line.split(":")[0]), [
    "a.md indexed",
    "broken.pdf failed",
    "c.png skipped",
    "d.md indexed",
    "empty.md skipped",
  ]);
  ok(lines[1]!.includes("PDF"));
  deepEqual(await ends(ui, last, { end: "indexed", offset: 1 }), ["d.md indexed"]);
  deepEqual(await ends(ui, last, { text: "EMPTY" }), ["empty.md skipped: empty"]);
  const { found, indexed, unchanged, skipped, failed } = (await update(ui)).at(-1)!.counts!;
  deepEqual([found, indexed + unchanged + skipped + failed, unchanged], [5, 5, 2]);
});

Deno.test("two tabs see one run, which is also there after a reload and can be cancelled", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`${i}.md`, `Note ${i}. `.repeat(2000)]),
  );
  await using ui = await startUi(many);
  const [{ name: folder }] = (await ui.call("session/info")).collections;
  const first = await ui.call("ingestion/start", { folder, full: true });
  const second = await ui.call("ingestion/start", { folder, full: true });
  deepEqual([first.isNew, second.isNew, second.run.id], [true, false, first.run.id]);
  const { runs } = await ui.call("ingestion/state");
  deepEqual(runs.map(({ id }: WireRun) => id), [first.run.id]);
  const { id: run } = first.run;
  await ui.lines("ingestion/watch", { run }, (line: WatchLine) => line.run.state === "running");
  await ui.call("ingestion/cancel", { run });
  const told: WatchLine[] = await ui.lines("ingestion/watch", { run });
  equal(told.at(-1)!.run.state, "cancelled");
  equal((await ui.call("documents/list")).states[0].count, 400, "the index stays as it was");
});

Deno.test("a document that is taken out is not found again, its file stays, and it can be given back", async () => {
  await using ui = await startUi({ "a.md": "Green tea.", "notes/b.md": "Black tea." });
  const { folder } = ui.sandbox;
  const hits = async () => {
    const { hits } = await ui.call("search/query", { query: "tea", mode: "keyword" });
    return hits.map(({ shownPath }: { shownPath: string }) => shownPath).sort();
  };
  const stateOfB = async () => (await ui.call("documents/list", { path: "b.md" })).documents[0].state;
  deepEqual(await hits(), ["a.md", "notes/b.md"]);
  equal(await stateOfB(), "indexed");
  const path = `${folder}/notes/b.md`;
  const { count, runs: [run] } = await ui.call("ingestion/take_out", { paths: [path] });
  equal(count, 1);
  equal(await stateOfB(), "skipped");
  deepEqual(await hits(), ["a.md"], "also before the update has ended");
  const told: WatchLine[] = await ui.lines("ingestion/watch", { run: run.id });
  const { skipped, unchanged, removed } = told.at(-1)!.run.counts!;
  deepEqual({ skipped, unchanged, removed }, { skipped: 1, unchanged: 1, removed: 0 });
  await update(ui, true);
  deepEqual(await hits(), ["a.md"], "no run indexes it again");
  equal(await Deno.readTextFile(path), "Black tea.");
  const [{ name, out }] = (await ui.call("ingestion/state")).folders;
  equal(out, 1);
  deepEqual(await ui.call("ingestion/out", { folder: name }), { paths: ["notes/b.md"] });
  const listed = await ui.call("documents/list", { state: "skipped" });
  deepEqual(listed.documents.map(({ reason }: { reason: string }) => reason), [
    "taken out of the index by you",
  ]);
  const given = await ui.call("ingestion/give_back", { folder: name, paths: ["notes/b.md"] });
  await ui.lines("ingestion/watch", { run: given.runs[0].id });
  deepEqual(await hits(), ["a.md", "notes/b.md"]);
  for (const path of ["/etc/passwd", `${folder}/c.md`, `${folder}/../x`]) {
    deepEqual(await ui.ask("ingestion/take_out", { paths: [path] }), {
      status: 400,
      error: "document_not_indexed",
    });
  }
});

Deno.test("an update of another process is told of, and one that is started then waits for it", async () => {
  await using ui = await startUi({ "a.md": "Tea." });
  const root = await Deno.realPath(ui.sandbox.folder);
  const [{ name: folder }] = (await ui.call("session/info")).collections;
  // The program updates its folders when it starts.
  await update(ui);
  const lock = await storeAt(root).lock();
  deepEqual((await ui.call("ingestion/state")).folders[0].work, { isElsewhere: true });
  const { run } = await ui.call("ingestion/start", { folder });
  const [line] = (await ui.lines("ingestion/watch", { run: run.id }, ({ run }) => run.reason !== undefined))
    .slice(-1);
  equal(line.run.state, "waiting");
  ok(line.run.reason.includes(String(Deno.pid)), line.run.reason);
  await lock[Symbol.asyncDispose]();
  const told: WatchLine[] = await ui.lines("ingestion/watch", { run: run.id });
  deepEqual([told.at(-1)!.run.state, told.at(-1)!.run.counts!.unchanged], ["done", 1]);
});

Deno.test("a folder without an index is indexed", async () => {
  await using ui = await startUi({ "a.md": "Tea." }, { isNew: true });
  const { found } = (await update(ui)).at(-1)!.counts!;
  equal(found, 1);
  equal((await ui.call("search/query", { query: "tea" })).hits.length, 1);
});
