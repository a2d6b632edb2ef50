import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { basename } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { explanationText } from "#library/answer/mod.ts";
import type { Rewriter, Rewriting, SearchRequest } from "#library/search/mod.ts";
import { Place } from "../ingest/_place.ts";

const NOTES = {
  "bridge.md": "# Harbour Bridge\n\nThe Harbour Bridge was repaired in 2024 and got new cables.\n",
  "car.md": "# Car\n\nAn automobile needs new brakes after some years.\n",
  "tea.md": "# Tea\n\nIn 2024 the tea harvest was late.\n",
  "tram.md": "# Tram\n\nThe tram was repaired in 2021.\n",
};

/** A model that gives this for every question, and keeps the questions. */
function rewriter(rewriting: Rewriting | undefined, wait?: Promise<void>) {
  const asked: string[] = [];
  const model: Rewriter = {
    id: "test/rewriter",
    timeoutSeconds: 0.2,
    async rewrite(question, history) {
      asked.push([question, ...history].join(" | "));
      await wait;
      return rewriting;
    },
  };
  return { asked, model };
}

async function found(request: SearchRequest, model?: Rewriter) {
  using place = await Place.indexed(NOTES);
  const library = await place.library({ rewriter: model && (() => Promise.resolve(model)) });
  const answer = await library.search(request);
  return { ...answer, names: answer.hits.map(({ filePath }) => basename(filePath)) };
}

Deno.test("a question that follows on is searched with the words of the one before, which weigh less", async () => {
  const query = "And what happened in 2024?";
  const alone = await found({ query });
  const after = await found({
    query,
    history: ["When was the tram repaired?", "Where is the Harbour Bridge?"],
  });
  equal(after.names[0], "bridge.md");
  equal(alone.hits.length > 0, true);
  const other = await found({ query: "tea harvest", history: ["Where is the Harbour Bridge?"] });
  equal(other.names[0], "tea.md");
});

Deno.test("a model adds terms; the question stays, and degrees come from it alone", async () => {
  const { asked, model } = rewriter({ question: "car brakes", terms: ["automobile", "vehicle"] });
  const request = { query: "-tea car brakes type:md", explain: true, mode: "keyword" } as const;
  const plain = await found(request);
  const rewritten = await found(request, model);
  deepEqual(asked, ["car brakes"]);
  deepEqual(rewritten.names, plain.names);
  deepEqual(rewritten.hits.map(({ degree }) => degree), plain.hits.map(({ degree }) => degree));
  ok(rewritten.hits[0]!.score > plain.hits[0]!.score);
  deepEqual(rewritten.explanation?.added, {
    words: [{ text: "automobile vehicle", by: "model" }],
    model: "test/rewriter",
  });
  const text = explanationText(rewritten, "en");
  ok(text.includes("automobile vehicle") && text.includes("test/rewriter"), text);
});

Deno.test("the stand-alone form chooses among the words that were typed before", async () => {
  const { asked, model } = rewriter({
    question: "When was the Harbour Bridge repaired by Mallory?",
    terms: [],
  });
  const answer = await found({
    query: "And in 2024?",
    history: ["path:docs Where is the Harbour Bridge?", "And the tram?"],
    explain: true,
  }, model);
  deepEqual(asked, ["And in 2024? | Where is the Harbour Bridge | And the tram"]);
  deepEqual(answer.explanation?.added?.words, [{ text: "the harbour bridge", by: "history" }]);
  equal(answer.names[0], "bridge.md");
});

Deno.test("a model that is late, fails or has nothing to add leaves the question as it is", async () => {
  const plain = await found({ query: "tram repaired" });
  const late = Promise.withResolvers<void>();
  const broken: Rewriter = {
    id: "test/broken",
    timeoutSeconds: 1,
    rewrite: () => Promise.reject(new Error("broken")),
  };
  for (
    const model of [
      rewriter({ question: "", terms: ["tea"] }, late.promise).model,
      rewriter(undefined).model,
      rewriter({ question: "", terms: [] }).model,
      broken,
    ]
  ) {
    const answer = await found({ query: "tram repaired" }, model);
    deepEqual(answer.hits.map(({ score }) => score), plain.hits.map(({ score }) => score));
  }
  const { notices } = await found({ query: "tram repaired" }, rewriter(undefined, late.promise).model);
  deepEqual(notices, [
    "The model test/rewriter did not rewrite the question within 0.2 s; it was searched as it is",
  ]);
  const failure = new UserError("llm_failed");
  const failed = await found({ query: "tram repaired" }, { ...rewriter(undefined).model, failure });
  deepEqual(failed.notices, [
    "The question was not rewritten and was searched as it is: The request to the language model failed",
  ]);
  late.resolve();
});

Deno.test("a boolean query is not rewritten", async () => {
  const { asked, model } = rewriter({ question: "", terms: ["tea"] });
  await found({ query: "tram AND repaired" }, model);
  deepEqual(asked, []);
});

Deno.test("an aborted search does not wait for the model", async () => {
  using place = await Place.indexed(NOTES);
  const { model } = rewriter(undefined, new Promise(() => {}));
  const library = await place.library({ rewriter: () => Promise.resolve({ ...model, timeoutSeconds: 60 }) });
  const stop = new AbortController();
  const searching = library.search({ query: "tram" }, stop.signal);
  setTimeout(() => stop.abort(new Error("stopped")), 20);
  await rejects(searching, /stopped/);
});
