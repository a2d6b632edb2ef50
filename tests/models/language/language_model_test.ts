import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import * as z from "zod";
import { type Config, DEFAULTS } from "#foundation/configuration/mod.ts";
import { message } from "#foundation/messages/mod.ts";
import { type LanguageFailure, openLanguageModel } from "#models/language/mod.ts";
import { LanguageServer, SPEECHES } from "./_servers/mod.ts";

const TITLE = z.object({ title: z.string(), tags: z.array(z.string()) });
const WANTED = { title: "Pears", tags: ["fruit", "果"] };

function settings(server: LanguageServer, changes: Partial<Config["vision_llm"]> = {}): Config["vision_llm"] {
  return { ...DEFAULTS["vision_llm"], ...server.llm(), "timeout_seconds": 2, ...changes };
}

const REQUEST = {
  task: "enrich",
  instructions: "Name the text.",
  prompt: "Pears are ripe.",
  maxOutputTokens: 200,
} as const;

/** Returns the kind of a failure, whose message must say which setting to change. */
function kindOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(() => "none", (error: LanguageFailure) => {
    if (error.kind === undefined) return String(error);
    doesNotMatch(message("en", error.key, error.params), /\{\w+\}/);
    return error.kind;
  });
}

for (const speech of SPEECHES) {
  Deno.test(`${speech}: an object, a text in parts, and a picture`, async () => {
    await using server = await LanguageServer.start(speech);
    const model = await openLanguageModel(settings(server));
    equal(server.raw.length, 0);
    equal(model.id, `${speech}/small-1`);
    equal(model.origin, server.origin);

    server.reply = () => WANTED;
    const { value, usage } = await model.object(REQUEST, TITLE);
    deepEqual(value, WANTED);
    equal(usage.isEstimated, false);
    equal(usage.inputTokens, server.requests.at(-1)!.inputTokens);

    server.reply = () => "Pears are ripe in autumn. 梨在秋天成熟。";
    const parts: string[] = [];
    const { value: text } = await model.text({ ...REQUEST, task: "answer" }, (part) => parts.push(part));
    equal(text, "Pears are ripe in autumn. 梨在秋天成熟。");
    deepEqual([parts.join(""), parts.length > 1], [text, true]);

    if (speech === "deepseek") return;
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);
    server.reply = () => WANTED;
    await model.object({ ...REQUEST, images: [{ bytes, mime: "image/png" }] }, TITLE);
    deepEqual(server.requests.at(-1)!.images, [{ bytes, mime: "image/png" }]);
  });

  Deno.test(`${speech}: answers that do not keep to the form are read or repaired`, async () => {
    await using server = await LanguageServer.start(speech);
    const model = await openLanguageModel(settings(server));
    server.reply = () => WANTED;
    for (const fault of ["fences", "thoughts", "single quotes"] as const) {
      server.faults.push(fault);
      deepEqual((await model.object(REQUEST, TITLE)).value, WANTED, fault);
    }
    for (const fault of ["wrong schema", "prose", "half an object"] as const) {
      const before = server.requests.length;
      server.faults.push(fault);
      const { value, usage } = await model.object(REQUEST, TITLE);
      deepEqual([value, usage.calls >= 2, server.requests.length - before >= 2], [WANTED, true, true], fault);
      server.rule = () => fault;
      equal(await kindOf(model.object(REQUEST, TITLE)), "wrong_form", fault);
      server.rule = () => undefined;
    }
  });

  Deno.test(`${speech}: each failure has its kind, and a short one is tried again`, async () => {
    await using server = await LanguageServer.start(speech);
    const model = await openLanguageModel(settings(server, { "timeout_seconds": 1 }));
    server.reply = () => WANTED;
    const kinds: Record<string, string> = {};
    const hasKey = server.setup.key !== undefined;
    const refuses = ["openai", "azure", "anthropic"].includes(speech);
    const expected: Record<string, string> = {
      "401": hasKey ? "unauthorized" : "key_missing",
      "404 model": "unknown_model",
      hang: "timeout",
      HTML: "wrong_address",
      "empty body": "bad_answer",
      "cut JSON": "bad_answer",
      "100 MB": "too_large",
      redirect: "redirected",
      "empty text": "bad_answer",
      refusal: refuses ? "refusal" : "wrong_form",
      "content filter": speech === "ollama" ? "bad_answer" : "refusal",
      length: "cut_off_answer",
    };
    for (const fault of Object.keys(expected)) {
      server.rule = (asked) => "messages" in asked || "model" in asked ? fault as "hang" : undefined;
      kinds[fault] = await kindOf(model.object(REQUEST, TITLE));
    }
    deepEqual(kinds, expected);
    if (speech !== "ollama") {
      server.rule = () => "quota";
      equal(await kindOf(model.object(REQUEST, TITLE)), "quota");
    }
    server.rule = () => undefined;
    server.faults.push("429 Retry-After", "503");
    const { usage } = await model.object(REQUEST, TITLE);
    ok(usage.calls >= 3);
  });
}

Deno.test("a silent cut of a long request is named", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  const model = await openLanguageModel(settings(server, { "context_tokens": 32_000 }));
  server.rule = () => "silent cut";
  const prompt = "The pear tree stands by the old river bridge. ".repeat(1200);
  equal(await kindOf(model.object({ ...REQUEST, prompt }, TITLE)), "input_cut");
});
