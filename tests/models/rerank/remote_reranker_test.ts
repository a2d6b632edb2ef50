import "#foundation/messages/mod.ts";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createReranker, RerankFailure } from "#models/rerank/mod.ts";
import { type Fault, RerankServer, type Speech } from "./_rerank_server.ts";

const PASSAGES = ["about cats", "about dogs", "about birds"];
const QUESTION = "What do dogs eat?";
const SHARES: Record<string, number> = { "about cats": 0.25, "about dogs": 0.875, "about birds": 0.125 };
const OPEN = new AbortController().signal;

/** Starts a server that prefers dogs, and asks it. */
async function asked(
  speech: Speech,
  changes: Parameters<RerankServer["config"]>[0] = {},
  faults: Fault[] = [],
) {
  await using server = await RerankServer.start(speech);
  server.relevance = (passage) => SHARES[passage] ?? 0;
  server.faults.push(...faults);
  const reranker = (await createReranker(server.config(changes)))!;
  const scores = await reranker.score(QUESTION, PASSAGES, OPEN);
  return { scores: [...scores].map((score) => Math.round(score * 1e6) / 1e6), server, reranker };
}

/** Returns the key of the failure after `faults`, and its English text. */
async function failureAfter(speech: Speech, ...faults: Fault[]): Promise<[string, string]> {
  try {
    await asked(speech, {}, faults);
  } catch (error) {
    ok(error instanceof RerankFailure, String(error));
    return [error.key, error.message];
  }
  throw new Error("no failure");
}

Deno.test("a server with the protocol of Jina, Cohere and vLLM gets the documents and returns their relevance", async () => {
  const { scores, server, reranker } = await asked("jina", { "api_key": "sk-hush-0123" });
  deepEqual(scores, [0.25, 0.875, 0.125]);
  equal(reranker.id, "remote/judge");
  deepEqual(server.requests.map(({ path, headers, body }) => [path, headers["authorization"], body]), [[
    "/v1/rerank",
    "Bearer sk-hush-0123",
    { model: "judge", query: QUESTION, documents: PASSAGES, "top_n": 3 },
  ]]);
});

Deno.test("the raw numbers of llama.cpp become numbers from 0 to 1 in the same order", async () => {
  const { scores, server } = await asked("llama.cpp");
  deepEqual(scores, [0.25, 0.875, 0.125]);
  deepEqual(server.requests.map(({ body }) => Object.keys(body)), [["query", "documents", "top_n"]]);
});

Deno.test("auto: Text Embeddings Inference is recognised by its refusal, once", async () => {
  await using server = await RerankServer.start("tei");
  server.relevance = (passage) => SHARES[passage] ?? 0;
  const reranker = (await createReranker(server.config()))!;
  for (let i = 0; i < 2; i++) {
    deepEqual([...await reranker.score(QUESTION, PASSAGES, OPEN)], [0.25, 0.875, 0.125]);
  }
  deepEqual(server.requests.map(({ body }) => Object.keys(body)), [
    ["query", "documents", "top_n"],
    ["query", "texts", "truncate"],
    ["query", "texts", "truncate"],
  ]);
});

Deno.test("rerank.protocol: tei sends texts at once", async () => {
  const { scores, server } = await asked("tei", { protocol: "tei" });
  deepEqual([scores, server.requests.length], [[0.25, 0.875, 0.125], 1]);
});

Deno.test("rerank.base_url may be the whole address of the requests, and its query and key are in no message", async () => {
  await using server = await RerankServer.start("jina");
  server.relevance = (passage) => SHARES[passage] ?? 0;
  const whole = (await createReranker(server.config({ "base_url": `${server.url}/rerank` })))!;
  equal((await whole.score(QUESTION, PASSAGES, OPEN)).length, 3);
  const config = server.config({ "base_url": `${server.url}?key=hush-hush`, "api_key": "sk-hush-0123" });
  const reranker = (await createReranker(config))!;
  await rejects(reranker.score(QUESTION, PASSAGES, OPEN), (error: Error) => !/hush/.test(error.message));
});

Deno.test("wrong answers are failures: missing and doubled passages, NaN, null, no scores", async () => {
  const kinds = new Map<string, Fault>([
    ["rerank_incomplete 2 of 3", "one too few"],
    ["rerank_incomplete 2 of 3 ", "index twice"],
    ["rerank_incomplete 2 of 3  ", "strange index"],
    ["rerank_not_numbers", "NaN"],
    ["rerank_not_numbers ", "null"],
    ["rerank_bad_answer", { status: 200, body: { ok: true } }],
    ["rerank_bad_answer ", { status: 200, body: "so so" }],
    ["rerank_wrong_address", { status: 200, body: "<html>Welcome</html>" }],
    ["rerank_rejected", { status: 200, body: { error: { message: "cannot do this" } } }],
  ]);
  for (const speech of ["jina", "tei"] as const) {
    for (const [expected, fault] of kinds) {
      // TEI refuses the first request, which is not its dialect.
      const faults = speech === "tei" ? [{ status: 422, body: "missing field `texts`" }, fault] : [fault];
      const [key, text] = await failureAfter(speech, ...faults);
      const [kind = "", ...found] = expected.trim().split(" ");
      equal(key, kind);
      ok(text.includes(found.join(" ")), text);
    }
  }
});

Deno.test("a server's error says what to do", async () => {
  const error = (message: string) => ({ error: { message } });
  const cases: [string, Fault, RegExp][] = [
    ["rerank_key_missing", { status: 401, body: error("no key") }, /rerank\.api_key is not set/],
    ["rerank_quota", { status: 402, body: error("pay") }, /pay/],
    ["rerank_rate_limited", { status: 429, body: error("slow down") }, /slow down/],
    [
      "rerank_batch_too_large",
      { status: 422, body: error("batch size 40 > maximum allowed batch size 32") },
      /top_m/,
    ],
    ["rerank_unknown_model", { status: 404, body: error("model not found: judge") }, /rerank\.model/],
    ["rerank_wrong_address", { status: 404, body: "" }, /rerank\.base_url/],
    [
      "rerank_redirected",
      { status: 302, headers: { location: "http://elsewhere.test/" } },
      /elsewhere\.test/,
    ],
  ];
  for (const [key, fault, words] of cases) {
    const [found, text] = await failureAfter("jina", fault);
    equal(found, key);
    ok(words.test(text), text);
  }
  await using server = await RerankServer.start("jina");
  await server.stop();
  const reranker = (await createReranker(server.config()))!;
  await rejects(reranker.score(QUESTION, PASSAGES, OPEN), { key: "rerank_refused" });
});

Deno.test("a server that fails or closes the connection once is asked again", async () => {
  for (
    const fault of [{ status: 503, headers: { "retry-after-ms": "1" } }, { status: 500 }, "cut"] as Fault[]
  ) {
    const { scores, server } = await asked("jina", {}, [fault]);
    deepEqual([scores, server.requests.length], [[0.25, 0.875, 0.125], 2]);
  }
  equal((await failureAfter("jina", { status: 500 }, { status: 500 }))[0], "rerank_server_error");
});

Deno.test("passages that are too long for the model are cut, for this and all later questions", async () => {
  await using server = await RerankServer.start("jina");
  server.maxChars = 1500;
  const reranker = (await createReranker(server.config()))!;
  for (let i = 0; i < 2; i++) equal((await reranker.score(QUESTION, ["long ".repeat(1000)], OPEN)).length, 1);
  const lengths = server.requests.map(({ body }) => body.documents[0].length);
  deepEqual(lengths.map((length) => length <= 1500), [false, true, true]);
});

Deno.test("score() throws the reason of its signal, before the request and during it", async () => {
  await using server = await RerankServer.start("jina");
  server.faults.push("hang");
  const reranker = (await createReranker(server.config()))!;
  const reason = new Error("enough");
  await rejects(reranker.score(QUESTION, PASSAGES, AbortSignal.abort(reason)), reason);
  equal(server.requests.length, 0);
  const controller = new AbortController();
  const scores = reranker.score(QUESTION, PASSAGES, controller.signal);
  setTimeout(() => controller.abort(reason), 50);
  await rejects(scores, reason);
});
