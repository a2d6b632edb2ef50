import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  ERRORS,
  type Fault,
  KEY,
  LanguageServer,
  MODEL,
  TRANSPORT,
} from "../models/language/_servers/mod.ts";
import { makeSandbox, NOTES } from "./_program.ts";

/** A variable of the environment that no one but the launcher may know. */
const CANARY = "canary-7c1be2a9";

/** The program with a language model for `tasks`, in a folder with three notes. */
async function work(tasks: string) {
  const server = await LanguageServer.start("openai-compatible", { key: KEY });
  const { provider, base_url: url, model } = server.llm();
  const place = await makeSandbox(NOTES, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_LOG_LEVEL: "debug",
      MUXUE_RAG_LLM_PROVIDER: provider,
      MUXUE_RAG_LLM_BASE_URL: url,
      MUXUE_RAG_LLM_MODEL: model,
      MUXUE_RAG_LLM_API_KEY: "env:KEY_OF_THE_MODEL",
      MUXUE_RAG_LLM_TASKS: tasks,
      MUXUE_RAG_LLM_TIMEOUT_SECONDS: "1",
      KEY_OF_THE_MODEL: KEY,
      OTHER_SECRET: CANARY,
    },
  });
  return {
    place,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a search answers although the server of rewrite and rerank hangs, and says so", async () => {
  for (const fault of ["hang", "hang in the body", "slow"] as const) {
    await using job = await work("rewrite,rerank");
    const { run, folder } = job.place;
    equal((await run`index --dir ${folder}`).code, 0);
    job.server.rule = () => fault;
    const { code, stdout, stderr } =
      await run`search ${"how to install the tomato archive"} --json --dir ${folder}`;
    const { data } = JSON.parse(stdout);
    equal(code, 0, stderr);
    ok(data.match_content.length > 0);
    match(data.notices.join("\n"), /within 1 s/);
    // The search has waited for the rewritten question, and does not wait for the same server again.
    equal(job.server.raw.length, 1);
  }
});

/** Faults after which each request counts as done: the answer was usable, or the model will not give another one. */
const DONE: readonly unknown[] = [
  "fences",
  "thoughts",
  "single quotes",
  "invalid UTF-8",
  "no usage",
  "zero usage",
  "huge usage",
  "silent cut",
  "content filter",
];
const FAULTS: readonly Fault[] = [
  ...Object.keys(ERRORS) as (keyof typeof ERRORS)[],
  ...TRANSPORT,
  ...MODEL,
  { status: 418, body: { error: { message: "I am a teapot." } } },
  { status: 200, headers: { "content-encoding": "gzip" }, body: "no gzip" },
];

for (const fault of FAULTS) {
  const name = typeof fault === "string" ? fault : `status ${fault.status}`;
  Deno.test(`indexing ends with the offline result, status names what is missing, and the next run fills it: ${name}`, async () => {
    await using job = await work("refine,enrich");
    const { server, place: { run, folder } } = job;
    server.rule = () => fault;
    const first = await run`index ${folder}`;
    equal(first.code, 0, first.stderr);
    const found = await run`search soup --json --dir ${folder}`;
    match(JSON.parse(found.stdout).data.match_content[0].content, /Tomato soup/);
    const status = await run`status --dir ${folder}`;
    const [, done, total] = /enrich (\d)\/(\d) /.exec(status.stdout) ?? [];
    equal(total, "1", status.stdout + status.stderr);
    equal(done, DONE.includes(fault) ? total : "0", `${status.stdout}\n${first.stdout}`);
    server.rule = () => undefined;
    const again = await run`index ${folder}`;
    equal(again.code, 0, again.stderr);
    match((await run`status --dir ${folder}`).stdout, new RegExp(`enrich ${total}/${total} \\(100 %\\)`));
  });
}

Deno.test("no secret is sent or logged, and a request holds the text of one document", async () => {
  await using job = await work("refine,enrich");
  const { run, folder, cwd } = job.place;
  const { code, stderr } = await run`index --wait --dir ${folder}`;
  equal(code, 0, stderr);
  const heard = job.server.heard();
  ok(job.server.requests.length >= 3);
  deepEqual([heard.includes(CANARY), heard.includes(cwd)], [false, false]);
  const marks = ["移动硬盘", "Unpack the archive", "onions"];
  for (const { text } of job.server.raw) {
    ok(!text.includes(KEY));
    ok(marks.filter((mark) => text.includes(mark)).length <= 1, text);
  }
  const logs = join(cwd, "state", "logs");
  for await (const { name } of Deno.readDir(logs)) {
    const log = await Deno.readTextFile(join(logs, name));
    deepEqual([log.includes(KEY), log.includes(CANARY), log.includes("onions")], [false, false, false]);
  }
});
