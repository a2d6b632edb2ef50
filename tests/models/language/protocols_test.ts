import { deepEqual, equal, ok } from "node:assert/strict";
import { ANSWER, modelOf, NAMED, outcome, REQUEST } from "./_model.ts";
import { countTokens, KEY, LanguageServer, MODEL_NAME, type Speech, SPEECHES } from "./_servers/mod.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

Deno.test("each provider is asked in its protocol, in the best form that it accepts, and only once", async () => {
  const table: [Speech, string, string, string?][] = [
    ["openai", "responses", "json_schema"],
    ["azure", "chat", "json_schema"],
    ["openai-compatible", "chat", "json_schema"],
    ["ollama", "ollama", "json_schema"],
    ["deepseek", "chat", "json_object"],
    ["anthropic", "messages", "tool"],
    ["anthropic", "messages", "json_schema", "claude-sonnet-4-5"],
    ["lmstudio", "chat", "json_schema"],
    ["vllm", "chat", "json_schema"],
  ];
  for (const [speech, api, form, name] of table) {
    await using server = await LanguageServer.start(speech, name === undefined ? {} : { models: [name] });
    server.reply = () => ANSWER;
    const model = await modelOf(server);
    deepEqual([model.id, model.origin], [`${speech}/${name ?? MODEL_NAME}`, server.origin]);
    equal(server.raw.length, 0, "nothing is sent before the first request");
    const { value, usage } = await model.object(REQUEST, NAMED);
    deepEqual(value, ANSWER, speech);
    const [asked] = server.requests;
    deepEqual(server.requests.map(({ api, form }) => [api, form]), [[api, form]], speech);
    ok(asked!.instructions.startsWith("Answer with JSON."), speech);
    ok(asked!.prompt.includes("Name the text."), speech);
    equal(asked!.maxTokens, 200, speech);
    equal(asked!.temperature, 0, speech);
    deepEqual(usage, {
      inputTokens: asked!.inputTokens,
      outputTokens: countTokens(JSON.stringify(ANSWER)),
      isEstimated: false,
      calls: 1,
    }, speech);
  }
});

Deno.test("a text arrives in parts, with its usage", async () => {
  for (const speech of SPEECHES) {
    await using server = await LanguageServer.start(speech);
    const text = "Green tea wants 80 °C.\n绿茶宜用八十度的水冲泡。🍵";
    server.reply = () => text;
    const model = await modelOf(server);
    const parts: string[] = [];
    const { value, usage } = await model.text(REQUEST, (part) => parts.push(part));
    deepEqual([value, parts.join("")], [text, text], speech);
    ok(parts.length > 2, `${speech}: ${parts.length}`);
    const { stream, inputTokens, form } = server.requests[0]!;
    deepEqual([stream, form, server.requests.length], [true, "text", 1], speech);
    deepEqual(usage, { inputTokens, outputTokens: countTokens(text), isEstimated: false, calls: 1 }, speech);
  }
});

Deno.test("pictures arrive byte by byte with their type; a model that sees none is named", async () => {
  const blind: Partial<Record<Speech, string>> = {};
  for (const speech of SPEECHES) {
    const images = [{ bytes: PNG, mime: "image/png" }];
    for (const sees of [true, false]) {
      await using server = await LanguageServer.start(speech, { sees });
      const model = await modelOf(server);
      const answered = await outcome(model.object({ ...REQUEST, images }, NAMED));
      if (typeof answered === "string") blind[speech] = answered;
      if (!sees || speech === "deepseek") continue;
      deepEqual(server.requests[0]!.images, [{ mime: "image/png", bytes: PNG }], speech);
    }
  }
  deepEqual(blind, {
    openai: "llm_rejected",
    azure: "llm_rejected",
    "openai-compatible": "llm_rejected",
    ollama: "llm_server_error",
    deepseek: "llm_rejected",
    lmstudio: "llm_rejected",
    vllm: "llm_rejected",
  });
});

Deno.test("a form that a server refuses is not tried again, and a text with an object is enough", async () => {
  await using server = await LanguageServer.start("openai-compatible", { forms: ["text"] });
  server.reply = () => `Here:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``;
  const model = await modelOf(server);
  for (let i = 0; i < 2; i++) deepEqual((await model.object(REQUEST, NAMED)).value, ANSWER);
  deepEqual(
    server.raw.filter(({ method }) => method === "POST").map(({ body }) =>
      body.response_format?.type ?? "text"
    ),
    [
      "json_schema",
      "json_object",
      "text",
      "text",
    ],
  );
});

Deno.test("llm.output names the only form that is tried", async () => {
  for (const output of ["json_schema", "json_object", "text"] as const) {
    await using server = await LanguageServer.start("openai-compatible");
    server.reply = () => ANSWER;
    const model = await modelOf(server, { output });
    deepEqual((await model.object(REQUEST, NAMED)).value, ANSWER);
    deepEqual(server.requests.map(({ form }) => form), [output]);
  }
});

Deno.test("OpenAI's newer models are asked without max_tokens and, where temperature is null, without temperature", async () => {
  await using server = await LanguageServer.start("openai", { isNewer: true });
  server.reply = () => ANSWER;
  const model = await modelOf(server, { temperature: null });
  deepEqual((await model.object(REQUEST, NAMED)).value, ANSWER);
  deepEqual(server.requests.map(({ temperature, maxTokens }) => [temperature, maxTokens]), [[
    undefined,
    200,
  ]]);
});

Deno.test("requests at the same time all learn what a server does not take", async () => {
  await using newer = await LanguageServer.start("azure", { isNewer: true });
  await using older = await LanguageServer.start("openai");
  older.rule = (asked) => "api" in asked && asked.api === "responses" ? "HTML" : undefined;
  for (const server of [newer, older]) {
    server.reply = () => ANSWER;
    server.delayMs = 20;
    const model = await modelOf(server, { concurrency: 4 });
    const answered = await Promise.all([1, 2, 3, 4].map(() => outcome(model.object(REQUEST, NAMED))));
    deepEqual(answered.map((one) => typeof one === "string" ? one : one.value), Array(4).fill(ANSWER));
  }
});

Deno.test("the key goes in the header of the protocol and nowhere else", async () => {
  const headers: Partial<Record<Speech, string[]>> = {};
  for (const speech of SPEECHES) {
    await using server = await LanguageServer.start(speech, { key: KEY });
    const model = await modelOf(server);
    await outcome(model.object(REQUEST, NAMED));
    headers[speech] = Object.entries(server.raw.at(-1)!.headers)
      .filter(([, value]) => value.includes(KEY)).map(([name]) => name);
    ok(server.raw.every(({ path, text }) => !path.includes(KEY) && !text.includes(KEY)), speech);
  }
  deepEqual(headers, {
    openai: ["authorization"],
    azure: ["api-key"],
    "openai-compatible": ["authorization"],
    ollama: ["authorization"],
    deepseek: ["authorization"],
    anthropic: ["x-api-key"],
    lmstudio: ["authorization"],
    vllm: ["authorization"],
  });
});

Deno.test("a prompt that does not fit into the window is cut in the middle, at the first or the second try", async () => {
  const tries: Partial<Record<Speech, number | string>> = {};
  for (const speech of SPEECHES) {
    await using server = await LanguageServer.start(speech, { contextTokens: 4000 });
    server.reply = () => ANSWER;
    const model = await modelOf(server);
    const prompt = `Begin ${"word ".repeat(9000)} the end`;
    const answered = await outcome(model.object({ ...REQUEST, prompt }, NAMED));
    if (typeof answered === "string") {
      tries[speech] = answered;
      continue;
    }
    const { seen, inputTokens } = server.requests.at(-1)!;
    deepEqual(
      [speech, /^Answer with JSON\.[^]*Begin word/.test(seen), seen.endsWith("the end"), inputTokens <= 4000],
      [speech, true, true, true],
    );
    tries[speech] = answered.usage.calls;
  }
  deepEqual(tries, {
    // The protocol `/responses` does not say how large the window is.
    openai: "llm_too_long",
    azure: 2,
    "openai-compatible": 2,
    ollama: 1,
    deepseek: 2,
    anthropic: 2,
    lmstudio: 1,
    vllm: 1,
  });
});

Deno.test("Ollama is asked for a window that the prompt fits into, so that it cuts nothing", async () => {
  await using server = await LanguageServer.start("ollama", { contextTokens: 32_000 });
  const model = await modelOf(server, { "context_tokens": 16_000 });
  const prompt = "word ".repeat(9000);
  await model.object({ ...REQUEST, prompt }, NAMED);
  const [asked] = server.requests;
  deepEqual([asked!.body.options.num_ctx, asked!.seen.startsWith("Answer with JSON.")], [16_000, true]);
});
