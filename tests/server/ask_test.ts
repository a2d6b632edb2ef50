import { deepEqual, equal, match, ok } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { Place } from "../library/ingest/_place.ts";
import { type SessionOptions, startSession } from "./_session.ts";

const FILES = {
  "bridge.md": "# Harbour Bridge\n\nIt was opened in 1932.\n\nThe Harbour Bridge has eight lanes.\n",
};
const TEXT = "The Harbour Bridge has nine lanes [1]. The Harbour Bridge was opened in 1932 [1]. " +
  "See https://evil.test/x [4].";

/** A server whose model writes a text, or fails after it. */
async function served(text: string, failure?: UserError) {
  const place = await Place.indexed(FILES);
  const answering: SessionOptions["answering"] = {
    model: () =>
      Promise.resolve({
        id: "test/writer",
        contextTokens: 8000,
        async text(_, onText) {
          for (const part of text.match(/[\s\S]{1,5}/g) ?? []) {
            onText?.(part);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          if (failure !== undefined) throw failure;
          return { value: text, usage: { inputTokens: 9, outputTokens: 4, isEstimated: true, calls: 1 } };
        },
      }),
    prompts: null,
    maxOutputTokens: 200,
  };
  const session = await startSession({
    library: await place.library(),
    answering,
    config: { tools: ["ask"] },
  });
  return {
    session,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

Deno.test("ask answers with citations, and marks what the passages do not support", async () => {
  await using server = await served(TEXT);
  const { content, structuredContent: { code, message, data }, isError } = await server.session.call("ask", {
    question: "How many lanes has the Harbour Bridge?",
  });
  deepEqual([code, message, isError], [200, "Answered from the documents", undefined]);
  const { sentences, citations, answer, model, usage, status } = data;
  equal(status, "answered");
  deepEqual(
    sentences.map(({ verdict, citations, mark }: Record<string, unknown>) => [verdict, citations, mark]),
    [
      ["conflicting", [1], "(the passage says: eight)"],
      ["supported", [1], undefined],
      ["not_found", [], "(not found in the documents)"],
    ],
  );
  equal(
    answer,
    "The Harbour Bridge has nine lanes. [1] (the passage says: eight) The Harbour Bridge was opened in 1932. [1] " +
      "See (link removed). (not found in the documents)",
  );
  deepEqual(citations.map(({ id, lines }: Record<string, unknown>) => [id, lines]), [[1, "1-5"]]);
  deepEqual([model, usage], [
    "test/writer",
    { input_tokens: 9, output_tokens: 4, estimated: true, calls: 1 },
  ]);
  deepEqual(data.remarks, [
    "2 sentences are not supported by the documents and marked",
    "Removed citations of passages that do not exist: [4]",
    "Removed 1 link",
  ]);
  match(
    content[0].text,
    /<quoted-1>\nThe Harbour Bridge has nine lanes\. \[1\] \(the passage says: eight\)/,
  );
});

Deno.test("ask tells how far the answer is while the model writes it", async () => {
  await using server = await served("The Harbour Bridge has eight lanes [1]. ".repeat(30));
  const { session } = server;
  await session.send({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "ask", arguments: { question: "Harbour Bridge lanes" }, _meta: { progressToken: "p" } },
  });
  const first = await session.receive();
  deepEqual([first.method, first.params.progressToken], ["notifications/progress", "p"]);
  match(first.params.message, /^The Harbour Bridge has eight lanes\. \[1\]/);
});

Deno.test("a failure of the model comes with the passages that were found", async () => {
  await using server = await served("", new UserError("ask_empty_answer"));
  const { content, structuredContent: { message, data } } = await server.session.call("ask", {
    question: "How many lanes has the Harbour Bridge?",
  });
  match(message, /^The model gave no answer\. .* The passages that were found follow$/);
  deepEqual([data.status, data.problem.kind, data.citations.length], ["failed", "ask_empty_answer", 1]);
  ok(content[0].text.includes("eight lanes"));
});

Deno.test("a question that follows on is searched with those before it", async () => {
  await using server = await served("It was opened in 1932 [1].");
  const { structuredContent: { data } } = await server.session.call("ask", {
    question: "And when was it opened?",
    history: [{ question: "How many lanes has the Harbour Bridge?", answer: "Eight." }],
  });
  deepEqual(data.sentences.map(({ verdict }: Record<string, unknown>) => verdict), ["supported"]);
});
