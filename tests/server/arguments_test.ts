import { deepEqual, equal, match } from "node:assert/strict";
import { callOnce, searched, startSession } from "./_session.ts";

/** The request that a call of `search_rag` makes, and the answer. */
async function asked(args: Record<string, unknown>, language: "en" | "zh" = "en") {
  const { requests, library } = searched();
  return { answer: await callOnce("search_rag", args, { library, language }), requests };
}

Deno.test("a number may be written as text, a text as a list with one item, and null stands for an absent argument", async () => {
  const { requests } = await asked({ keyword: ["tea"], top_k: " 3 ", mode: null, type: ["md"] });
  deepEqual(requests, [{ query: "tea", topK: 3, filters: { type: "md" } }]);
});

Deno.test("a text as a list in very many lists is refused as a wrong argument", async () => {
  await using session = await startSession();
  const answer = async (levels: number) => {
    const keyword = `${"[".repeat(levels)}"tea"${"]".repeat(levels)}`;
    const params = `{"name":"search_rag","arguments":{"keyword":${keyword}}}`;
    await session.send(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":${params}}\n`);
    return await session.receive();
  };
  const { result } = await answer(61);
  match(result.structuredContent.message, /^Invalid arguments: keyword must be text\./);
  const { id, error } = await answer(400_000);
  deepEqual([id, error], ["a", {
    code: -32600,
    message:
      "Invalid request: over a limit of lists and objects inside of each other: at most 64 levels, found 400003",
  }]);
});

Deno.test("unknown arguments do not fail a call; a hint and the text name them, in both languages", async () => {
  const known =
    "keyword, dir_path, top_k, mode, path, type, lang, after, before, filters, max_tokens, cursor, include_images";
  for (
    const [language, hint] of [
      ["en", `Unknown arguments were ignored: limit, folder. Known arguments: ${known}`],
      ["zh", `未知参数，已忽略：limit, folder。可用参数：${known}`],
    ] as const
  ) {
    const { answer } = await asked({ keyword: "tea", limit: 5, folder: "/" }, language);
    equal(answer.isError, undefined);
    deepEqual(answer.structuredContent.hints, [hint]);
    equal(answer.content[0].text.endsWith(`\n\n${hint}`), true);
  }
});

Deno.test("long names of unknown arguments are cut, and only twenty are named", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${"x".repeat(200)}`, 1]));
  const { answer } = await asked({ keyword: "tea", ...unknown });
  const names = answer.structuredContent.hints[0].slice("Unknown arguments were ignored: ".length)
    .split(". Known")[0].split(", ");
  deepEqual([names.length, names[0].length, names.at(-1)], [21, 101, "…"]);
});

Deno.test("a call without its argument, but with one like it, is asked whether it meant that, in both languages", async () => {
  for (
    const [args, language, said] of [
      [{ query: "tea" }, "en", "keyword is required; query is unknown (did you mean keyword?)"],
      [{ query: "tea" }, "zh", "keyword 必填; query 是未知参数（是否指 keyword？）"],
      [{ keywrod: "tea" }, "en", "keyword is required; keywrod is unknown (did you mean keyword?)"],
      [{ colour: "tea" }, "en", "keyword is required. Known"],
    ] as const
  ) {
    const { answer } = await asked(args, language);
    deepEqual([answer.structuredContent.code, answer.structuredContent.message.includes(said)], [500, true]);
  }
});
