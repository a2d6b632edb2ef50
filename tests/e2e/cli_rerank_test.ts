import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, type Setting, writeFiles } from "./_program.ts";
import { tinyModel } from "../models/rerank/_tiny_model.ts";
import { KEY as MODEL_KEY, LanguageServer } from "../models/language/_servers/mod.ts";
import { RerankServer, type Speech } from "../models/rerank/_rerank_server.ts";

const KEY = "sk-hush-0123456789";

/** Four notes in which "lantern" is rarer and `more` more frequent from each to the next. */
const notes = (more = "") =>
  Object.fromEntries(
    [1, 2, 3, 4].map((i) => [`${i}.txt`, `${"lantern ".repeat(5 - i)}is note ${i}: ${more.repeat(i)}\n`]),
  );

/** The real program with four notes, which searches with a reranker that likes later notes more. */
async function work(speech: Speech) {
  const server = await RerankServer.start(speech);
  server.relevance = (passage) => Number(/note (\d)/.exec(passage)?.[1] ?? 0) / 10;
  server.reply = (prompt) => {
    const notes = [...prompt.matchAll(/is note (\d)/g)].map(([, note]) => Number(note));
    return JSON.stringify(Object.fromEntries(notes.map((note, i) => [i + 1, note])));
  };
  const { provider, base_url: url, model } = server.config();
  const place = await makeSandbox(notes(), {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_LOG_LEVEL: "debug",
      MUXUE_RAG_RERANK_PROVIDER: provider,
      MUXUE_RAG_RERANK_BASE_URL: url ?? "",
      MUXUE_RAG_RERANK_MODEL: model ?? "",
      MUXUE_RAG_RERANK_API_KEY: "env:KEY_OF_THE_SERVER",
      KEY_OF_THE_SERVER: KEY,
    },
  });
  return {
    place,
    server,
    run: (line: string, env: Setting["env"] = {}) =>
      place.runIn({ env })`${line.split(" ")} --dir ${place.folder}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** The numbers of the notes in an answer as JSON. */
const notesIn = (stdout: string): string =>
  JSON.parse(stdout).data.match_content.map(({ content }: { content: string }) => /\d/.exec(content)![0])
    .join("");

for (const speech of ["jina", "tei", "llama.cpp", "chat"] as const) {
  Deno.test(`search in the locked program: ${speech} orders the hits`, async () => {
    await using job = await work(speech);
    const { code, stdout, stderr } = await job.run("search lantern --json");
    deepEqual([code, notesIn(stdout)], [0, "4321"], stderr);
    const sent = JSON.stringify(job.server.requests.map(({ body }) => body));
    const isSent = [sent.includes("lantern"), sent.includes(job.place.cwd)];
    deepEqual(isSent, [true, false], "the question and the passages, but no paths");
    const keys = new Set(job.server.requests.map(({ headers }) => headers["authorization"]));
    deepEqual(keys, new Set([`Bearer ${KEY}`]));
  });
}

Deno.test("search in the locked program: a model on the disk orders the hits, and nothing is sent", async () => {
  await using job = await work("jina");
  await using model = await tinyModel(["glow"]);
  await writeFiles(job.place.folder, notes("glow "));
  const env = {
    MUXUE_RAG_RERANK_PROVIDER: "local",
    MUXUE_RAG_RERANK_PATH: model.file,
    MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "120",
  };
  const { code, stdout, stderr } = await job.run("search lantern glow --explain --json", env);
  equal(code, 0, stderr);
  const { data } = JSON.parse(stdout);
  deepEqual([data.reranker, data.notices], [{ id: "local/model.onnx", count: 4 }, undefined]);
  const order = data.final_results.map(({ file_path: path }: { "file_path": string }) => path.at(-5));
  equal(order.join(""), "4321");
  equal(job.server.requests.length, 0);
  const missing = await job.run("search lantern --json", {
    ...env,
    MUXUE_RAG_RERANK_PATH: `${model.file}x`,
  });
  match(JSON.parse(missing.stdout).data.notices.join(), /no model at .*onnxx .*Set rerank\.path/);
});

Deno.test("without the server the hits are in the order before, and the notice says what to do", async () => {
  await using job = await work("jina");
  await job.server.stop();
  const { code, stdout, stderr } = await job.run("search lantern --json");
  deepEqual([code, notesIn(stdout)], [0, "1234"], stderr);
  match(
    JSON.parse(stdout).data.notices.join("\n"),
    /^The hits could not be reranked and are in the order before: Nothing answers at .*rerank\.base_url/,
  );
  const chinese = await job.run("search lantern", { MUXUE_RAG_LANGUAGE: "zh" });
  match(chinese.stdout + chinese.stderr, /重排未成功，结果保持原来的顺序/);
});

Deno.test("search and doctor may connect to the reranker alone, and indexing to nothing", async () => {
  await using job = await work("jina");
  const { stdout } = await job.run("doctor --json");
  const { boundary, rerank } = JSON.parse(stdout).data;
  deepEqual([boundary.net, rerank.ok], [[new URL(job.server.config().base_url!).host], true]);
  equal(job.server.requests.splice(0).length, 1);
  equal((await job.run("index")).code, 0);
  equal(job.server.requests.length, 0);
  const off = await job.run("search lantern --json", { MUXUE_RAG_SEARCH_RERANK: "false" });
  deepEqual([notesIn(off.stdout), job.server.requests.length], ["1234", 0]);
});

Deno.test("the key of the reranker is in no log and in no answer", async () => {
  await using job = await work("jina");
  job.server.faults.push({ status: 401, body: { error: { message: `wrong key ${KEY}` } } });
  const { stdout, stderr } = await job.run("search lantern --explain");
  match(stdout + stderr, /rejected the key/);
  const logs = join(job.place.cwd, "state", "logs");
  const texts = [stdout, stderr];
  for await (const { name } of Deno.readDir(logs)) texts.push(await Deno.readTextFile(join(logs, name)));
  ok(texts.length > 2 && texts.every((text) => !text.includes("hush")));
});

for (const speech of ["ollama", "openai", "anthropic"] as const) {
  Deno.test(`search in the locked program: the task rerank of ${speech} orders the hits`, async () => {
    await using server = await LanguageServer.start(speech);
    server.reply = ({ prompt }) => {
      const found = [...prompt.matchAll(/is note (\d)/g)].map(([, note]) => Number(note));
      return Object.fromEntries(found.map((note, i) => [i + 1, note]));
    };
    await using place = await makeSandbox(notes(), {
      env: {
        MUXUE_RAG_LANGUAGE: "en",
        ...server.environment(),
        MUXUE_RAG_LLM_API_KEY: "env:KEY_OF_THE_SERVER",
        KEY_OF_THE_SERVER: MODEL_KEY,
      },
    });
    const search = (tasks: string) =>
      place.runIn({ env: { MUXUE_RAG_LLM_TASKS: tasks } })`search lantern --json --dir ${place.folder}`;
    const without = await search("enrich");
    deepEqual([without.code, notesIn(without.stdout), server.raw.length], [0, "1234", 0], without.stderr);
    const { code, stdout, stderr } = await search("rerank");
    deepEqual([code, notesIn(stdout)], [0, "4321"], stderr);
    equal(server.heard().includes(place.cwd), false, "no path is sent");
    server.rule = () => "hang";
    const failed = await place.runIn({
      env: { MUXUE_RAG_LLM_TASKS: "rerank", MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "0.3" },
    })`search lantern --json --dir ${place.folder}`;
    deepEqual([failed.code, notesIn(failed.stdout)], [0, "1234"], failed.stderr);
    match(failed.stdout, /did not answer within 0\.3 s/);
  });
}
