import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { LanguageServer, MODEL_NAME } from "../models/language/_servers/mod.ts";
import { makeIndexed, makeSandbox, type Sandbox, smokeTest } from "./_program.ts";

const FILES = {
  "bridge.md": "# Harbour Bridge\n\nThe Harbour Bridge was opened on 19 March 1932.\n\nIt has eight lanes.\n",
  "茶.md": "# 绿茶\n\n绿茶用八十度的水冲泡三分钟。\n",
};
const TEXT = "The Harbour Bridge was opened on 19 March 1932 [1]. The Harbour Bridge has nine lanes [1][9].";

/** The variables that configure the model of a server. */
function envOf(server: LanguageServer, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...server.environment(),
    MUXUE_RAG_LLM_TIMEOUT_SECONDS: "2",
    ...more,
  };
}

/** A server whose model writes a text, and an indexed folder beside it. */
async function asking(text: string, more?: Readonly<Record<string, string>>, start?: Sandbox["start"]) {
  const server = await LanguageServer.start("openai-compatible");
  server.reply = () => text;
  const sandbox = await makeIndexed(FILES, { env: envOf(server, more), ...(start && { start }) });
  return {
    ...sandbox,
    server,
    run: sandbox.run,
    runIn: sandbox.runIn.bind(sandbox),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

smokeTest("ask answers from the documents and marks what they do not say", async (start) => {
  await using place = await asking(TEXT, {}, start);
  const { run, folder, server } = place;
  const asked = await run`ask ${"When was the Harbour Bridge opened?"} --dir ${folder} --language en`;
  equal(asked.code, 0, asked.stderr);
  deepEqual(asked.stdout.split("\n"), [
    "The Harbour Bridge was opened on 19 March 1932. [1] The Harbour Bridge has nine lanes. [1] (the passage says: eight)",
    "",
    "[1] bridge.md:1-5  Harbour Bridge",
    "",
  ]);
  deepEqual(asked.stderr.split("\n"), [
    "Note: 1 sentence is not supported by the documents and marked",
    "Note: Removed citations of passages that do not exist: [9]",
    "",
  ]);
  const [request] = server.requests;
  equal(request!.stream, true);
  match(request!.prompt, /The Harbour Bridge was opened on 19 March 1932\./);
  // Only names of files are sent.
  ok(!request!.prompt.includes(folder));
});

Deno.test("ask answers in Chinese to a question in Chinese, and prints all of it as JSON", async () => {
  await using place = await asking("绿茶用80度的水冲泡三分钟[1]。");
  const { run, folder } = place;
  const { code, stdout, stderr } = await run`ask 绿茶怎么冲泡？ --dir ${folder} --language zh --json`;
  deepEqual([code, stderr], [0, ""]);
  const { code: inside, message, data } = JSON.parse(stdout);
  deepEqual([inside, message, data.status, data.model], [
    200,
    "已根据文档作答",
    "answered",
    `openai-compatible/${MODEL_NAME}`,
  ]);
  deepEqual(
    data.sentences.map(({ text, verdict, citations }: Record<string, unknown>) => [text, verdict, citations]),
    [
      ["绿茶用80度的水冲泡三分钟。", "supported", [1]],
    ],
  );
  equal(data.citations[0].source, `${folder}/茶.md`);
  ok(data.usage.input_tokens > 0 && data.seconds.total >= data.seconds.search);
});

Deno.test("a question that no document is about is answered without the model", async () => {
  await using place = await asking(TEXT);
  const { run, folder, server } = place;
  const { code, stdout } =
    await run`ask ${"Who invented the transistor radio?"} --dir ${folder} --language en`;
  equal(code, 0);
  match(stdout, /^The answer is not in these documents\.\n/);
  deepEqual(server.requests, []);
});

Deno.test("an answer, its marks and its remarks are in the language of the question", async () => {
  await using place = await asking("绿茶用九十度的水冲泡三分钟[1]。更多信息见 https://e.test/a 。");
  const { run, folder } = place;
  const asked = await run`ask 绿茶怎么冲泡？ --dir ${folder} --language en`;
  deepEqual(asked.stdout.split("\n"), [
    "绿茶用九十度的水冲泡三分钟。[1]（与片段不符，片段为：八十度）更多信息见（链接已移除）。（文档中未找到依据）",
    "",
    "[1] 茶.md:1-3  绿茶",
    "",
  ]);
  deepEqual(asked.stderr.split("\n"), ["注意：2 句没有得到文档支持，已标注", "注意：已移除 1 个链接", ""]);
  const unknown = await run`ask ${"谁发明了晶体管收音机？"} --dir ${folder} --language en`;
  match(unknown.stdout, /^这些文档中没有答案。\n/);
});

Deno.test("an earlier question gives the words that a question leaves out", async () => {
  await using place = await asking("It has eight lanes [1].");
  const { run, folder, server } = place;
  const args = ["--earlier", "Where is the Harbour Bridge?", "--dir", folder, "--language", "en"];
  const { stdout } = await run("ask", "How many lanes?", ...args);
  match(stdout, /^It has eight lanes\. \[1\]\n/);
  match(server.requests[0]!.prompt, /Q: Where is the Harbour Bridge\?/);
});

Deno.test("on a terminal, questions follow each other until an empty line", async () => {
  await using place = await asking("It has eight lanes [1].");
  const { runIn, folder, server } = place;
  const run = runIn({ terminal: 80, stdin: "Where is the Harbour Bridge?\nHow many lanes has it?\n\n" });
  const { code, stdout } = await run`ask --dir ${folder} --language en`;
  equal(code, 0, stdout);
  match(stdout, /Type a question and press Enter/);
  equal(server.requests.length, 2);
  match(server.requests[1]!.prompt, /Q: Where is the Harbour Bridge\?\nA: It has eight lanes\. \[1\]/);
});

for (
  const [fault, error] of [
    ["401", /key/i],
    ["hang", /2 s/],
    ["redirect", /redirect/i],
    ["cut in the body", /127\.0\.0\.1/],
  ] as const
) {
  Deno.test(`a model that fails (${fault}) leaves the passages`, async () => {
    await using place = await asking(TEXT);
    const { run, folder, server } = place;
    server.rule = () => fault;
    const { code, stdout, stderr } = await run`ask ${"Harbour Bridge opened"} --dir ${folder} --language en`;
    equal(code, 1, stderr);
    // The error is the last line.
    match(stderr, /(^|\n)Error: .*\n$/);
    match(stderr, error);
    deepEqual(stdout.split("\n"), [
      "The nearest passages:",
      "[1] bridge.md:1-5  Harbour Bridge",
      "   │ # Harbour Bridge",
      "   │ The Harbour Bridge was opened on 19 March 1932.…",
      "",
    ]);
  });
}

Deno.test("ask without a model, without a question and without consent says what to do", async () => {
  await using sandbox = await makeSandbox(FILES);
  const { run, runIn, folder } = sandbox;
  const noModel = await run`ask question --dir ${folder} --language en`;
  deepEqual([noModel.code, noModel.stdout], [1, ""]);
  match(noModel.stderr, /No language model is configured\. Set llm\.provider/);
  const empty = await run`ask --dir ${folder} --language en`;
  equal(empty.code, 2);
  match(empty.stderr, /No question given/);
  const env = {
    MUXUE_RAG_LLM_PROVIDER: "deepseek",
    MUXUE_RAG_LLM_MODEL: "deepseek-chat",
    MUXUE_RAG_LLM_API_KEY: "sk-canary",
  };
  const refused = await runIn({ env })`ask question --dir ${folder} --language en`;
  equal(refused.code, 1);
  match(refused.stderr, /not sent to api\.deepseek\.com, because you have not agreed/);
  doesNotMatch(refused.stderr, /canary/);
});

Deno.test("Ctrl-C ends a question at once", async () => {
  await using place = await asking(TEXT, { MUXUE_RAG_LLM_TIMEOUT_SECONDS: "600" });
  const { folder, server } = place;
  server.rule = () => "hang in the body";
  const waiting = Promise.withResolvers<void>();
  server.reply = () => {
    waiting.resolve();
    return TEXT;
  };
  const child = new Deno.Command(place.start([]).cmd, {
    args: place.start(["ask", "Harbour Bridge opened", "--dir", folder, "--language", "en"]).args,
    cwd: place.cwd,
    env: place.env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await waiting.promise;
  child.kill("SIGINT");
  const { code, stderr } = await child.output();
  equal(code, 130, new TextDecoder().decode(stderr));
});
