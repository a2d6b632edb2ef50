import { deepEqual, equal } from "node:assert/strict";
import { chunkContextAnswer } from "#library/answer/mod.ts";
import type { ChunkContext } from "#library/search/mod.ts";

/** A context of chunks with these texts, a blank line between them. */
function context(texts: readonly string[], asked: number): ChunkContext {
  let [start, startLine] = [0, 10];
  const chunks = texts.map((text, i) => {
    const chunk = { chunkId: `${i}`, startLine, endLine: startLine + text.split("\n").length - 1, start };
    start += text.length + 2;
    startLine = chunk.endLine + 2;
    return { ...chunk, end: chunk.start + text.length };
  });
  const { startLine: first } = chunks[0]!;
  const { endLine } = chunks.at(-1)!;
  const text = texts.join("\n\n");
  return {
    path: "/notes/a.md",
    sha256: "1a2b3c4d".repeat(8),
    text,
    startLine: first,
    endLine,
    section: [],
    chunks,
    asked,
    first: 4,
    count: 20,
  };
}

const answerOf = (context: ChunkContext, maxTokens: number) =>
  chunkContextAnswer(context, "en", { shape: "both", maxTokens });

Deno.test("the context of a chunk that fits is whole", () => {
  const whole = context(["one", "two\ntwo", "three"], 1);
  const { data, text } = answerOf(whole, 8000);
  deepEqual([data.content, data.start_line, data.end_line, data.truncated], [whole.text, 10, 15, undefined]);
  equal(/\/notes\/a\.md:10-15/.test(text), true);
});

Deno.test("each chunk has its rows and pictures, and the text those that are shown, of one sheet", () => {
  const { chunks, ...rest } = context(["one", "two", "three"], 1);
  const answered = (rows: readonly (readonly [number, number])[]) => {
    const told = chunks.map((chunk, i) => ({ ...chunk, rows: rows[i]!, images: [i + 1, 3] }));
    return answerOf({ ...rest, chunks: told }, 8000);
  };
  const { data, text } = answered([[2, 5], [6, 9], [10, 10]]);
  deepEqual((data["chunks"] as { rows: string; "image_refs": string[] }[])[0], {
    "chunk_id": "0",
    "start_line": 10,
    "end_line": 10,
    rows: "2-5",
    "image_refs": ["/notes/a.md#image=1.1a2b3c4d", "/notes/a.md#image=3.1a2b3c4d"],
  });
  equal(text.includes("\nsheet rows 2–10 images=1,2,3\n"), true, text);
  equal(answered([[2, 5], [1, 3], [4, 6]]).text.includes("\nimages=1,2,3\n"), true);
});

Deno.test("a context that is too long keeps the asked chunk, and cites the lines that it shows", () => {
  const long = (word: string) =>
    Array.from({ length: 20 }, (_, i) => `${word} ${i} of the long passage`).join("\n");
  const texts = ["first", "second", "asked", "next", "last"].map(long);
  const { data, text } = answerOf(context(texts, 2), 500);
  deepEqual([data.content, data.start_line, data.end_line, data.first_chunk, data.truncated], [
    texts.slice(2, 4).join("\n\n"),
    52,
    92,
    6,
    true,
  ]);
  deepEqual((data["chunks"] as { "chunk_id": string }[]).map(({ chunk_id: id }) => id), ["2", "3"]);
  equal(/\/notes\/a\.md:52-92/.test(text), true);
});

Deno.test("a chunk that is too long alone is cut between two characters, and its last line is that of the cut", () => {
  const texts = ["before", Array.from({ length: 400 }, () => "🍵🍵🍵🍵🍵🍵🍵").join("\n")];
  for (const maxTokens of [400, 700, 701, 702, 703, 704]) {
    const { data } = answerOf(context(texts, 1), maxTokens);
    equal(texts[1]!.startsWith(data.content), true);
    equal(data.content.isWellFormed(), true);
    deepEqual([data.start_line, data.end_line], [12, 11 + data.content.trimEnd().split("\n").length]);
  }
});
