import { deepEqual, equal, ok } from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { estimatedTokens, lengthWithin } from "#library/answer/shape.ts";

const project = (name: string) => Deno.readTextFile(new URL(`../../../${name}`, import.meta.url));

for (
  const name of [
    "README.md",
    "README.zh-CN.md",
    "RANKING.md",
    "examples/docs/en/searching.md",
    "examples/docs/zh/searching.md",
    "examples/docs/zh/privacy.md",
    "lib/library/search/answer.ts",
    "lib/foundation/messages/search.ts",
    "config.yaml",
    "deno.lock",
  ]
) {
  Deno.test(`estimatedTokens is within 15 % of the count of o200k for ${name}`, async () => {
    const text = await project(name);
    const error = estimatedTokens(text) / encode(text).length - 1;
    ok(Math.abs(error) < 0.15, `${(error * 100).toFixed(1)} %`);
  });
}

const ROWS = Array.from({ length: 500 }, (_, i) => [i, (i * 7919) % 9973, i / 7]);

for (
  const [name, text] of [
    ["lines with numbers", ROWS.map(([a, b]) => `line ${a} says ${b} words`).join("\n")],
    ["CSV", ROWS.map((row) => row.join(",")).join("\n")],
    ["a table", ROWS.map((row) => `| ${row.join(" | ")} |`).join("\n")],
  ] as const
) {
  Deno.test(`estimatedTokens is within 15 % of the count of o200k for ${name}`, () => {
    const error = estimatedTokens(text) / encode(text).length - 1;
    ok(Math.abs(error) < 0.15, `${(error * 100).toFixed(1)} %`);
  });
}

Deno.test("estimatedTokens counts Chinese characters, words, digits and lines that are drawn", () => {
  const texts = ["", "绿茶要用八十度", "green tea", "12345", "──────────", "зелёный чай", "😀"];
  deepEqual(texts.map(estimatedTokens), [0, 6, 2, 2, 2, 4, 2]);
});

Deno.test("lengthWithin returns the longest beginning of at most so many tokens", async () => {
  equal(lengthWithin("green tea wants water", 2), "green tea ".length);
  equal(lengthWithin("green tea", 2), "green tea".length);
  equal(lengthWithin("绿茶", 0), 0);
  const text = await project("examples/docs/zh/searching.md");
  const length = lengthWithin(text, 1000);
  ok(estimatedTokens(text.slice(0, length)) <= 1000);
  ok(estimatedTokens(text.slice(0, length + 8)) >= 1000);
});
