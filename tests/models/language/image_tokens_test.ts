import { equal } from "node:assert/strict";
import { imageTokens } from "#models/language/mod.ts";

Deno.test("pictures have as many tokens as the examples of the services' documentations", () => {
  const cases: [model: string, width: number, height: number, tokens: number][] = [
    ["openai/gpt-4o", 1024, 1024, 765],
    ["openai/gpt-4o", 2048, 4096, 1105],
    ["azure/gpt-4o", 500, 300, 255],
    ["openai/gpt-4o-mini", 1024, 1024, 25_501],
    ["openai/gpt-5", 1024, 1024, 630],
    ["openai/gpt-4.1-mini", 1024, 1024, 1659],
    ["anthropic/claude-sonnet", 1000, 1000, 1334],
    ["gemini/gemini-2.5-flash", 960, 540, 1548],
    ["gemini/gemini-2.5-flash", 384, 384, 258],
    ["qwen/qwen-vl-max", 280, 280, 102],
    ["ollama/qwen2.5vl", 1024, 768, 1001],
  ];
  for (const [model, width, height, tokens] of cases) {
    const image = { bytes: new Uint8Array(), mime: "image/png", width, height };
    equal(imageTokens([image, image], model), 2 * tokens, `${model} ${width} × ${height}`);
  }
});

Deno.test("a picture of unknown size counts as one of 1024 × 768 pixels", () => {
  equal(imageTokens([{ bytes: new Uint8Array(), mime: "image/png" }], "openai/gpt-4o"), 765);
});
