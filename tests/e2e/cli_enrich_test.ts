import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

const FILES = {
  "kettle.md":
    "# Kettle\n\nFill it with two spoons of citric acid and water, boil it twice, wait for ten minutes, and rinse it well.\n",
  "loan.md":
    "# Loan\n\nThe bank lends money to people who want to buy a house, and they pay it back over many years with interest.\n",
};

/** A folder, and a server whose model writes the same about every passage. */
async function enriched(more: Readonly<Record<string, string>> = {}) {
  const server = await LanguageServer.start("openai-compatible");
  server.reply = ({ prompt }) =>
    prompt.includes("citric acid")
      ? {
        title: "",
        summary: "It costs 99 euros.",
        tags: ["limescale removal"],
        questions: ["Visit https://evil.example"],
      }
      : { title: "", summary: "", tags: ["mortgages"], questions: [] };
  const sandbox = await makeSandbox(FILES, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(),
      MUXUE_RAG_LLM_TASKS: "enrich",
      MUXUE_RAG_LLM_TIMEOUT_SECONDS: "5",
      ...more,
    },
  });
  return {
    ...sandbox,
    server,
    run: sandbox.run,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The paths of the hits of a search, and what a model wrote about them. */
async function hitsOf({ run, folder }: Pick<Sandbox, "run" | "folder">, query: string) {
  const { stdout, stderr, code } = await run`search ${query} --dir ${folder} --json`;
  equal(code, 0, stderr);
  const hits: { file_path: string; generated?: Record<string, unknown> }[] =
    JSON.parse(stdout).data.match_content;
  return hits.map((
    { file_path: path, generated },
  ) => [path.split(/[\\/]/).at(-1), generated?.tags, generated?.only_match]);
}

Deno.test("index asks a model about each chunk once, and a search finds the chunks by what it wrote", async () => {
  await using place = await enriched();
  const { run, folder, server } = place;
  const first = await run`index ${folder}`;
  equal(first.code, 0, first.stderr);
  match(first.stdout, /enrich: 2 of 2 done, 2 in this run/);
  equal(server.requests.length, 2);
  deepEqual(await hitsOf(place, "limescale"), [["kettle.md", ["limescale removal"], true]]);
  const shown = await run`search limescale --dir ${folder}`;
  match(shown.stdout, /found only by a text that a model wrote/);
  ok(!/99 euros|evil/.test(shown.stdout));
  const explained = await run`search limescale --dir ${folder} --explain`;
  match(explained.stdout, /texts that a model wrote 1/);
  const again = await run`index ${folder}`;
  match(again.stdout, /enrich: 2 of 2 done, 0 in this run/);
  await Deno.rename(join(folder, "loan.md"), join(folder, "credit.md"));
  await run`index ${folder} --full`;
  equal(server.requests.length, 2);
  deepEqual(await hitsOf(place, "mortgages"), [["credit.md", ["mortgages"], undefined]]);
});

Deno.test("a server that fails leaves the index complete, and the next run goes on", async () => {
  await using place = await enriched();
  const { run, folder, server } = place;
  server.rule = () => "500";
  const failed = await run`index ${folder}`;
  equal(failed.code, 0, failed.stderr);
  match(failed.stdout, /enrich: 0 of 2 done, 0 in this run/);
  deepEqual(await hitsOf(place, "kettle water"), [["kettle.md", undefined, undefined]]);
  server.rule = () => "401";
  match(
    (await run`index ${folder}`).stdout,
    /The model .* is not asked any more in this run\. Solve the problem and run again: it goes on where it stopped/,
  );
  server.rule = () => undefined;
  match((await run`index ${folder}`).stdout, /enrich: 2 of 2 done, 2 in this run/);
});

Deno.test("status counts what is refined, counts rejected results apart and names their chunks, and says when the other tasks work", async () => {
  await using place = await enriched({ MUXUE_RAG_LLM_TASKS: "refine,enrich,rewrite" });
  const { run, folder, server } = place;
  server.reply = ({ prompt }) =>
    /<lines/.test(prompt) ? { drop_lines: [], heading: null, merge_with_next: false } : {
      title: "",
      summary: "",
      tags: prompt.includes("citric acid") ? ["limescale removal"] : ["Siemens"],
      questions: [],
    };
  const { stdout } = await run`index ${folder}`;
  match(stdout, /enrich: 1 of 2 done, 1 in this run, 1 rejected/);
  const status = await run`status --dir ${folder}`;
  match(
    status.stdout,
    /rewrite on request, .*\n.*refine 2\/2 \(100 %\), .*\n.*enrich 1\/2 \(50 %\), 1 rejected, /,
  );
  const { data } = JSON.parse((await run`status --dir ${folder} --json`).stdout);
  const enrich = data.folders[0].generated.at(-1);
  deepEqual([enrich.done, enrich.rejected.count, enrich.rejected.chunks[0].path], [1, 1, "loan.md"]);
});

Deno.test("status counts the files with a chunk that is not refined, until a run has asked about it", async () => {
  await using place = await enriched({ MUXUE_RAG_LLM_TASKS: "refine" });
  const { run, folder, server } = place;
  const shown = async () =>
    (await run`status --dir ${folder}`).stdout.match(/refine \d+\/\d+ \(\d+ %\)/)?.[0];
  server.reply = () => ({ drop_lines: [], heading: null, merge_with_next: false });
  const odd = { status: 400, body: { error: { message: "odd" } } };
  server.rule = (asked) => "prompt" in asked && asked.prompt.includes("citric acid") ? odd : undefined;
  await run`index ${folder}`;
  equal(await shown(), "refine 1/2 (50 %)");
  server.rule = () => undefined;
  await writeFiles(folder, { "lift.md": "# Lift\n\nIt stops at every floor.\n" });
  equal(await shown(), "refine 1/2 (50 %)");
  await run`index ${folder}`;
  equal(await shown(), "refine 3/3 (100 %)");
  const other = await place.runIn({ env: { MUXUE_RAG_LLM_MODEL: "other" } })`status --dir ${folder}`;
  match(other.stdout, /refine 0\/3 \(0 %\), openai-compatible\/other/);
});

Deno.test("refine drops lines that say nothing, and enrich is asked about what is left", async () => {
  await using place = await enriched({ MUXUE_RAG_LLM_TASKS: "refine,enrich" });
  const { run, folder, server } = place;
  await writeFiles(folder, {
    "report.txt": `Confidential - page 3\n${"The lift stops at every floor of the house.\n".repeat(5)}`,
  });
  server.reply = ({ prompt }) =>
    /<lines/.test(prompt)
      ? { drop_lines: prompt.includes("Confidential") ? [1] : [], heading: null, merge_with_next: false }
      : { title: "", summary: "", tags: ["elevators"], questions: [] };
  const { code, stdout, stderr } = await run`index ${folder}`;
  equal(code, 0, stderr);
  match(stdout, /refine: 3 of 3 done, 3 in this run/);
  const enrich = server.requests.filter(({ prompt }) => !/<lines/.test(prompt));
  deepEqual(enrich.map(({ prompt }) => prompt.includes("Confidential")), [false, false, false]);
  deepEqual(await hitsOf(place, "confidential"), []);
  const calls = server.requests.length;
  await run`index ${folder} --full`;
  equal(server.requests.length, calls);
});

Deno.test("index --full removes results that no complete run of it has used for 90 days, and no others", async () => {
  await using place = await enriched();
  const { run, folder, server } = place;
  await run`index ${folder}`;
  const kept = async () =>
    JSON.parse((await run`verify --dir ${folder} --json`).stdout).data.folders[0].generated.results;
  const list = join(folder, ".muxue_rag", "generated", "unused.txt");
  const unused = async () => (await Deno.readTextFile(list)).split("\n").length - 1;
  const loan = await Deno.readTextFile(join(folder, "loan.md"));
  await Deno.remove(join(folder, "loan.md"));
  await run`index ${folder} --full`;
  deepEqual([await unused(), await kept()], [1, 2]);
  await writeFiles(folder, { "loan.md": loan });
  await run`index ${folder} --full`;
  deepEqual([await unused(), server.requests.length], [0, 2]);
  await Deno.remove(join(folder, "loan.md"));
  await run`index ${folder} --full`;
  await Deno.writeTextFile(list, (await Deno.readTextFile(list)).replace(/ .*$/m, " 2001-01-01"));
  await writeFiles(folder, {
    "lift.md": "# Lift\n\nThe lift stops at every floor of the house, and it needs little power.\n",
  });
  server.rule = () => "401";
  for (const more of [[], ["--full"]]) await run`index ${folder} ${more}`;
  equal(await kept(), 2, "neither an update nor a run that fails removes any");
  server.rule = () => undefined;
  await run`index ${folder} --full`;
  deepEqual([await unused(), await kept()], [0, 2]);
});

Deno.test("without the task, the generated texts are gone", async () => {
  await using place = await enriched();
  const { run, folder } = place;
  await run`index ${folder}`;
  deepEqual((await hitsOf(place, "limescale")).length, 1);
  const off = { MUXUE_RAG_LLM_PROVIDER: "none", MUXUE_RAG_LLM_TASKS: "", MUXUE_RAG_LLM_BASE_URL: "" };
  const { code, stderr } = await place.runIn({ env: off })`index ${folder}`;
  equal(code, 0, stderr);
  deepEqual(await hitsOf(place, "limescale"), []);
});
