import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { DEFAULTS } from "#foundation/configuration/mod.ts";
import { type LanguageFailure, openLanguageModel } from "#models/language/mod.ts";
import { knownWindow } from "#models/language/presets.ts";
import { fitted, Window, windowIn } from "#models/language/window.ts";
import { LanguageServer, type Speech } from "./_servers/mod.ts";

Deno.test("a request that is too long loses the middle of its prompt, and keeps its beginning and its end", () => {
  const request = { task: "enrich", instructions: "Name it.", maxOutputTokens: 600 } as const;
  const long = `<text>${"The pear tree stands by the river. ".repeat(1000)}</text>`;
  const { prompt, maxOutputTokens } = fitted({ ...request, prompt: long }, 4096);
  equal(maxOutputTokens, 600);
  ok(prompt.length * 0.28 < 4096 - 600 && prompt.length > 8000);
  ok(prompt.startsWith("<text>The pear") && prompt.endsWith("river. </text>") && prompt.includes("\n…\n"));
  deepEqual(fitted({ ...request, prompt: "short" }, 4096), { prompt: "short", maxOutputTokens: 600 });
  equal(fitted({ ...request, prompt: "short" }, 1024).maxOutputTokens, 512);
});

Deno.test("windowIn() reads the window from a server's refusal", () => {
  const cases: [words: string, window: number | undefined][] = [
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192],
    ["greater than the context length (n_keep: 5000>= n_ctx: 4096)", 4096],
    ["the request exceeds the available context size (2048 tokens)", 2048],
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    ["no", undefined],
  ];
  for (const [words, window] of cases) equal(windowIn(words), window, words);
});

Deno.test("a window only becomes smaller, and a server that does not tell it is no failure", async () => {
  let asked = 0;
  const window = new Window(8192, () => {
    asked++;
    return Promise.reject(new Error("no"));
  });
  await window.ask();
  await window.ask();
  deepEqual([asked, window.tokens], [1, 8192]);
  deepEqual([window.learn(16_384), window.learn(4096), window.learn(8), window.tokens], [
    false,
    true,
    false,
    4096,
  ]);
});

Deno.test("a caller that gives up does not wait until the server has told another one its window", async () => {
  const told = Promise.withResolvers<number>();
  const window = new Window(8192, () => told.promise);
  const first = window.ask();
  const reason = new Error("enough");
  await rejects(window.ask(AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const second = window.ask(controller.signal);
  controller.abort(reason);
  await rejects(second, reason);
  told.resolve(4096);
  await first;
  equal(window.tokens, 4096);
});

Deno.test("the windows of services are known by the names of their models, those of other servers are small", () => {
  equal(knownWindow("openai", "gpt-4.1-mini"), 1_000_000);
  equal(knownWindow("openai", "gpt-4"), 8192);
  equal(knownWindow("anthropic", "claude-sonnet-4-5"), 200_000);
  equal(knownWindow("ollama", "qwen3:4b"), 8192);
  equal(knownWindow("openai-compatible", "gpt-4.1"), 8192);
});

for (const speech of ["ollama", "vllm", "lmstudio"] satisfies Speech[]) {
  Deno.test(`${speech}: a request is cut to the window that the server tells`, async () => {
    await using server = await LanguageServer.start(speech, { contextTokens: 2048 });
    const model = await openLanguageModel({ ...DEFAULTS["vision_llm"], ...server.llm() });
    equal(model.contextTokens, 8192);
    const { value } = await model.text({
      task: "answer",
      instructions: "Answer.",
      prompt: "The pear tree stands by the river. ".repeat(1000),
      maxOutputTokens: 300,
    });
    equal(value, "OK");
    ok(server.requests[0]!.inputTokens < 2048);
    equal(server.requests.length, 1);
    if (speech === "ollama") equal(server.requests[0]!.body.options.num_ctx, 2048);
  });
}

Deno.test("a server that refuses a request as too long is asked again with less", async () => {
  await using server = await LanguageServer.start("openai-compatible", { contextTokens: 3000 });
  const model = await openLanguageModel({ ...DEFAULTS["vision_llm"], ...server.llm() });
  const prompt = "The pear tree stands by the river. ".repeat(800);
  const { usage } = await model.text({
    task: "answer",
    instructions: "Answer.",
    prompt,
    maxOutputTokens: 300,
  })
    .catch((error: LanguageFailure) => {
      throw new Error(`${error.key} ${error.params["words"]}`);
    });
  equal(usage.calls, 2);
});
