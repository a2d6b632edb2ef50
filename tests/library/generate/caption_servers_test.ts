import { deepEqual, equal } from "node:assert/strict";
import { DEFAULTS } from "#foundation/configuration/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { CAPTION, Generator } from "#library/generate/mod.ts";
import { openLanguageModel } from "#models/language/mod.ts";
import { LanguageServer, SPEECHES } from "../../models/language/_servers/mod.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";
import { striped } from "../ingest/generation/_captioned_folder.ts";

const PNG = striped(7);
const INPUT = {
  sha256: "ab",
  near: "A pump moves water.",
  recognised: "",
  kind: "diagram",
  image: { bytes: PNG, mime: "image/png" },
} as const;

/** Returns a generator of captions with a server, without results of earlier tests. */
async function generatorOf(server: LanguageServer): Promise<Generator> {
  const store = new MemoryStore("/notes");
  await (await store.lock())[Symbol.asyncDispose]();
  const settings = { ...DEFAULTS.vision_llm, ...server.llm() } as Config["vision_llm"];
  return new Generator(store.generated, await openLanguageModel(settings));
}

// The models of DeepSeek see no pictures.
for (const speech of SPEECHES.filter((speech) => speech !== "deepseek")) {
  Deno.test(`${speech}: a picture arrives as it is sent, and its description comes back`, async () => {
    await using server = await LanguageServer.start(speech);
    server.reply = () => ({ seen: true, caption: "A **red** pump." });
    const generator = await generatorOf(server);
    deepEqual(await generator.make(CAPTION, INPUT, "en"), { seen: true, caption: "A red pump." });
    const images = server.requests.flatMap(({ images }) => images);
    deepEqual(images.map(({ mime, bytes }) => [mime, bytes.toHex()]), [["image/png", PNG.toHex()]]);
  });

  Deno.test(`${speech}: a refusal is not asked for again`, async () => {
    await using server = await LanguageServer.start(speech);
    server.rule = () => "refusal";
    const generator = await generatorOf(server);
    equal(await generator.make(CAPTION, INPUT, "en"), undefined);
    const { length } = server.requests;
    equal(await generator.make(CAPTION, INPUT, "en"), undefined);
    deepEqual([await generator.isDone(CAPTION, INPUT, "en"), server.requests.length], [true, length]);
  });
}

Deno.test("a model that sees no pictures is a failure, which the next run may mend", async () => {
  await using server = await LanguageServer.start("openai-compatible", { sees: false });
  const generator = await generatorOf(server);
  equal(await generator.make(CAPTION, INPUT, "en"), undefined);
  deepEqual([await generator.isDone(CAPTION, INPUT, "en"), generator.failures.size], [false, 1]);
});
