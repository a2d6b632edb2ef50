import { deepEqual, equal, rejects } from "node:assert/strict";
import type { IngestProgress, IngestSummary } from "#library/ingest/types.ts";
import { KeptFolder } from "./_kept_folder.ts";
import { rewriteIndex } from "../library/ingest/_index_file.ts";
import { storeAt } from "../library/ingest/_place.ts";

const { signal } = new AbortController();

/** The numbers of an update that say what it did. */
function counts({ new: added, changed, full }: { new: number; changed: number; full: boolean }) {
  return { new: added, changed, full };
}

Deno.test("a requested update finds what was not reported, at once", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  const { made } = await folder.asked();
  deepEqual(counts(await made), { new: 1, changed: 0, full: false });
  equal(folder.updates.isCurrent(), true);
});

Deno.test("requested updates check all bytes of an index if no update has done it for 5 minutes", async () => {
  const words = Array.from({ length: 4000 }, (_, i) => `word${i}`).join(" ");
  await using folder = await KeptFolder.settled({ "a.md": words });
  rewriteIndex(folder.at(".muxue_rag/index.bin"), { damaged: "texts" });
  const full: boolean[] = [];
  for (let minute = 0; minute < 6; minute += 1 / 3) {
    const { made } = await folder.asked();
    full.push((await made).full);
    await folder.clock.advance(20_000);
  }
  deepEqual([full.indexOf(true) / 3, full.filter((isFull) => isFull).length], [5, 1]);
});

Deno.test("requests that wait share one update", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  const steps: string[] = [];
  let first!: Promise<IngestSummary>, second!: typeof first;
  await folder.clock.through(() => {
    first = folder.updates.update(folder.root, { signal });
    const onProgress = ({ step }: IngestProgress) => void steps.push(step);
    second = folder.updates.update(folder.root, { signal, full: true, onProgress });
  });
  equal(await first, await second);
  deepEqual(counts(await first), { new: 1, changed: 0, full: true });
  equal(steps.at(-1), "done");
});

Deno.test("a request during an update waits for the next one, which finds what is written meanwhile", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  let second: Promise<IngestSummary> | undefined;
  const { made } = await folder.asked({
    full: true,
    onProgress({ step }) {
      if (step !== "done" || second !== undefined) return;
      folder.write("late.md", "banana");
      second = folder.updates.update(folder.root, { signal, full: true });
    },
  });
  deepEqual(counts(await made), { new: 0, changed: 0, full: true });
  deepEqual(counts(await second!), { new: 1, changed: 0, full: false });
});

/** A client that leaves when its update reads the first file. */
function leaving(atFirst: () => void = () => {}) {
  const client = new AbortController();
  const onProgress = ({ step }: IngestProgress) => {
    if (step !== "read" || client.signal.aborted) return;
    atFirst();
    client.abort(new Error("enough"));
  };
  return { signal: client.signal, onProgress };
}

Deno.test("a cancelled update leaves the old index, and its changes are taken up later", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  const version = await storeAt(folder.root).version();
  const { made } = await folder.asked(leaving());
  await rejects(made, { message: "enough" });
  equal(await storeAt(folder.root).version(), version);
  deepEqual(await folder.after(2000), [[1, 0, 0]]);
});

Deno.test("a request for everything during such an update gets it, if that update is cancelled", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  let second!: Promise<IngestSummary>;
  const client = leaving(() => second = folder.updates.update(folder.root, { signal, full: true }));
  const { made } = await folder.asked({ ...client, full: true });
  await rejects(made, { message: "enough" });
  await folder.after(500);
  deepEqual(counts(await second), { new: 0, changed: 0, full: true });
});

Deno.test("an update goes on while one of those who asked for it waits", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  let first!: Promise<IngestSummary>, second!: typeof first;
  await folder.clock.through(() => {
    first = folder.updates.update(folder.root, leaving());
    first.catch(() => {});
    second = folder.updates.update(folder.root, { signal });
  });
  await rejects(first, { message: "enough" });
  deepEqual(counts(await second), { new: 1, changed: 0, full: false });
});

Deno.test("a request waits for another process, and gives up after 30 s", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  let answered: Promise<IngestSummary>;
  {
    await using _ = await storeAt(folder.root).lock();
    const patient = await folder.asked();
    await folder.after(30_500);
    await rejects(patient.made, { key: "index_busy" });
    answered = (await folder.asked()).made;
    await folder.after(1000);
  }
  await folder.after(500);
  deepEqual(counts(await answered), { new: 1, changed: 0, full: false });
});

Deno.test("requests end with the server, and with their folder", async () => {
  const folder = await KeptFolder.settled({ "a.md": "apple" });
  await rejects(folder.updates.update("/elsewhere", { signal }), { key: "directory_not_found" });
  await folder[Symbol.asyncDispose]();
  await rejects(folder.updates.update(folder.root, { signal }));
});

Deno.test("at most 100 requests wait", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  const client = new AbortController();
  const waiting: Promise<unknown>[] = [];
  await folder.clock.through(() => {
    for (let i = 0; i < 100; i++) waiting.push(folder.updates.update(folder.root, { signal: client.signal }));
    waiting.push(rejects(folder.updates.update(folder.root, { signal }), { key: "too_many_updates" }));
  });
  await Promise.all(waiting);
});
