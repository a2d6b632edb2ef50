import { deepEqual, equal, match, ok } from "node:assert/strict";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { makeIndexed, type Sandbox } from "./_program.ts";

const FILES = {
  "bridge.md": "# Harbour Bridge\n\nThe Harbour Bridge was opened in 1932.\n\nIt has eight lanes.\n",
};
const [, , connect] = OFFICIAL_CLIENTS[0]!;

/** A folder, and a server whose model writes a text. `more`: further variables of the program. */
async function serving(
  text: string,
  use: (sandbox: Sandbox, server: LanguageServer) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = () => text;
  await using sandbox = await makeIndexed(FILES, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(),
      MUXUE_RAG_MCP_TOOLS: "all",
      ...more,
    },
  });
  await use(sandbox, server);
}

Deno.test("an assistant asks a question and hears the answer while the model writes it", async () => {
  const text = "The Harbour Bridge was opened in 1932 [1]. The Harbour Bridge has nine lanes [1]. ".repeat(8);
  await serving(text, async (sandbox, server) => {
    await using client = await connect(sandbox);
    ok((await client.listTools()).includes("ask"));
    const heard: string[] = [];
    const answer = await client.call("ask", { question: "When was the Harbour Bridge opened?" }, {
      onprogress: ({ message = "" }) => void heard.push(message),
    });
    deepEqual([answer.code, answer.isError, answer.data.status], [200, false, "answered"]);
    deepEqual(answer.data.sentences.slice(0, 2).map(({ verdict }: Record<string, unknown>) => verdict), [
      "supported",
      "conflicting",
    ]);
    match(heard[0] ?? "", /^The Harbour Bridge was opened in 1932\. \[1\]/);
    match(answer.text, /\[1\] <quoted-1>.*bridge\.md:1-5/);
    const { body } = server.raw.at(-1)!;
    deepEqual([body.stream, body.tools], [true, undefined]);
  });
});

Deno.test("an assistant gets the passages where the model fails, and can cancel a question", async () => {
  await serving("", async (sandbox, server) => {
    server.rule = () => "401";
    await using client = await connect(sandbox);
    const failed = await client.call("ask", { question: "When was the Harbour Bridge opened?" });
    deepEqual([failed.isError, failed.data.status, failed.data.citations.length], [false, "failed", 1]);
    server.rule = () => "hang";
    const stop = new AbortController();
    const asked = client.call("ask", { question: "Harbour Bridge lanes" }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 300);
    const ended = await asked.catch((error) => String(error));
    match(String(ended), /stopped/);
    const found = await client.call("search_rag", { keyword: "Harbour Bridge" });
    equal(found.code, 200);
  });
});

Deno.test("the tool ask is not offered where the user has not agreed to the server", async () => {
  const remote = {
    MUXUE_RAG_LLM_BASE_URL: "https://192.0.2.1:8443/v1",
    MUXUE_RAG_LLM_API_KEY: "sk-hush-0123456789",
  };
  await serving("", async (sandbox) => {
    await using client = await connect(sandbox);
    equal((await client.listTools()).includes("ask"), false);
  }, remote);
});

Deno.test("a question is rewritten once, and the search keeps what was typed", async () => {
  await serving("", async (sandbox, server) => {
    server.reply = ({ schema }) =>
      schema === undefined
        ? "It has eight lanes [1]."
        : { question: "How many lanes?", terms: ["carriageway", "路"] };
    const { run, folder } = sandbox;
    const search = () => run`search ${"lanes of the bridge"} --dir ${folder} --explain`;
    const explained = await search();
    equal(explained.code, 0, explained.stderr);
    match(
      explained.stdout,
      /Added by the model openai-compatible\/small-1, with little weight: carriageway 路/,
    );
    equal(server.requests.length, 1);
    await search();
    equal(server.requests.length, 1);
    server.rule = () => "hang";
    const late = await run`search ${"opened in 1932"} --dir ${folder} --explain`;
    equal(late.code, 0);
    match(late.stdout, /The model openai-compatible\/small-1 did not rewrite the question$/m);
  }, { MUXUE_RAG_LLM_TASKS: "rewrite", MUXUE_RAG_LLM_TIMEOUT_SECONDS: "6" });
});

Deno.test("a search says why its question was not rewritten", async () => {
  await serving("", async ({ run, folder }, server) => {
    server.rule = () => "hang";
    const late = await run`search ${"opened in 1932"} --dir ${folder}`;
    match(
      late.stdout + late.stderr,
      /The model openai-compatible\/small-1 did not rewrite the question within 1 s; it was searched as it is/,
    );
    const asked = await run`ask ${"opened in 1932"} --dir ${folder}`;
    match(asked.stderr, /did not rewrite the question within 0\.3 s; it was searched as it is/);
    server.rule = () => "401";
    const refused = await run`search ${"lanes of the bridge"} --dir ${folder} --language zh`;
    match(refused.stdout + refused.stderr, /问题未经模型改写，已按原样检索：http:\/\/127\.0\.0\.1.*密钥/);
  }, { MUXUE_RAG_LLM_TASKS: "rewrite", MUXUE_RAG_LLM_TIMEOUT_SECONDS: "1" });
});
