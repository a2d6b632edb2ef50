import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { basename } from "node:path";
import { explanationText } from "#library/answer/mod.ts";
import { type SearchAnswer, type SearchRequest } from "#library/search/mod.ts";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import { config, Place } from "../ingest/_place.ts";
import { RerankServer } from "../../models/rerank/_rerank_server.ts";

/** Six notes that all hold the word; the first holds it most often. */
const NOTES = Object.fromEntries(
  Array.from({ length: 6 }, (_, i) => [`${i}.txt`, `${"apple ".repeat(6 - i)}is in note ${i}`]),
);

/** The numbers of the notes in an answer. */
const notesOf = ({ hits }: SearchAnswer) =>
  hits.map(({ content }) => Number(/\d/.exec(content)![0])).join("");

/** A search of {@linkcode NOTES}. `relevant`: numbers of notes, best first; other notes are of no use. */
async function ask(
  server: RerankServer,
  changes: ConfigOverrides = {},
  request: Partial<SearchRequest> = {},
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  using place = await Place.indexed(NOTES);
  const rerank = { ...server.config(), ...changes.rerank };
  const settings = await config({ ...changes, rerank });
  const library = await place.library({ config: settings });
  return await library.search({ query: "apple", ...request }, signal);
}

/** Makes a server prefer notes, best first. Other notes are worth little. */
function prefer(server: RerankServer, order: string): void {
  server.relevance = (passage) => {
    const at = order.indexOf(/\d/.exec(passage)![0]);
    return at < 0 ? 0.05 : 0.9 - at / 10;
  };
}

Deno.test("the hits are in the order of the reranker, with its numbers as scores", async () => {
  await using server = await RerankServer.start("jina");
  prefer(server, "503124");
  const answer = await ask(server);
  deepEqual([notesOf(answer), answer.notices], ["503124", []]);
  deepEqual(answer.hits.map(({ score }) => Math.round(score * 10)), [9, 8, 7, 6, 5, 4]);
  deepEqual(server.requests.map(({ body }) => [body.query, body.documents.length]), [["apple", 6]]);
});

Deno.test("only the best top_m are sent; the others follow in their old order, with lower scores", async () => {
  await using server = await RerankServer.start("tei");
  const before = notesOf(await ask(server, { rerank: { provider: "maxsim" } }));
  prefer(server, [...before].reverse().join(""));
  const answer = await ask(server, { rerank: { "top_m": 3, protocol: "tei" } });
  equal(notesOf(answer), before[2]! + before[1]! + before[0]! + before.slice(3));
  const scores = answer.hits.map(({ score }) => score);
  deepEqual(scores, scores.toSorted((a, b) => b - a));
  equal(server.requests.length, 1);
});

Deno.test("ties stay in the order before, also where the reranker gives 0 to all", async () => {
  await using server = await RerankServer.start("jina");
  const before = notesOf(await ask(server, { rerank: { provider: "maxsim" } }));
  server.relevance = () => 0;
  equal(notesOf(await ask(server, { rerank: { "top_m": 3 } })), before);
});

Deno.test("per_doc_limit holds for reranked hits, and further files come from the order before", async () => {
  await using server = await RerankServer.start("jina");
  server.relevance = (passage) => passage.includes("Part") ? 0.9 : 0.1;
  using place = await Place.indexed({
    "long.md": Array.from({ length: 5 }, (_, i) => `## Part ${i}\n\n${"apple ".repeat(20)}`).join("\n\n"),
    "one.txt": "an apple a day keeps the doctor away",
    "two.txt": "there is one apple in this longer text about pears, plums and other fruit",
  }, { chunking: { max_chars: 150, overlap: 0 } });
  const settings = await config({ rerank: server.config({ "top_m": 5 }), search: { "per_doc_limit": 2 } });
  const library = await place.library({ config: settings });
  const { hits } = await library.search({ query: "apple", topK: 4 });
  deepEqual(hits.map(({ filePath }) => basename(filePath)).sort(), [
    "long.md",
    "long.md",
    "one.txt",
    "two.txt",
  ]);
  ok(server.requests[0]!.body.documents[0].startsWith("Part "), "the passage has its heading");
  ok(!JSON.stringify(server.requests).includes("long.md"), "paths are not sent");
});

Deno.test("a language model orders the hits", async () => {
  await using server = await RerankServer.start("chat");
  server.reply = (prompt) => {
    const notes = [...prompt.matchAll(/in note (\d)/g)].map(([, note]) => Number(note));
    return JSON.stringify(Object.fromEntries(notes.map((note, i) => [i + 1, note])));
  };
  equal(notesOf(await ask(server)), "543210");
});

Deno.test("each failure of the reranker keeps the order before and says what happened and what to do, in the user's language", async () => {
  await using server = await RerankServer.start("jina");
  const before = notesOf(await ask(server, { rerank: { provider: "maxsim" } }));
  const cases: [RerankServer["faults"][number], RegExp][] = [
    [{ status: 401 }, /could not be reranked .*rerank\.api_key is not set/],
    [{ status: 400, body: "no" }, /HTTP 400/],
    ["one too few", /5 of 6 texts/],
    ["index twice", /exactly one score/],
    ["NaN", /invalid scores/],
    [{ status: 200, body: "{}" }, /form of a reranking/],
  ];
  for (const [fault, notice] of cases) {
    server.faults.push(fault);
    prefer(server, [...before].reverse().join(""));
    const answer = await ask(server);
    equal(notesOf(answer), before);
    match(answer.notices.join("\n"), notice);
  }
  server.faults.push({ status: 401 });
  match(
    (await ask(server, { language: "zh" })).notices.join("\n"),
    /^重排未成功，结果保持原来的顺序：.*rerank\.api_key/,
  );
  await server.stop();
  const answer = await ask(server);
  equal(notesOf(answer), before);
  match(answer.notices.join("\n"), /connection refused.*rerank\.base_url/);
});

Deno.test("a reranker that does not answer in time keeps the order before; an aborted search throws", async () => {
  await using server = await RerankServer.start("jina");
  const before = notesOf(await ask(server, { rerank: { provider: "maxsim" } }));
  server.faults.push("hang", "hang");
  const answer = await ask(server, { rerank: { "timeout_seconds": 0.2 } });
  equal(notesOf(answer), before);
  match(answer.notices.join("\n"), /within 0\.2 s.*rerank\.timeout_seconds/);
  const controller = new AbortController();
  const reason = new Error("enough");
  const search = ask(server, {}, {}, controller.signal);
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(reason);
  await rejects(search, reason);
});

Deno.test("a search that ranks anew without a file that is ignored by now does not wait for the reranker again", async () => {
  await using server = await RerankServer.start("jina");
  using place = await Place.indexed(NOTES);
  place.write({ ".muxueragignore": "0.txt\n" });
  server.faults.push("hang");
  const rerank = server.config({ "timeout_seconds": 0.2 });
  const library = await place.library({ config: await config({ rerank }) });
  const answer = await library.search({ query: "apple" });
  deepEqual([notesOf(answer), server.requests.length], ["12345", 1]);
  match(answer.notices.join("\n"), /within 0\.2 s/);
});

Deno.test("nothing is sent without two candidates, for a question without content, with search.rerank false, and by default", async () => {
  await using server = await RerankServer.start("jina");
  equal((await ask(server, {}, { query: "nowhere" })).hits.length, 0);
  equal((await ask(server, {}, { query: "the" })).hits.length, 0);
  equal((await ask(server, { search: { rerank: false } })).hits.length, 6);
  equal((await ask(server, { rerank: { provider: "maxsim" } })).hits.length, 6);
  equal((await ask(server, { rerank: { provider: "none" } })).hits.length, 6);
  equal(server.requests.length, 0);
});

Deno.test("search.rerank false is the same as the provider none, and the default is maxsim", async () => {
  await using server = await RerankServer.start("jina");
  const weights = async (changes: ConfigOverrides) =>
    Object.keys((await ask(server, changes, { explain: true })).explanation!.weights).sort();
  const off = await weights({ search: { rerank: false }, rerank: { provider: "maxsim" } });
  deepEqual(off, ["keyword", "translation"]);
  deepEqual(await weights({ rerank: { provider: "none" } }), off);
  const on = await weights({ rerank: { provider: "maxsim" } });
  ok(on.includes("maxsim"));
  deepEqual(await weights({}), on, "an outside reranker comes after the ranking with all legs");
});

Deno.test("an explanation names the reranker, and the rank and score of each chunk before", async () => {
  await using server = await RerankServer.start("jina");
  const { explanation: plain } = await ask(server, { rerank: { provider: "maxsim" } }, { explain: true });
  ok(plain!.reranker === undefined && plain!.chunks.every(({ rerank }) => rerank === undefined));
  prefer(server, "53");
  const answer = await ask(server, { rerank: { "top_m": 4 } }, { explain: true });
  const { reranker, chunks } = answer.explanation!;
  deepEqual(reranker, { id: "remote/judge", count: 4 });
  deepEqual(chunks.map(({ rerank }) => rerank!.rankBefore ?? 0).sort(), [0, 0, 1, 2, 3, 4]);
  for (const { rerank, legs } of chunks) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - rerank!.scoreBefore) < 1e-9, "the shares add up to the score before");
  }
  const text = explanationText(answer, "en");
  match(text, /Reranked by remote\/judge: the best 4 candidates/);
  match(text, /before reranking: #\d, score [\d.]+/);
  match(text, /not reranked; its score was [\d.]+/);
});
