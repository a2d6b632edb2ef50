import { rejects } from "node:assert/strict";
import { EmbeddingPool } from "#models/embedding/mod.ts";
import { smallTable } from "./_small_table.ts";

const table = smallTable();

Deno.test("embed() rejects if the worker fails, and for every later batch", async () => {
  using pool = new EmbeddingPool(table, 2, new URL(`data:text/javascript,throw new Error("no thread")`));
  const first = [pool.embed(["river"]), pool.embed(["bank"])];
  await Promise.all(first.map((batch) => rejects(batch, /no thread/)));
  for (let i = 0; i < 4; i++) await rejects(pool.embed(["ship"]), /no thread/);
});

Deno.test("a worker that fails rejects its unfinished batches", async () => {
  const worker =
    `let sent = 0; self.onmessage = () => { if (++sent > 2) throw new Error("out of memory"); };`;
  using pool = new EmbeddingPool(table, 1, new URL(`data:text/javascript,${encodeURIComponent(worker)}`));
  const waiting = [pool.embed(["river"]), pool.embed(["bank"])];
  await Promise.all(waiting.map((batch) => rejects(batch, /out of memory/)));
  await rejects(pool.embed(["ship"]), /out of memory/);
});
