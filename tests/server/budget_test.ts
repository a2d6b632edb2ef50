import { deepEqual, equal, match, ok } from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { cursorAfter } from "#server/tool.ts";
import {
  allAnswers,
  callOnce,
  fakeLibrary,
  hit,
  type Message,
  ROOT,
  searched,
  startSession,
} from "./_session.ts";

/** Tokens of the form that a client gives its model; of the longer one where that is not known. */
function seen({ content, structuredContent }: Message, client: string): number {
  const text = encode(content[0].text).length;
  const structured = encode(JSON.stringify(structuredContent)).length;
  return client === "Zed" ? text : client === "claude-code" ? structured : Math.max(text, structured);
}

const ENGLISH =
  "Descale the coffee machine with vinegar once a month, then rinse it with two litres of water. ";
const CHINESE = "咖啡机每个月用白醋除垢一次，然后用两升清水冲洗干净。";

/** A library with `count` passages of `chars` characters. */
function long(text: string, count: number, chars: number) {
  const requests: SearchRequest[] = [];
  const hits = Array.from({ length: count }, (_, i) =>
    hit({
      content: text.repeat(chars / text.length),
      filePath: `${ROOT}/${i}.md`,
      chunkId: String(i).padStart(16, "0"),
    }));
  const search = (request: SearchRequest): Promise<SearchAnswer> => {
    requests.push(request);
    const { offset = 0, topK = 10 } = request;
    const plain = hits.slice(offset, offset + topK);
    const isMarked = typeof request.marks === "function" ? request.marks(plain) : request.marks;
    const page = isMarked ? plain.map((hit) => ({ ...hit, marks: [] })) : plain;
    return Promise.resolve({
      hits: page,
      seconds: 0.01,
      notices: [],
      ...(offset + topK < count && { more: true }),
    });
  };
  return { requests, library: fakeLibrary({ search }) };
}

for (const [language, text] of [["en", ENGLISH], ["zh", CHINESE]] as const) {
  for (const client of ["claude-code", "Zed", "unknown"]) {
    for (const max of [600, 1000, 2000, 8000]) {
      Deno.test(`search_rag answers ${client} in ${language} with at most ${max} tokens of the form that its model sees`, async () => {
        const { library } = long(text, 10, 4000);
        const answer = await callOnce("search_rag", { keyword: "x", max_tokens: max }, {
          library,
          language,
          client,
        });
        ok(seen(answer, client) <= max * 1.15, String(seen(answer, client)));
        // English passages can be cut anywhere near the limit.
        const least = language === "en" && max === 1000 ? 0.8 : 0.5;
        ok(seen(answer, client) >= max * least, String(seen(answer, client)));
      });
    }
  }
}

Deno.test("search_rag says how many passages were trimmed and left out, and continues with the cursor", async () => {
  const { library, requests } = long(ENGLISH, 25, 4000);
  await using session = await startSession({ library, client: "claude-code" });
  const seen: string[] = [];
  const notices: string[] = [];
  const args = { keyword: "x", "max_tokens": 1500 };
  for (const { structuredContent: { data } } of await allAnswers(session, "search_rag", args)) {
    for (const { file_path: path, content, truncated } of data.match_content) {
      seen.push(path);
      deepEqual([content.endsWith("…"), truncated], [true, true]);
    }
    notices.push(...data.notices);
  }
  deepEqual(seen, Array.from({ length: 25 }, (_, i) => `${ROOT}/${i}.md`));
  equal(requests[1]!.offset, 10 - Number(/^\d+/.exec(notices[1]!)![0]));
  match(
    notices[0]!,
    /^\d+ passages were trimmed around the matching words \(marked by …\) to fit max_tokens\./,
  );
  match(notices[1]!, /^\d+ more passages? did not fit max_tokens$/);
});

Deno.test("the cursor of search_rag holds top_k of the first answer, and later ones may have another", async () => {
  const { library, requests } = long(ENGLISH, 25, 40);
  await using session = await startSession({ library, client: "claude-code" });
  let cursor: string | undefined;
  for (const topK of [5, 8, 20]) {
    const args = { keyword: "x", "top_k": topK, ...(cursor !== undefined && { cursor }) };
    cursor = (await session.call("search_rag", args)).structuredContent.data.next_cursor;
  }
  equal(cursor, undefined);
  deepEqual(requests.map(({ offset, topK, firstTopK }) => [offset, topK, firstTopK]), [
    [undefined, 5, undefined],
    [5, 8, 5],
    [13, 20, 5],
  ]);
});

Deno.test("search_rag refuses the cursor of another search, and one that it never gave", async () => {
  const { library } = long(ENGLISH, 25, 400);
  await using session = await startSession({ library, client: "claude-code" });
  const { structuredContent: { data } } = await session.call("search_rag", { keyword: "x" });
  const { next_cursor: given } = data;
  const others = ["10", "10.zzz", "-1.x", `0-${given}`].map((cursor) => ["x", cursor]);
  for (const [keyword, cursor] of [["y", given], ...others]) {
    const { structuredContent } = await session.call("search_rag", { keyword, cursor });
    equal(
      structuredContent.message,
      "The cursor is invalid or belongs to another search. Pass next_cursor of the last answer with the same other arguments, " +
        "or leave it out",
    );
  }
});

Deno.test("search_rag skips at most 1000 passages, and gives no cursor after them", async () => {
  const { requests, library } = searched({ hits: [hit(), hit()], more: true });
  await using session = await startSession({ library, client: "claude-code" });
  const args = { keyword: "x" };
  const answer = async (count: number) =>
    (await session.call("search_rag", { ...args, cursor: cursorAfter(count, args) })).structuredContent;
  equal((await answer(998)).data.next_cursor, cursorAfter(1000, args));
  equal((await answer(1000)).data.next_cursor, undefined);
  deepEqual(requests.map(({ offset }) => offset), [998, 1000]);
  match((await answer(100_000_000)).message, /^The cursor is invalid/);
  equal(requests.length, 2);
});

Deno.test("mcp.max_tokens limits every answer, and the argument max_tokens cannot exceed it", async () => {
  const { library } = long(ENGLISH, 10, 4000);
  await using session = await startSession({ library, client: "Zed", config: { max_tokens: 1000 } });
  for (const args of [{}, { max_tokens: 5000 }, { max_tokens: 700 }]) {
    const tokens = seen(await session.call("search_rag", { keyword: "x", ...args }), "Zed");
    ok(tokens <= Math.min(1000, args.max_tokens ?? 1000) * 1.15, String(tokens));
  }
});

for (const [language, text] of [["en", ENGLISH], ["zh", CHINESE]] as const) {
  for (const client of ["claude-code", "Zed", "unknown"]) {
    Deno.test(`read_raw_file answers ${client} in ${language} with at most 10,000 tokens and reads on to the end`, async () => {
      const lines = Array.from({ length: 900 }, (_, i) => `${i + 1}. ${text}`);
      const whole = lines.join("\n");
      const library = fakeLibrary({
        readRawFile: (path, { startLine = 1 } = {}) =>
          Promise.resolve({
            text: lines.slice(startLine - 1).join("\n"),
            path,
            size: whole.length,
            modified: new Date(0),
            encoding: "utf-8",
            startLine,
            endLine: lines.length,
            totalLines: lines.length,
          }),
      });
      const config = { max_tokens: "auto" } as const;
      await using session = await startSession({ library, language, client, config });
      let read = "";
      let next: number | undefined = 1;
      while (next !== undefined) {
        const args: Record<string, unknown> = { "file_path": `${ROOT}/a.md`, "start_line": next };
        const answer = await session.call("read_raw_file", args);
        ok(seen(answer, client) <= 10_000 * 1.15, String(seen(answer, client)));
        read += answer.structuredContent.data.raw_content;
        next = answer.structuredContent.data.next_line;
      }
      equal(read, whole);
    });
  }
}

/** A library with hits of these scores and degrees. */
function scored(scores: readonly number[], degree: "high" | "medium" | "low") {
  const hits = scores.map((score, i) =>
    hit({
      score,
      degree: i === 0 ? degree : "low",
      filePath: `${ROOT}/${i}.md`,
      chunkId: String(i).padStart(16, "0"),
    })
  );
  return fakeLibrary({
    search: ({ offset = 0, topK = 10 }) =>
      Promise.resolve({
        hits: hits.slice(offset, offset + topK),
        seconds: 0,
        notices: [],
        ...(offset + topK < hits.length && { more: true }),
      }),
  });
}

Deno.test("a search without top_k gives the hits that the scores justify, and the cursor gives the others", async () => {
  const FLAT = [2, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1];
  const STEEP = [2, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1, 0.1];
  const MIDDLE = [2, 1.2, 1.1, 0.9, 0.5, 0.3, 0.2, 0.1, 0.1, 0.1];
  for (
    const [scores, degree, args, count] of [
      [STEEP, "high", {}, 3],
      [MIDDLE, "high", {}, 3],
      [MIDDLE, "medium", {}, 4],
      [FLAT, "high", {}, 3],
      [FLAT, "medium", {}, 6],
      [FLAT, "low", {}, 10],
      [STEEP, "high", { top_k: 10 }, 10],
      [STEEP, "high", { max_tokens: 5000 }, 10],
    ] as const
  ) {
    await using session = await startSession({ library: scored(scores, degree), client: "claude-code" });
    const answers = await allAnswers(session, "search_rag", { keyword: "x", ...args });
    const pages = answers.map(({ structuredContent: { data } }) =>
      data.match_content.map(({ score }: { score: number }) => score)
    );
    deepEqual([pages[0].length, pages.flat()], [count, scores]);
  }
});
