import { deepEqual, equal, match, ok } from "node:assert/strict";
import { estimatedTokens } from "#library/answer/estimated_tokens.ts";
import { LEGS } from "#foundation/constants.ts";
import type { ExplainedChunk, Explanation, SearchAnswer } from "#library/search/mod.ts";
import { callOnce, hit, ROOT, searched, startSession } from "./_session.ts";

const ALL_LEGS = ["keyword", ...LEGS];

/** Chunk number `i` of an answer with ten passages. */
function chunk(i: number, name: string): ExplainedChunk {
  return {
    rank: i + 1,
    filePath: `${ROOT}/${name}/${i}.md`,
    chunkId: String(i).padStart(16, "0"),
    startLine: 10 * i + 1,
    endLine: 10 * i + 9,
    section: ["Manual", name, `Part ${i}`],
    page: i + 1,
    score: 12.3456789 - i,
    chance: 0.123456,
    legs: Object.fromEntries(ALL_LEGS.map((leg) => [leg, { raw: 7.654321, share: 1.234567, rank: i + 1 }])),
    foundBy: (["keyword", "vector", "both"] as const)[i % 3]!,
    outcome: i < 10 ? "shown" : "below_top_k",
    ...(i < 10 &&
      { pairs: ALL_LEGS.map((leg) => ({ query: name.slice(0, 40), chunk: leg, cosine: 0.123456 })) }),
  };
}

/** A search that considered 500 chunks in files of this name. */
function explained(name: string): SearchAnswer {
  const chunks = Array.from({ length: 500 }, (_, i) => chunk(i, name));
  const explanation: Explanation = {
    mode: "hybrid",
    fusion: "weighted",
    model: "builtin/1",
    terms: Array.from({ length: 100 }, (_, i) => ({ term: `${name.slice(0, 40)}${i}`, weight: 0.123456 })),
    phrases: Array.from({ length: 20 }, () => name),
    excluded: Array.from({ length: 20 }, () => name),
    weights: Object.fromEntries(ALL_LEGS.map((leg) => [leg, 0.123456])),
    chunks,
  };
  const hits = chunks.slice(0, 10).map(({ chunkId }) => hit({ chunkId, totalLines: 200 }));
  return { hits, seconds: 0.0123456, notices: Array.from({ length: 20 }, () => name), explanation };
}

const explain = (name: string) => callOnce("explain_search", { keyword: "x" }, searched(explained(name)));

Deno.test("explain_search gives the place and outcome of every passage, and the legs of the best, in data and text", async () => {
  const { structuredContent: { data }, content: [{ text }] } = await explain("manual");
  const [first] = data.final_results;
  deepEqual({ ...first, legs: Object.keys(first.legs).length, word_pairs: first.word_pairs[0] }, {
    rank: 1,
    file_path: `${ROOT}/manual/0.md`,
    start_line: 1,
    end_line: 9,
    total_lines: 200,
    section: ["manual", "Part 0"],
    page: 1,
    score: 12.346,
    outcome: "shown",
    legs: ALL_LEGS.length,
    word_pairs: { query: "manual", chunk: "keyword", cosine: 0.123 },
  });
  deepEqual(first.legs.keyword, { value: 7.654, share: 1.235, rank: 1 });
  match(
    text,
    /\n#1 {2}<quoted-\d>\S+\/manual\/0\.md:1-9 \(of 200 lines, manual > Part 0, page 1\)<\/quoted-\d> {2}12\.346\n {2}keyword 7\.654 \(\+1\.235, #1\), /,
  );
  equal(data.stats.intersection_count, 166);
  for (const list of ["fts_only_hits", "vec_only_hits", "intersection_hits"]) {
    ok(data[list].length > 0);
    for (const { rank, file_path: path, start_line: start } of data[list]) {
      ok(rank > 10, "the chunks that are not in the answer");
      ok(text.includes(`#${rank}  <quoted-5>${path}:${start}-`));
    }
  }
  match(text, /\nCandidates left out: 490\n/);
});

for (
  const [kind, name] of [
    ["words", "manual"],
    ["Chinese", "使用手册"],
    ["random digits", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
    ["4,000 characters", "手册 handbook ".repeat(300)],
  ] as const
) {
  Deno.test(`explain_search answers with fewer than 3,000 tokens where files are named by ${kind}`, async () => {
    const { structuredContent, content } = await explain(name);
    const tokens = estimatedTokens(JSON.stringify(structuredContent)) + estimatedTokens(content[0].text);
    ok(tokens < 2_800, String(tokens));
    equal(structuredContent.data.final_results.length > 0, true);
  });
}

Deno.test("explain_search takes settings of the ranking, which its list of arguments leaves out", async () => {
  const { requests, library } = searched(explained("manual"));
  await using session = await startSession({ library });
  const ranking = { alpha: 0.2, "fts_topn": 20, "vec_topn": 30, "per_doc_limit": 1 };
  equal((await session.call("explain_search", { keyword: "x", ...ranking })).structuredContent.code, 200);
  deepEqual(requests, [{ query: "x", ranking, explain: true }]);
  const { structuredContent } = await session.call("explain_search", { keyword: "x", alpha: 2 });
  equal(structuredContent.code, 500);
});
