import assert from "node:assert/strict";
import { DocumentError } from "#documents/mod.ts";
import { encodeFrame } from "#library/extract/frames.ts";
import { Extractor, ExtractorUnavailableError } from "#library/extract/mod.ts";
import { type OpenConnection, processOf } from "#foundation/boundary/mod.ts";
import { openProcess } from "./_open_process.ts";

/** Processes whose loaders misbehave. */
const openHostile = openProcess(new URL("./_hostile_main.ts", import.meta.url));

const bytes = (text: string) => new TextEncoder().encode(text);
const file = { path: "a.x" };

function problem(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error) => `${(error as DocumentError).problem}: ${(error as Error).message}`,
  );
}

Deno.test("documents are read one after another in one process, or in several", async () => {
  for (const processes of [1, 2]) {
    using extractor = new Extractor(openHostile, { processes });
    const texts = ["", "one", "二\n", "x".repeat(3_000_000)];
    const documents = await Promise.all(texts.map((text) => extractor.extract("text", bytes(text), file)));
    assert.deepEqual(documents.map(({ text }) => text), texts);
    const { text } = await extractor.extract("surrogate", bytes(""), file);
    assert.equal(text, "a\ufffdb");
  }
});

Deno.test("an error of a loader is reported as a problem of the document", async () => {
  using extractor = new Extractor(openHostile);
  assert.equal(
    await problem(extractor.extract("encrypted", bytes(""), file)),
    "encrypted: a password is needed",
  );
  assert.match(await problem(extractor.extract("broken", bytes(""), file)), /^damaged: .*JSON/);
  assert.match(await problem(extractor.extract("deep", bytes(""), file)), /^too_complex: Maximum call stack/);
  assert.equal(await problem(extractor.extract("none", bytes(""), file)), "unsupported: no loader for none");
});

Deno.test("a rejection that a loader leaves unhandled does not end the process", async () => {
  let started = 0;
  using extractor = new Extractor((...events) => {
    started++;
    return openHostile(...events);
  });
  for (const text of ["first", "second"]) {
    assert.equal((await extractor.extract("careless", bytes(""), file)).text, "read");
    assert.equal((await extractor.extract("text", bytes(text), file)).text, text);
  }
  assert.equal(started, 1);
});

Deno.test("a document that takes too much time or memory is stopped, and the next one is read", async () => {
  using extractor = new Extractor(openHostile);
  const outcomes = await Promise.all([
    problem(extractor.extract("loop", bytes(""), file)),
    problem(extractor.extract("memory", bytes("1"), file)),
    extractor.extract("text", bytes("next"), file),
  ]);
  assert.deepEqual(outcomes, [
    "too_complex: it took more than 0.5 s",
    "too_complex: it needed more than 600 MB of memory",
    { text: "next", sections: [] },
  ]);
});

Deno.test("the parsing thread has no permissions", async () => {
  using extractor = new Extractor(openHostile);
  const { text } = await extractor.extract("curious", bytes(""), file);
  assert.deepEqual(text.split("\n").sort(), [
    "env: NotCapable",
    "list: NotCapable",
    "net: NotCapable",
    "read: NotCapable",
    "run: NotCapable",
    "sys: NotCapable",
    "worker: NotCapable",
    "write: NotCapable",
  ]);
});

Deno.test("a process whose stdin ends stops the document that it is reading", async () => {
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let answers = -1;
  const connection = openHostile({ onData: () => (answers++, ready.resolve()), onEnd: ended.resolve });
  await ready.promise;
  // Reading to the end would take a minute.
  connection.send(encodeFrame({ id: 1, format: "loop", path: "a.x" }, bytes("1")));
  await new Promise((resolve) => setTimeout(resolve, 200));
  connection.close();
  assert.equal(await ended.promise, "its process ended with code 0");
  assert.equal(answers, 0);
});

Deno.test("a process that cannot be started is reported with the reason", async () => {
  using extractor = new Extractor(processOf("/no/such/program", [], {}));
  await assert.rejects(
    extractor.extract("text", bytes(""), file),
    (error: Error) =>
      error instanceof ExtractorUnavailableError &&
      /No such file|File not found|cannot find/.test(error.message),
  );
});

Deno.test("a cancelled document does not delay the others", async () => {
  using extractor = new Extractor(openHostile);
  await extractor.extract("text", bytes("first"), file);
  // The loop would take a minute.
  const abort = new AbortController();
  const work = ["loop", "text"].map((format) => extractor.extract(format, bytes("1"), file, abort.signal));
  const next = extractor.extract("text", bytes("next"), file);
  abort.abort(new Error("wanted no longer"));
  const outcomes = (await Promise.allSettled(work)).map((outcome) =>
    outcome.status === "rejected" ? outcome.reason.message : outcome.value.text
  );
  assert.deepEqual(outcomes, ["wanted no longer", "wanted no longer"]);
  assert.equal((await next).text, "next");
});

Deno.test("if only one process can be started, it reads all documents", async () => {
  let running = 0;
  const one: OpenConnection = (events) => {
    if (running > 0) return processOf("/no/such/program", [], {})(events);
    running++;
    return openHostile({
      ...events,
      onEnd: (reason) => {
        running--;
        events.onEnd(reason);
      },
    });
  };
  using extractor = new Extractor(one, { processes: 2 });
  const texts = ["one", "two", "three", "four"];
  const documents = await Promise.all(texts.map((text) => extractor.extract("text", bytes(text), file)));
  assert.deepEqual(documents.map(({ text }) => text), texts);
});

Deno.test("an idle process ends, and another starts for the next document", async () => {
  let opened = 0, ended = 0;
  const counting: OpenConnection = (events) => {
    opened++;
    return openHostile({
      ...events,
      onEnd: (reason) => {
        ended++;
        events.onEnd(reason);
      },
    });
  };
  using extractor = new Extractor(counting, { idleMs: 50 });
  await extractor.extract("text", bytes("one"), file);
  while (ended === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await extractor.extract("text", bytes("two"), file);
  assert.equal(opened, 2);
});
