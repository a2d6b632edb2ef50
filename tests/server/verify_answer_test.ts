import { deepEqual, match, ok } from "node:assert/strict";
import { estimatedTokens } from "#library/answer/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { config } from "../library/ingest/_place.ts";
import { callOnce, type SessionOptions } from "./_session.ts";

async function verify(args: Record<string, unknown>, options: SessionOptions = {}) {
  const library = openLibrary([], await config(), { key: new Uint8Array(32) });
  try {
    return await callOnce("verify_answer", args, { library, ...options });
  } finally {
    library.close();
  }
}

const PASSAGES = ["The bridge is 1,149 m long.\nIt was opened by Jack Lang on 19 March 1932."];
const ANSWER = "The bridge is 1,149 m long. It was opened by Jack Lang on 19 May 1932. It smells of roses.";

Deno.test("verify_answer gives each sentence its verdict, and counts the verdicts", async () => {
  const { structuredContent: { message, data } } = await verify({ answer: ANSWER, passages: PASSAGES });
  ok(message.startsWith("3 statements: 1 supported, 1 conflicting, 1 not found"));
  deepEqual([data.summary, data.supported, data.conflicting, data.not_found, data.passages], [
    message,
    1,
    1,
    1,
    1,
  ]);
  const [first, second, third] = data.sentences;
  deepEqual({ ...first, score: 1 }, {
    text: "The bridge is 1,149 m long.",
    verdict: "supported",
    reason: "coverage",
    quote: "The bridge is 1,149 m long.",
    source: { passage: 1, lines: "1" },
    score: 1,
  });
  const { score: _, ...conflict } = second;
  deepEqual(conflict, {
    text: "It was opened by Jack Lang on 19 May 1932.",
    verdict: "conflicting",
    reason: "date",
    claimed: "19 May 1932",
    found: "19 March 1932",
    quote: "It was opened by Jack Lang on 19 March 1932.",
    source: { passage: 1, lines: "2" },
  });
  deepEqual(third.verdict, "not_found");
});

Deno.test("the text of verify_answer says the same, with what is quoted in tags", async () => {
  const { content: [{ text }] } = await verify({ answer: ANSWER, passages: PASSAGES });
  match(text, /conflicting \(date\): <quoted-1>It was opened by Jack Lang on 19 May 1932\.<\/quoted-1>\n/);
  match(
    text,
    /The answer says <quoted-1>19 May 1932<\/quoted-1>, the passage <quoted-1>19 March 1932<\/quoted-1>\n/,
  );
});

Deno.test("verify_answer answers in Chinese", async () => {
  const passages = ["大桥全长36公里，2008年5月1日通车。"];
  const { content: [{ text }] } = await verify({ answer: "大桥全长63公里。", passages }, { language: "zh" });
  match(text, /^1 句陈述：0 句有依据，1 句与片段不符，0 句未找到依据\n/);
  match(text, /不符（数字）：.*\n {2}回答：.*63公里.*；片段：.*36公里/);
});

Deno.test("an answer over the limit leaves out what is supported first", async () => {
  const answer = `${"The bridge is 1,149 m long. ".repeat(200)}\nThe bridge is 1,194 m long.`;
  const { structuredContent, content: [{ text }] } = await verify({
    answer,
    passages: PASSAGES,
    "max_tokens": 500,
  });
  const { sentences, omitted, supported } = structuredContent.data;
  deepEqual(sentences.map(({ verdict }: { verdict: string }) => verdict), ["conflicting"]);
  deepEqual([omitted, supported], [200, 200]);
  ok(estimatedTokens(text) <= 500);
});

Deno.test("passages of 5 MB are refused with the limit", async () => {
  const { isError, content: [{ text }] } = await verify({
    answer: "x",
    passages: Array.from({ length: 40 }, () => "a b ".repeat(32_768)),
  });
  ok(isError);
  match(text, /^The passages are too long together: 5242880 characters; the limit is 200000\./);
});
