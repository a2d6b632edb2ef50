import { deepEqual, equal, ok } from "node:assert/strict";
import { z } from "zod";
import { Estimator, type GeneratedTask, Generator } from "#library/generate/mod.ts";
import { countTokens, type LanguageModel } from "#models/language/mod.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";

const TASK: GeneratedTask<string, { title: string }> = {
  name: "enrich",
  version: 1,
  schema: z.object({ title: z.string() }),
  maxOutputTokens: 100,
  usualTokens: 20,
  values: (text) => ({ context: "notes.md", text }),
};

/** A model that answers with the text, and refuses a second call. */
function modelOf(calls: string[]): LanguageModel {
  return {
    ...{ id: "test/echo", origin: "http://127.0.0.1:1", isLocal: true, contextTokens: 8192 },
    ...{ parameters: "", concurrency: 2 },
    object: (request, schema) => {
      calls.push(request.prompt);
      const value = schema.parse({ title: "tea" });
      return Promise.resolve({
        value,
        usage: { inputTokens: 1, outputTokens: 1, isEstimated: false, calls: 1 },
      });
    },
    text: () => Promise.reject(new TypeError("not asked for")),
  };
}

Deno.test("an estimate counts each request once, and what is kept, and neither sends nor writes", async () => {
  const store = new MemoryStore("/notes");
  await (await store.lock())[Symbol.asyncDispose]();
  const calls: string[] = [];
  const model = modelOf(calls);
  await new Generator(store.generated, model).make(TASK, "green tea", "en");
  const estimator = new Estimator(store.generated, model);
  for (const text of ["green tea", "green tea", "black tea", "black tea", "绿茶"]) {
    const value = await estimator.make(TASK, text, "en");
    deepEqual(value, text === "green tea" ? { title: "tea" } : undefined);
  }
  const { inputTokens = 0, ...counts } = estimator.estimates.get("enrich") ?? {};
  deepEqual(counts, { calls: 2, outputTokens: 40, images: 0, kept: 1 });
  ok(inputTokens > 2 * 220 && inputTokens < 2 * 320, `${inputTokens}`);
  equal(calls.length, 1);
  deepEqual(await store.generated.verify(), { results: 1, damaged: 0 });
});

Deno.test("tokens are counted about as today's models count them", () => {
  const near = (text: string, tokens: number) => {
    const counted = countTokens(text);
    ok(Math.abs(counted - tokens) <= tokens / 7, `${counted} for ${tokens}`);
  };
  // By o200k_base.
  near("The quick brown fox jumps over the lazy dog. ".repeat(10), 101);
  near("Descale the coffee machine every month, and clean the filter after 250 cups. ".repeat(10), 171);
  equal(countTokens(""), 0);
  // 270 by o200k_base, 160 to 190 by the models of DeepSeek and Qwen.
  near("咖啡机应当每月除垢一次，滤网每冲泡两百五十杯清洗一次。".repeat(10), 215);
});
