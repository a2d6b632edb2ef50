import assert from "node:assert/strict";
import { BuiltinProvider } from "#models/embedding/mod.ts";
import { smallTable } from "./_small_table.ts";

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

Deno.test("embed() returns a vector of length 1 for each text, and zeros for a text without words", async () => {
  const provider = new BuiltinProvider(smallTable());
  const vectors = await provider.embed(["the river", "银行", "!?", ""], "document");
  assert.deepEqual(vectors.map((vector) => vector.length), [4, 4, 4, 4]);
  assert.deepEqual(vectors.map((vector) => Math.round(dot(vector, vector) * 1e5) / 1e5), [1, 1, 0, 0]);
});

Deno.test("a query is closest to the text of the same meaning, also in the other language", async () => {
  const provider = new BuiltinProvider(smallTable());
  const [query, river, bank] = await provider.embed(["the bridge", "长江大桥", "银行"], "query");
  assert.ok(dot(query!, river!) > dot(query!, bank!));
});

Deno.test("texts that share a name which is not in the table are closer", async () => {
  const provider = new BuiltinProvider(smallTable());
  const [a, b, c] = await provider.embed(["bank zyx", "river zyx", "river qwv"], "document");
  assert.ok(dot(a!, b!) > dot(a!, c!));
});

Deno.test("a vector does not depend on the other texts of the call", async () => {
  const provider = new BuiltinProvider(smallTable());
  const [alone] = await provider.embed(["river bank"], "document");
  const [, beside] = await provider.embed(["长江", "river bank"], "query");
  assert.deepEqual(alone, beside);
});

Deno.test("embed() throws the reason of its signal", async () => {
  const provider = new BuiltinProvider(smallTable());
  const reason = new Error("enough");
  await assert.rejects(provider.embed(["river"], "document", AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const running = provider.embed(Array(4000).fill("river ".repeat(100)), "document", controller.signal);
  controller.abort(reason);
  await assert.rejects(running, reason);
});
