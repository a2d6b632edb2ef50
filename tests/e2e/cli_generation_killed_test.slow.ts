import { equal, match, ok } from "node:assert/strict";
import { striped } from "../library/ingest/generation/_captioned_folder.ts";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { makeSandbox, spawnIn } from "./_program.ts";

const COUNT = 40, CONCURRENCY = 3;

const paper = (i: number) =>
  `# Paper ${i}\n\nThe bank lends money to people who want to buy a house, and they pay it back over many years. ${i}\n`;
const pages = (pageOf: (i: number) => string) =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`${i}.html`, pageOf(i)]));

/** By the task: the files, of each of which the model is asked once, and its answer. */
const TASKS = {
  refine: {
    files: Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`${i}.md`, paper(i)])),
    answer: { drop_lines: [], heading: null, merge_with_next: false },
  },
  enrich: {
    files: Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`${i}.md`, paper(i)])),
    answer: { title: "", summary: "", tags: ["mortgages"], questions: [] },
  },
  caption: {
    files: pages((i) =>
      `<!doctype html><h1>Bank ${i}</h1><img alt="House" src="data:image/png;base64,${
        striped(i + 5).toBase64()
      }">`
    ),
    answer: { seen: true, caption: "A house with a red roof beside a bank." },
  },
};

for (const [task, { files, answer }] of Object.entries(TASKS)) {
  Deno.test(`${task}: a run that is killed at half leaves the index searchable, and the next repeats at most the calls under way`, async () => {
    await using server = await LanguageServer.start("openai-compatible");
    const { provider, base_url: url, model } = server.llm();
    const section = task === "caption" ? "MUXUE_RAG_VISION_LLM" : "MUXUE_RAG_LLM";
    await using place = await makeSandbox(files, {
      env: {
        MUXUE_RAG_LANGUAGE: "en",
        MUXUE_RAG_LLM_TASKS: task,
        [`${section}_PROVIDER`]: provider,
        [`${section}_BASE_URL`]: url,
        [`${section}_MODEL`]: model,
        [`${section}_CONCURRENCY`]: String(CONCURRENCY),
      },
    });
    const child = spawnIn(place, place.start(["index", place.folder]), "null");
    const output = Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
    server.reply = () => {
      if (server.requests.length === COUNT / 2) child.kill("SIGKILL");
      return answer;
    };
    await child.status;
    await output;
    const before = server.requests.length;
    ok(before >= COUNT / 2 && before < COUNT, `${before}`);
    const found = await place.run`search bank --dir ${place.folder} --json`;
    equal(JSON.parse(found.stdout).data.match_content.length > 0, true, found.stderr);
    server.reply = () => answer;
    const again = await place.run`index ${place.folder}`;
    match(again.stdout, new RegExp(`${task}: ${COUNT} of ${COUNT} done`), again.stderr);
    const repeated = server.requests.length - COUNT;
    ok(repeated >= 0 && repeated <= CONCURRENCY, `${repeated} calls repeated`);
  });
}
