import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { z } from "zod";
import { UserError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { type GeneratedTask, Generator } from "#library/generate/mod.ts";
import type { Answered, LanguageModel, ModelRequest } from "#models/language/mod.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";

const TASK: GeneratedTask<string, { title: string }> = {
  name: "enrich",
  version: 1,
  schema: z.object({ title: z.string() }),
  maxOutputTokens: 100,
  values: (text) => ({ context: "notes.md", text }),
  checked: (value, text) => value.title === text.toUpperCase() ? value : undefined,
};

/** A model that answers with the text in capitals, as `answer` decides. */
class Capitals implements LanguageModel {
  readonly id = "test/capitals";
  readonly origin = "http://127.0.0.1:1";
  readonly isLocal = true;
  contextTokens = 8192;
  parameters = "temperature 0";
  concurrency = 2;
  readonly requests: ModelRequest[] = [];
  running = 0;
  mostRunning = 0;

  constructor(readonly answer: (text: string) => string = (text) => text.toUpperCase()) {}

  async object<Value>(request: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>> {
    this.requests.push(request);
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    await new Promise((resolve) => setTimeout(resolve));
    this.running--;
    request.signal?.throwIfAborted();
    const text = /<text-\w+>\n([\s\S]*)\n<\/text-/.exec(request.prompt)![1]!;
    const value = schema.parse({ title: this.answer(text) });
    return { value, usage: { inputTokens: 10, outputTokens: 2, isEstimated: false, calls: 1 } };
  }

  text(): Promise<Answered<string>> {
    throw new TypeError("not asked for");
  }
}

async function storeOf(): Promise<MemoryStore> {
  const store = new MemoryStore("/notes");
  await (await store.lock())[Symbol.asyncDispose]();
  return store;
}

Deno.test("a value is asked for once, kept, and known from then on without a call", async () => {
  const [store, model] = [await storeOf(), new Capitals()];
  const generator = new Generator(store.generated, model);
  equal(await generator.known(TASK, "tea", "en"), undefined);
  deepEqual(
    await Promise.all([1, 2, 3].map(() => generator.make(TASK, "tea", "en"))),
    Array(3).fill({ title: "TEA" }),
  );
  deepEqual(await generator.known(TASK, "tea", "en"), { title: "TEA" });
  deepEqual(await new Generator(store.generated, model).make(TASK, "tea", "en"), { title: "TEA" });
  equal(model.requests.length, 1);
  deepEqual(generator.usage, { inputTokens: 10, outputTokens: 2, isEstimated: false, calls: 1 });
});

Deno.test("the key of an answer depends on language, version, model, parameters and input", async () => {
  const [store, model] = [await storeOf(), new Capitals()];
  const made = async (task = TASK, text = "tea", language: "zh" | "en" = "en") =>
    await new Generator(store.generated, model).make(task, text, language);
  await made();
  await made(TASK, "tea", "zh");
  await made({ ...TASK, version: 2 });
  await made(TASK, "tea ");
  model.parameters = "temperature 1";
  await made();
  Object.assign(model, { id: "test/other" });
  await made();
  equal(model.requests.length, 6);
  await made();
  equal(model.requests.length, 6);
});

Deno.test("no more calls than allowed run at a time", async () => {
  const [store, model] = [await storeOf(), new Capitals()];
  const generator = new Generator(store.generated, model);
  await Promise.all(Array.from({ length: 20 }, (_, i) => generator.make(TASK, `tea ${i}`, "en")));
  deepEqual([model.requests.length, model.mostRunning], [20, 2]);
});

Deno.test("a rejected answer is counted and not asked for again", async () => {
  const [store, model] = [await storeOf(), new Capitals(() => "invented")];
  const generator = new Generator(store.generated, model);
  equal(await generator.make(TASK, "tea", "en"), undefined);
  equal(await generator.make(TASK, "tea", "en"), undefined);
  deepEqual([model.requests.length, generator.failures], [1, new Map([["llm_not_grounded", 1]])]);
  deepEqual([await generator.known(TASK, "tea", "en"), await generator.isDone(TASK, "tea", "en")], [
    undefined,
    true,
  ]);
});

Deno.test("a failure is counted, and the next run asks again; a used-up budget ends the run", async () => {
  const store = await storeOf();
  const model = new Capitals((text) => {
    if (text === "bad") throw new Error("broken");
    if (text === "dear") throw new UserError("llm_budget_run", { limit: 5 });
    return text.toUpperCase();
  });
  const generator = new Generator(store.generated, model);
  equal(await generator.make(TASK, "bad", "en"), undefined);
  deepEqual(await generator.make(TASK, "tea", "en"), { title: "TEA" });
  equal(await generator.make(TASK, "dear", "en"), undefined);
  equal(await generator.make(TASK, "coffee", "en"), undefined);
  deepEqual(await generator.make(TASK, "tea", "en"), { title: "TEA" }, "what is kept is given");
  deepEqual(generator.failures, new Map([["llm_failed", 1], ["llm_budget_run", 1]]));
  equal(generator.ended?.key, "llm_budget_run");
  equal(model.requests.length, 3);
  deepEqual(await new Generator(store.generated, model).make(TASK, "coffee", "en"), { title: "COFFEE" });
});

Deno.test("a server that fails again and again is not asked any more in this run", async () => {
  const model = new Capitals(() => {
    throw new Error("down");
  });
  const generator = new Generator((await storeOf()).generated, model);
  for (let i = 0; i < 30; i++) await generator.make(TASK, `tea ${i}`, "en");
  equal(model.requests.length, 8);
});

Deno.test("three requests in a row without an answer in time end a run; an answer between them counts", async () => {
  const model = new Capitals((text) => {
    if (text === "quick") return "QUICK";
    throw new UserError("llm_timeout", { url: "http://127.0.0.1:1", seconds: 60, section: "llm" });
  });
  const generator = new Generator((await storeOf()).generated, model);
  for (const text of ["a", "b", "quick", "c", "d"]) await generator.make(TASK, text, "en");
  const before = generator.ended?.key;
  for (const text of ["e", "f", "g"]) await generator.make(TASK, text, "en");
  deepEqual([before, generator.ended?.key, model.requests.length], [undefined, "llm_timeout", 6]);
});

Deno.test("a caller that gives up does not fail another that waits for the same value", async () => {
  const [store, model] = [await storeOf(), new Capitals()];
  const generator = new Generator(store.generated, model);
  const stop = new AbortController();
  const [first, second] = [generator.make(TASK, "tea", "en", stop.signal), generator.make(TASK, "tea", "en")];
  setTimeout(() => stop.abort(new Error("stopped")));
  await rejects(first, /stopped/);
  deepEqual(await second, { title: "TEA" });
  equal(generator.failures.size, 0);
});

Deno.test("a request fits into the model's window", async () => {
  const [store, model] = [await storeOf(), new Capitals(() => "")];
  model.contextTokens = 2048;
  const generator = new Generator(store.generated, model);
  await generator.make(TASK, "长".repeat(10_000), "zh");
  const [{ prompt, instructions }] = model.requests as [ModelRequest];
  ok(prompt.length + instructions.length < 2048 / 0.75);
});

Deno.test("with an identity, only that part of the input decides the key", async () => {
  const [store, model] = [await storeOf(), new Capitals((text) => text.toUpperCase())];
  const { checked: _, ...task } = TASK;
  const ofLength = { ...task, identity: (text: string) => `${text.length}` };
  const generator = new Generator(store.generated, model);
  deepEqual(await generator.make(ofLength, "tea", "en"), { title: "TEA" });
  deepEqual(await generator.make(ofLength, "cup", "en"), { title: "TEA" });
  deepEqual(await generator.make(ofLength, "pot!", "en"), { title: "POT!" });
  equal(model.requests.length, 2);
});

Deno.test("a request that the model refuses is counted and not sent again", async () => {
  const store = await storeOf();
  const model = new Capitals(() => {
    throw new UserError("llm_refusal" as MessageKey);
  });
  const generator = new Generator(store.generated, model);
  for (let i = 0; i < 20; i++) equal(await generator.make(TASK, "tea", "en"), undefined);
  for (let i = 0; i < 20; i++) await generator.make(TASK, `tea ${i}`, "en");
  deepEqual([model.requests.length, generator.failures, generator.ended], [
    21,
    new Map([["llm_refusal", 21]]),
    undefined,
  ]);
});
