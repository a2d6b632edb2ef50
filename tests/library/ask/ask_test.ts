import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { type AnswerModel, ask, type AskedAnswer, type AskOptions } from "#library/ask/mod.ts";
import { Traces } from "#traces/mod.ts";
import { Place } from "../ingest/_place.ts";

const FILES = {
  "bridges.md": `# Harbour Bridge

It was opened in 2008 by the mayor. It is 3.2 km long.

# Tower Bridge

It was opened in 1894.
`,
  "茶.md": "# 绿茶\n\n绿茶用八十度的水冲泡三分钟。\n",
};

/** A model that writes a text in parts of four units, and keeps its requests. */
class Writer implements AnswerModel {
  readonly id = "test/writer";
  readonly contextTokens: number;
  readonly prompts: string[] = [];
  readonly #text: string | ((prompt: string) => string);

  constructor(text: string | ((prompt: string) => string), contextTokens = 8000) {
    this.#text = text;
    this.contextTokens = contextTokens;
  }

  async text({ prompt, signal }: Parameters<AnswerModel["text"]>[0], onText?: (part: string) => void) {
    this.prompts.push(prompt);
    const text = typeof this.#text === "string" ? this.#text : this.#text(prompt);
    for (let at = 0; at < text.length; at += 4) {
      await Promise.resolve();
      signal?.throwIfAborted();
      onText?.(text.slice(at, at + 4));
    }
    return { value: text, usage: { inputTokens: 9, outputTokens: 3, isEstimated: false, calls: 1 } };
  }
}

async function answered(
  query: string,
  model: AnswerModel,
  options: Partial<AskOptions> & { readonly files?: Record<string, string> } = {},
): Promise<AskedAnswer> {
  using place = await Place.indexed(options.files ?? FILES);
  const library = await place.library();
  return await ask({ query }, {
    library,
    model: () => Promise.resolve(model),
    prompts: null,
    maxOutputTokens: 500,
    ...options,
  });
}

/** Text, verdict, reason and citations of each sentence. */
function brief({ sentences }: AskedAnswer): unknown[] {
  return sentences.map(({ text, verdict, reason, citations }) => [text, verdict, reason, citations]);
}

Deno.test("each sentence of an answer comes with the passages that support it, or with what differs", async () => {
  const model = new Writer(
    "The Harbour Bridge was opened in 2008 [1]. The Harbour Bridge is 3.5 km long [1]. The Tower Bridge was opened in 1894. " +
      "The toll is two euros [1][7].",
  );
  const given: string[] = [];
  const answer = await answered("When was the Harbour Bridge opened?", model, {
    onSentence: ({ text }) => void given.push(text),
  });
  deepEqual(brief(answer), [
    ["The Harbour Bridge was opened in 2008.", "supported", "coverage", [1]],
    ["The Harbour Bridge is 3.5 km long.", "conflicting", "number", [1]],
    ["The Tower Bridge was opened in 1894.", "supported", "coverage", [1]],
    ["The toll is two euros.", "not_found", "coverage", [1]],
  ]);
  deepEqual(given, answer.sentences.map(({ text }) => text));
  deepEqual(answer.sentences[3]!.unknownCitations, [7]);
  equal(answer.sentences[1]!.found, "3.2 km");
  equal(answer.sentences[0]!.source?.startLine, 3);
  deepEqual([answer.status, answer.model, answer.usage?.inputTokens], ["answered", "test/writer", 9]);
});

Deno.test("no link is left where the marks of citations stood in the middle of it", async () => {
  const model = new Writer("See www[1].e.test, java[1]script:alert(1) or <[1]script>this.");
  const { sentences } = await answered("When was the Harbour Bridge opened?", model);
  equal(
    sentences.map(({ text }) => text).join(" "),
    "See (link removed) (link removed) or this.",
  );
});

Deno.test("an answer in Chinese is compared as well", async () => {
  const answer = await answered(
    "绿茶怎么冲泡？",
    new Writer("绿茶用80度的水冲泡三分钟[1]。绿茶用80度的水冲泡五分钟[1]。"),
  );
  deepEqual(brief(answer).map((sentence) => (sentence as unknown[])[1]), ["supported", "conflicting"]);
});

Deno.test("a sentence in the words of the question is compared too, its heading and the head of a list are not", async () => {
  const text =
    "# Harbour Bridge opened\nYes, the Harbour Bridge was opened in 2009 [1]. The Harbour Bridge opened:\n";
  deepEqual(brief(await answered("Was the Harbour Bridge opened in 2009?", new Writer(text))), [
    ["Harbour Bridge opened", undefined, undefined, []],
    ["Yes, the Harbour Bridge was opened in 2009.", "conflicting", "number", [1]],
    ["The Harbour Bridge opened:", undefined, undefined, []],
  ]);
  const 否 = new Writer("是的，绿茶用90度的水冲泡[1]。");
  deepEqual(brief(await answered("绿茶用90度的水冲泡吗？", 否)), [
    ["是的，绿茶用90度的水冲泡。", "conflicting", "number", [1]],
  ]);
});

Deno.test("a question that no passage is about is answered without the model, in its language", async () => {
  const model = new Writer("Yes.");
  for (
    const [query, text] of [
      ["Who invented the transistor radio?", "The answer is not in these documents."],
      ["谁发明了晶体管收音机？", "这些文档中没有答案。"],
    ] as const
  ) {
    const answer = await answered(query, model);
    deepEqual([answer.status, answer.sentences.map(({ text }) => text)], ["not_in_documents", [text]]);
  }
  deepEqual(model.prompts, []);
});

Deno.test("a model that finds no answer in the passages is believed", async () => {
  const answer = await answered(
    "What is the toll of the Harbour Bridge?",
    new Writer("The documents do not say what the toll is."),
  );
  deepEqual([answer.status, answer.sentences[0]!.verdict], ["not_in_documents", undefined]);
});

Deno.test("the passages are cut to the window of the model, and stand between tags that no document knows", async () => {
  const files = { "long.md": `# Bridge\n\n${"The bridge has six lanes and a toll. ".repeat(400)}` };
  const model = new Writer("The bridge has six lanes [1].", 1500);
  const { hits } = await answered("Bridge lanes", model, { files });
  ok(hits.length >= 1);
  const [sent = ""] = model.prompts;
  match(sent, /\n<passages-([0-9a-f]{12})>\n\[1\]\n<passage-1-\1>\nlong\.md > Bridge\n/);
  ok(sent.length < 1000 * 6);
});

Deno.test("a failure of the model is told with the passages and the sentences before it", async () => {
  const model: AnswerModel = {
    id: "test/broken",
    contextTokens: 8000,
    text: (_, onText) => {
      onText?.("The Harbour Bridge was opened in 2008. It is 3.");
      return Promise.reject(new UserError("ask_empty_answer"));
    },
  };
  const answer = await answered("When was the Harbour Bridge opened?", model);
  equal(answer.status, "failed");
  equal((answer.problem as UserError).key, "ask_empty_answer");
  deepEqual(answer.sentences.map(({ text }) => text), ["The Harbour Bridge was opened in 2008."]);
  ok(answer.hits.length > 0);
  const empty = await answered("When was the Harbour Bridge opened?", new Writer("<think>Hm."));
  deepEqual([empty.status, (empty.problem as UserError).key], ["failed", "ask_empty_answer"]);
});

Deno.test("an aborted question stops the model, and a reader who has gone stops it too", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  const hanging: AnswerModel = {
    id: "test/hanging",
    contextTokens: 8000,
    text: ({ signal }) =>
      new Promise((_, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
        stop.abort(reason);
      }),
  };
  await rejects(answered("Harbour Bridge", hanging, { signal: stop.signal }), reason);
  const gone = new Deno.errors.BrokenPipe();
  const onSentence = () => Promise.reject(gone);
  await rejects(
    answered("Harbour Bridge", new Writer("One bridge. Two bridges. Three bridges. ".repeat(50)), {
      onSentence,
    }),
    gone,
  );
});

Deno.test("a question is traced: its search, the answer of the model, and the check of each sentence", async () => {
  const traces = new Traces({
    ...{ dir: null, traces: "ids", detail: "minimal", maxMb: 1, keep: 1, program: "1.0.0" },
  });
  const model = new Writer("The Harbour Bridge was opened in 2008 [1]. The toll is two euros [1].");
  const answer = await answered("When was the Harbour Bridge opened?", model, {
    traces: () => Promise.resolve(traces),
  });
  await traces.flush();
  const record = traces.find(answer.trace!)!;
  const [search] = record.spans;
  const others = record.spans.filter(({ stage, parent }) => parent === undefined || stage === "check");
  deepEqual(others.map(({ stage, facts, texts }) => [stage, facts, texts]), [
    ["query", search!.facts, search!.texts],
    ["answer", {
      method: "llm",
      provider: "test/writer",
      counts: { passages: 1, sentences: 2 },
      usage: { inputTokens: 9, outputTokens: 3, isEstimated: false, calls: 1 },
    }, undefined],
    ["check", { method: "support", verdict: "supported" }, {
      sentence: "The Harbour Bridge was opened in 2008.",
    }],
    ["check", { method: "support", verdict: "not_found" }, { sentence: "The toll is two euros." }],
  ]);
  deepEqual([record.facts, record.texts], [
    { method: "ask", status: "answered", counts: { hits: 1, sentences: 2, leftOut: 0 } },
    { question: "When was the Harbour Bridge opened?" },
  ]);

  const failing = await answered("When was the Harbour Bridge opened?", {
    ...model,
    id: "test/failing",
    contextTokens: 8000,
    text: () =>
      Promise.reject(new UserError("llm_timeout", { url: "http://127.0.0.1", seconds: 2, section: "llm" })),
  }, { traces: () => Promise.resolve(traces) });
  await traces.flush();
  const failed = traces.find(failing.trace!)!;
  deepEqual([failed.error, failed.spans.find(({ stage }) => stage === "answer")?.error], [
    "llm_timeout",
    "llm_timeout",
  ]);
});
