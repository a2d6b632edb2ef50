import { deepEqual, equal, ok } from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { estimatedTokens, lengthWithin } from "#library/answer/estimated_tokens.ts";

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

/** The pieces of a text, as an expression that is slower than the loop. */
const PIECES =
  /\p{Script=Han}|(?<=[A-Za-z\d])\n| (?=\d)|[A-Z]?[a-z]+|[A-Z]+|\d{1,3}|[^A-Za-z\d\s\x80-\u{10ffff}]+|[\u0100-\u1fff]+|[\u2500-\u257f]+|[\x80-\u{10ffff}]/gu;

function tokensOfPiece(piece: string): number {
  if (/^[\0-\x7f\u2500-\u257f]/.test(piece)) return Math.ceil(piece.length / 7);
  if (/^[\x80-\u1fff]/.test(piece)) return Math.ceil(piece.length / 3);
  return /^[\u3400-\u9fff]/.test(piece) ? 0.85 : piece.length;
}

/** The tokens of a text, and the length of its beginning with at most `most` tokens. */
function plainly(text: string, most: number): readonly [number, number] {
  let tokens = 0, length: number | undefined;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    tokens += tokensOfPiece(piece);
    if (tokens > most) length ??= index;
  }
  return [Math.ceil(tokens), length ?? text.length];
}

Deno.test("estimatedTokens and lengthWithin count pieces of every kind, whatever stands beside them", () => {
  const characters = [..."aZbQ09 \n\t\r.,{\"'-_中文々〇𠀀😀é£жд─│…“\0ａ한"].concat(
    "\u00a0",
    "\u1680",
    "\u2028",
    "\u4dc5",
    "\ud800",
  );
  let seed = 1;
  const next = (below: number) => (seed = Math.imul(seed, 48271) >>> 1) % below;
  for (let i = 0; i < 5000; i++) {
    const runs = Array.from(
      { length: next(20) },
      () => characters[next(characters.length)]!.repeat(1 + next(9)),
    );
    const text = runs.join(""), most = next(30);
    deepEqual([estimatedTokens(text), lengthWithin(text, most)], plainly(text, most), JSON.stringify(text));
  }
});
