import { rejects } from "node:assert/strict";
import { BuiltinEmbedder } from "#library/ingest/chunk_embedder.ts";
import { smallTable } from "../../models/embedding/_small_table.ts";

const NO_THREAD = new URL(`data:text/javascript,throw new Error("no thread")`);
/** More than a batch. */
const LONG = "river ".repeat(30_000);
/** More batches than the queue has room for. */
const MANY = 100;

Deno.test("add() and finish() throw the failure of the threads", async () => {
  await using embedder = new BuiltinEmbedder(smallTable(), 1, NO_THREAD);
  embedder.begin({ setVector: () => {} });
  await rejects(async () => {
    for (let chunk = 0; chunk < MANY; chunk++) await embedder.add(chunk, LONG);
  }, /no thread/);
  await rejects(embedder.finish(), /no thread/);
});

Deno.test("finish() throws if the threads failed before it sent the last chunks", async () => {
  await using embedder = new BuiltinEmbedder(smallTable(), 1, NO_THREAD);
  embedder.begin({ setVector: () => {} });
  await embedder.add(0, LONG);
  await embedder.add(1, "ship");
  // The thread needs time to fail.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await rejects(embedder.finish(), /no thread/);
});
