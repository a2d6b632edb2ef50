import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { TraceRecord } from "#traces/mod.ts";
import { KEY, LanguageServer } from "../models/language/_servers/mod.ts";
import { posixTest } from "../_posix.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { fromSources, makeIndexed, makeSandbox, NOTES, type Sandbox, spawnIn } from "./_program.ts";

const EN = { MUXUE_RAG_LANGUAGE: "en" };

/** Texts, names and headings that only the documents of the tests and their questions have. */
const CANARIES = [
  "Zanzibar",
  "kumquat",
  "秘密茶叶",
  "Quokka",
  "file-of-canaries",
  "文件夹名",
  "hunter2hunter2",
];

const SECRET_NOTES = {
  "文件夹名/file-of-canaries.md": "# Quokka\n\nThe Zanzibar treaty of 1890 mentions a kumquat.\n",
  "tea.md": "# 茶\n\n秘密茶叶在八十度的水中冲泡。\n",
};

const logs = ({ cwd }: Sandbox) => join(cwd, "state", "logs");

/** The lines of the files with traces. */
function traceLines(sandbox: Sandbox): string[] {
  const names = [...Deno.readDirSync(logs(sandbox))].map(({ name }) => name).filter((name) =>
    name.includes("traces")
  );
  return names.sort().flatMap((name) =>
    Deno.readTextFileSync(join(logs(sandbox), name)).split("\n").slice(0, -1)
  );
}

function records(sandbox: Sandbox): TraceRecord[] {
  return traceLines(sandbox).map((line) => JSON.parse(line));
}

Deno.test("a search from the command line leaves a trace that trace list and trace show tell of", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: EN });
  const { run, folder } = sandbox;
  const question = "tomato soup";
  const searched = await run`search ${question} --dir ${folder}`;
  equal(searched.code, 0, searched.stderr);
  const list = await run`trace list --kind query --limit 1 --json`;
  const [{ id, kind, stages, facts }] = JSON.parse(list.stdout).data.traces;
  deepEqual([kind, facts.method, facts.counts.hits], ["query", "hybrid", 1]);
  ok(stages > 5);
  match(
    (await run`trace list --failed`).stderr,
    /^No trace in .* meets the conditions\. Remove --kind or --failed and try again$/m,
  );
  const text = await run`trace list`;
  match(text.stdout, new RegExp(`^${id.slice(0, 12)} .*query +hits 1, files 1$`, "m"));
  const shown = await run`trace show ${id.slice(0, 8)}`;
  for (const stage of ["query processing", "keyword", "fusion", "  rerank", "selection", "passages"]) {
    match(shown.stdout, new RegExp(`^${stage} +[\\d.]+ ms`, "m"));
  }
  equal(shown.stdout.includes(question), false);
  deepEqual(JSON.parse((await run`trace show ${id} --json`).stdout).data.id, id);
  // The newest one without an id.
  equal((await run`trace show`).stdout, shown.stdout);
  const unknown = await run`trace show ffffffffffff`;
  deepEqual([unknown.code, unknown.stderr], [
    2,
    "Error: No trace has the id ffffffffffff, or several begin with it. List the ids: trace list\n",
  ]);
});

Deno.test("by default no question, text or name of a file is written down; with text they are, without secrets", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = () => "The Zanzibar treaty mentions a kumquat [1]. It was a secret [1].";
  const env = { ...EN, ...server.environment() };
  await using sandbox = await makeSandbox(SECRET_NOTES, { env });
  const { folder, runIn } = sandbox;
  const searchAll = async (traces: string) => {
    const run = runIn({
      env: { MUXUE_RAG_OBSERVABILITY_TRACES: traces, MUXUE_RAG_OBSERVABILITY_DETAIL: "verbose" },
    });
    await run`index ${folder} --full`;
    await run`search ${"Zanzibar kumquat hunter2hunter2"} --dir ${folder} --explain`;
    await run`search ${'"秘密茶叶 kumquat" Quokka'} --dir ${folder}`;
    await run`search Zanzibar --dir ${join(folder, "文件夹名")}`;
    await run`search ${"Quokka AND kumquat"} --dir ${folder} --mode keyword`;
    await run`search ${"path:文件夹名 Zanzibar"} --dir ${folder}`;
    await run`search ${"( Zanzibar"} --dir ${folder}`;
    await run`ask ${"Which treaty mentions a kumquat?"} --dir ${folder}`;
    return traceLines(sandbox).join("\n");
  };
  const ids = await searchAll("ids");
  ok(records(sandbox).length >= 6);
  deepEqual(CANARIES.filter((word) => ids.includes(word)), []);
  // The log has the names of folders, but no words either.
  const text = (await searchAll("text")).slice(ids.length);
  deepEqual(CANARIES.filter((word) => !text.includes(word)), []);
  equal(text.includes(KEY), false);
  const asked = records(sandbox).at(-1)!;
  deepEqual(
    asked.spans.filter(({ stage }) => ["query", "answer", "check"].includes(stage)).map(({ stage }) => stage),
    [
      ...["query", "answer", "check", "check"],
    ],
  );
  match((await sandbox.run`trace list --kind query`).stdout, /query +Which treaty mentions a kumquat\?$/m);
});

Deno.test("with traces off, nothing is written and no module of traces is loaded", async () => {
  const env = { ...EN, MUXUE_RAG_OBSERVABILITY_TRACES: "off" };
  await using sandbox = await makeIndexed(NOTES, { env, start: fromSources });
  const loaded = async (more: Record<string, string>) => {
    const place = {
      cwd: sandbox.cwd,
      env: { ...sandbox.env, ...more, DENO_LOG: "deno::module_loader=debug" },
    };
    const args = ["search", "tomato", "--no-update", "--dir", sandbox.folder];
    const { stderr, code } = await spawnIn(place, fromSources(args)).output();
    equal(code, 0);
    return new TextDecoder().decode(stderr).matchAll(
      /ES module: (file:\S+lib\/(?:traces|library\/search\/search_trace)\S*)/g,
    )
      .map(([, url]) => url!.split("/lib/")[1]!.replace(/,$/, "")).toArray();
  };
  await loaded({});
  deepEqual(await loaded({}), []);
  deepEqual(records(sandbox).filter(({ kind }) => kind === "query"), []);
  ok((await loaded({ MUXUE_RAG_OBSERVABILITY_TRACES: "ids" })).includes("traces/traces.ts"));
  deepEqual(records(sandbox).map(({ kind }) => kind).at(-1), "query");
});

posixTest("a folder that cannot be written is told by doctor, and searches go on", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: EN });
  const { folder, run } = sandbox;
  const path = join(logs(sandbox), "muxue_rag-traces-000001.jsonl");
  await Deno.remove(path).catch(() => {});
  await Deno.symlink("/etc/hosts", path);
  const searched = await run`search tomato --dir ${folder}`;
  deepEqual([searched.code, searched.stderr.includes("race")], [0, false], searched.stderr);
  match(
    (await run`doctor --dir ${folder}`).stdout,
    /Traces +The log .*muxue_rag-traces-000001\.jsonl is not a regular file/,
  );
  const list = await run`trace list`;
  deepEqual([list.code, list.stderr.includes("is not a regular file")], [1, true]);
});

posixTest("the traces of a server are written while it runs, and those of a killed one stay", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: EN });
  const pipe = await openPipe(sandbox);
  await pipe.search("tomato soup");
  await pipe.search("备份");
  for (
    let tries = 0;
    tries < 200 && records(sandbox).filter(({ kind }) => kind === "query").length < 2;
    tries++
  ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  Deno.kill(pipe.pid, "SIGKILL");
  await pipe.end().catch(() => {});
  const queries = records(sandbox).filter(({ kind }) => kind === "query");
  deepEqual(queries.map(({ facts }) => facts.method), ["hybrid", "hybrid"]);
  // Half a line of a killed process is skipped, and the lines around it are read.
  const file = join(logs(sandbox), "muxue_rag-traces-000001.jsonl");
  await Deno.writeTextFile(file, traceLines(sandbox)[0]!.slice(0, 50), { append: true });
  await sandbox.run`search soup --dir ${sandbox.folder}`;
  const list = await sandbox.run`trace list --kind query --json`;
  deepEqual([JSON.parse(list.stdout).data.traces.length, JSON.parse(list.stdout).data.torn], [3, 1]);
  match((await sandbox.run`trace list`).stderr, /1 line in .* is not a complete trace and was skipped/);
});

posixTest("a full disk costs traces and no answer, and what was written before stays", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: EN });
  const { folder } = sandbox;
  await sandbox.run`search tomato --dir ${folder}`;
  const before = traceLines(sandbox).length;
  const size = Deno.statSync(join(logs(sandbox), "muxue_rag-traces-000001.jsonl")).size;
  // No file may grow beyond half a block after what is there.
  const { cmd, args } = sandbox.start(["search", "tomato", "--no-update", "--dir", folder]);
  const blocks = Math.ceil(size / 1024) + 1;
  const limited = {
    cmd: "bash",
    args: ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, "bash", cmd, ...args],
  };
  const { code, stdout } = await spawnIn(sandbox, limited, "null").output();
  deepEqual([code, new TextDecoder().decode(stdout).includes("Tomato soup")], [0, true]);
  await sandbox.run`search tomato --dir ${folder}`;
  const { traces, torn } = JSON.parse((await sandbox.run`trace list --json`).stdout).data;
  deepEqual([traces.length, torn], [before + 1, 1]);
});
