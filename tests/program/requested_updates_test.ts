import { deepEqual, equal, rejects } from "node:assert/strict";
import { KeptFolder } from "./_kept_folder.ts";
import { storeAt } from "../library/ingest/_place.ts";

const { signal } = new AbortController();

/** The numbers of an update that say what it did. */
function counts({ new: added, changed, full }: { new: number; changed: number; full: boolean }) {
  return { new: added, changed, full };
}

Deno.test("a requested update finds what was not reported, at once", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  folder.write("b.md", "banana");
  let summary;
  await folder.clock.through(() => summary = folder.updates.update(folder.root, { signal }));
  deepEqual(counts(await summary!), { new: 1, changed: 0, full: false });
  equal(folder.updates.isCurrent(), true);
});

Deno.test("requests that wait share one update", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  folder.write("b.md", "banana");
  const steps: string[] = [];
  let summaries: Promise<unknown[]>;
  await folder.clock.through(() =>
    summaries = Promise.all([
      folder.updates.update(folder.root, { signal }),
      folder.updates.update(folder.root, { signal, full: true, onProgress: ({ step }) => steps.push(step) }),
    ])
  );
  const [first, second] = await summaries!;
  equal(first, second);
  deepEqual(counts(first as never), { new: 1, changed: 0, full: true });
  equal(steps.at(-1), "done");
});

Deno.test("a request during an update waits for the next one, which finds what is written meanwhile", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  let second: ReturnType<typeof folder.updates.update> | undefined;
  let first: typeof second;
  await folder.clock.through(() =>
    first = folder.updates.update(folder.root, {
      signal,
      full: true,
      onProgress({ step }) {
        if (step !== "done" || second !== undefined) return;
        folder.write("late.md", "banana");
        second = folder.updates.update(folder.root, { signal, full: true });
      },
    })
  );
  deepEqual(counts(await first!), { new: 0, changed: 0, full: true });
  deepEqual(counts(await second!), { new: 1, changed: 0, full: false });
});

Deno.test("a cancelled update leaves the old index, and its changes are taken up later", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  folder.write("b.md", "banana");
  const client = new AbortController();
  const version = await storeAt(folder.root).version();
  let summary: Promise<unknown>;
  await folder.clock.through(() => {
    summary = folder.updates.update(folder.root, {
      signal: client.signal,
      onProgress: ({ step }) => step === "read" && client.abort(new Error("enough")),
    });
    summary.catch(() => {});
  });
  await rejects(summary!, { message: "enough" });
  equal(await storeAt(folder.root).version(), version);
  deepEqual(await folder.after(2000), [[1, 0, 0]]);
});

Deno.test("a request for everything during such an update gets it, if that update is cancelled", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  const client = new AbortController();
  let first: Promise<unknown>, second: ReturnType<typeof folder.updates.update> | undefined;
  await folder.clock.through(() => {
    first = folder.updates.update(folder.root, {
      signal: client.signal,
      full: true,
      onProgress({ step }) {
        if (step !== "read" || second !== undefined) return;
        second = folder.updates.update(folder.root, { signal, full: true });
        client.abort(new Error("enough"));
      },
    });
    first.catch(() => {});
  });
  await rejects(first!, { message: "enough" });
  await folder.after(500);
  deepEqual(counts(await second!), { new: 0, changed: 0, full: true });
});

Deno.test("an update goes on while one of those who asked for it waits", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  folder.write("b.md", "banana");
  const client = new AbortController();
  let first: Promise<unknown>, second: ReturnType<typeof folder.updates.update>;
  await folder.clock.through(() => {
    first = folder.updates.update(folder.root, {
      signal: client.signal,
      onProgress: ({ step }) => step === "read" && client.abort(new Error("enough")),
    });
    first.catch(() => {});
    second = folder.updates.update(folder.root, { signal });
  });
  await rejects(first!, { message: "enough" });
  deepEqual(counts(await second!), { new: 1, changed: 0, full: false });
});

Deno.test("a request waits for another process, and gives up after 30 s", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  folder.write("b.md", "banana");
  let patient: Promise<unknown>, answered: ReturnType<typeof folder.updates.update>;
  {
    await using _ = await storeAt(folder.root).lock();
    await folder.clock.through(() => {
      patient = folder.updates.update(folder.root, { signal });
      patient.catch(() => {});
    });
    await folder.after(30_500);
    await rejects(patient!, { key: "index_busy" });
    await folder.clock.through(() => answered = folder.updates.update(folder.root, { signal }));
    await folder.after(1000);
  }
  await folder.after(500);
  deepEqual(counts(await answered!), { new: 1, changed: 0, full: false });
});

Deno.test("requests end with the server, and with their folder", async () => {
  const folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  await rejects(folder.updates.update("/elsewhere", { signal }), { key: "directory_not_found" });
  await folder[Symbol.asyncDispose]();
  await rejects(folder.updates.update(folder.root, { signal }));
});

Deno.test("at most 100 requests wait", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  await folder.settled();
  const client = new AbortController();
  const waiting: Promise<unknown>[] = [];
  await folder.clock.through(() => {
    for (let i = 0; i < 100; i++) waiting.push(folder.updates.update(folder.root, { signal: client.signal }));
    waiting.push(rejects(folder.updates.update(folder.root, { signal }), { key: "too_many_updates" }));
  });
  await Promise.all(waiting);
});
