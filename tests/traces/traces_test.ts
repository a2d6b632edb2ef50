import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { readTrace, readTraces, type TraceRecord, Traces, type TracesOptions } from "#traces/mod.ts";

/** A recorder that writes to a new folder. */
async function startTraces(options: Partial<TracesOptions> = {}) {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const logs = join(dir, "logs");
  const open = () =>
    new Traces({
      dir: logs,
      traces: "ids",
      detail: "standard",
      maxMb: 50,
      keep: 3,
      program: "1.2.3",
      ...options,
    });
  return { logs, traces: open(), open, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

/** A record without what differs from run to run. */
function plain({ id: _id, started: _started, ms: _ms, pid: _pid, spans, ...rest }: TraceRecord) {
  return { ...rest, spans: spans.map(({ id: _id, parent: _parent, from: _from, ms: _ms, ...span }) => span) };
}

/** The lines of all files, the oldest first. */
function linesIn(dir: string): string[] {
  const names = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
  return names.flatMap((name) => Deno.readTextFileSync(join(dir, name)).split("\n").slice(0, -1));
}

Deno.test("a trace has its stages in the order in which they began, each below the stage around it", async () => {
  await using started = await startTraces();
  const { traces, logs } = started;
  const root = traces.begin("query", { hits: 2 });
  const processing = root.child("query_processing", { counts: { terms: 3 } });
  processing.end();
  const fusion = root.child("fusion");
  const keyword = fusion.child("keyword", { method: "bm25" });
  keyword.add({ counts: { found: 7 } });
  keyword.end();
  fusion.end();
  root.end();
  await traces.close();
  const [record] = traces.recent();
  deepEqual(plain(record!), {
    kind: "query",
    program: "1.2.3",
    facts: { hits: 2 },
    spans: [
      { stage: "query_processing", facts: { counts: { terms: 3 } } },
      { stage: "fusion", facts: {} },
      { stage: "keyword", facts: { method: "bm25", counts: { found: 7 } } },
    ],
  });
  const [first, second, third] = record!.spans;
  deepEqual([first!.parent, second!.parent, third!.parent], [undefined, undefined, second!.id]);
  ok(record!.spans.every(({ id, from, ms }) => /^[0-9a-f]{16}$/.test(id) && from + ms <= record!.ms + 0.002));
  match(record!.id, /^[0-9a-f]{32}$/);
  equal(root.trace, record!.id);
  deepEqual(await readTrace(logs, record!.id), record);
});

Deno.test("without permission for texts, texts and paths stay in memory", async () => {
  const work = (traces: Traces) => {
    const root = traces.begin("query", {}, { texts: { question: "secret question" } });
    const candidates = [{ chunk: "00ff", path: "/home/ann/secret name.md", score: 1, rank: 1 }];
    root.child("keyword", { candidates }).end(new UserError("no_permission", { path: "/secret path" }));
    root.end(new TypeError("secret message"));
  };
  await using ids = await startTraces();
  work(ids.traces);
  await ids.traces.close();
  const [line = ""] = linesIn(ids.logs);
  equal(line.includes("secret"), false);
  deepEqual(plain(JSON.parse(line)), {
    kind: "query",
    program: "1.2.3",
    facts: {},
    error: "TypeError",
    spans: [{
      stage: "keyword",
      facts: { candidates: [{ chunk: "00ff", score: 1, rank: 1 }] },
      error: "no_permission",
    }],
  });

  await using text = await startTraces({ traces: "text" });
  work(text.traces);
  await text.traces.close();
  for (const record of [JSON.parse(linesIn(text.logs)[0]!), ids.traces.recent()[0]]) {
    deepEqual(plain(record), {
      kind: "query",
      program: "1.2.3",
      facts: {},
      texts: { question: "secret question", error: "secret message" },
      error: "TypeError",
      spans: [{
        stage: "keyword",
        facts: { candidates: [{ chunk: "00ff", path: "/home/ann/secret name.md", score: 1, rank: 1 }] },
        texts: { error: 'no_permission {"path":"/secret path"}' },
        error: "no_permission",
      }],
    });
  }
});

Deno.test("candidates are listed as the detail says", async () => {
  const candidates = Array.from({ length: 300 }, (_, i) => ({ chunk: String(i), score: 1 / i, rank: i + 1 }));
  for (const [detail, listed] of [["minimal", undefined], ["standard", 20], ["verbose", 200]] as const) {
    await using started = await startTraces({ detail });
    const root = started.traces.begin("query");
    equal(root.detail, detail);
    root.child("fusion", { candidates, counts: { candidates: 300 } }).end();
    root.end();
    await started.traces.flush();
    const [{ spans } = { spans: [] }] = started.traces.recent();
    equal((spans[0]?.facts.candidates as unknown[] | undefined)?.length, listed);
    deepEqual(spans[0]?.facts.counts, { candidates: 300 });
    await started.traces.close();
  }
});

Deno.test("an open stage ends with the stage around it, and no stage begins after the end", async () => {
  await using started = await startTraces();
  const { traces } = started;
  const root = traces.begin("query");
  const open = root.child("fusion");
  open.child("keyword");
  root.end();
  root.end();
  open.end(new Error("late"));
  root.child("rerank").child("answer").end();
  await traces.flush();
  open.add({ late: true });
  const [record, second] = traces.recent();
  equal(second, undefined);
  deepEqual(plain(record!), {
    kind: "query",
    program: "1.2.3",
    facts: {},
    spans: [{ stage: "fusion", facts: {} }, { stage: "keyword", facts: {} }],
    dropped: 2,
  });
  await traces.close();
});

Deno.test("facts that cost time are found out after the end, one after the other, also if one of them fails", async () => {
  await using started = await startTraces();
  const { traces } = started;
  const done: string[] = [];
  const root = traces.begin("query");
  const stage = root.child("keyword");
  stage.end();
  root.after(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    done.push("first");
    stage.add({ counts: { found: 1 } });
  });
  root.after(() => {
    throw new Error("closed");
  });
  root.after(() => void done.push("third"));
  root.end();
  deepEqual([done, traces.recent()], [[], []]);
  await traces.close();
  deepEqual(done, ["first", "third"]);
  deepEqual(traces.recent()[0]?.spans[0]?.facts, { counts: { found: 1 } });
  root.after(() => void done.push("late"));
  deepEqual(done, ["first", "third", "late"]);
});

Deno.test("a trace with too many stages counts those that it drops", async () => {
  await using started = await startTraces();
  const root = started.traces.begin("ingestion");
  for (let i = 0; i < 50_003; i++) root.child("file").end();
  root.end();
  await started.traces.close();
  const { records } = await readTraces(started.logs);
  deepEqual(records.map(({ stages, dropped }) => ({ stages, dropped })), [{ stages: 50_000, dropped: 3 }]);
});

Deno.test("the last 200 queries stay in memory, ingestions do not", async () => {
  await using started = await startTraces();
  const { traces } = started;
  for (let i = 0; i < 205; i++) traces.begin("query", { i }).end();
  traces.begin("ingestion").end();
  await traces.flush();
  deepEqual([traces.recent().length, traces.recent()[0]?.facts, traces.recent().at(-1)?.facts], [200, {
    i: 204,
  }, { i: 5 }]);
  const { id } = traces.recent()[0]!;
  equal(traces.find(id)?.id, id);
  await traces.close();
});

Deno.test("secrets are replaced", async () => {
  await using started = await startTraces({ traces: "text", secrets: ["hunter2hunter2"] });
  const { traces, logs } = started;
  traces.begin("query", { note: "Bearer abcdef" }, { texts: { question: "is hunter2hunter2 right?" } }).end();
  await traces.close();
  const { records } = await readTraces(logs);
  deepEqual([records[0]?.facts, records[0]?.texts], [
    { note: "Bearer [redacted]" },
    { question: "is [redacted] right?" },
  ]);
});

Deno.test("a full file is left for the next one, and the oldest are deleted", async () => {
  await using started = await startTraces({ maxMb: 0.001, keep: 2, traces: "text" });
  const { traces, logs } = started;
  for (let i = 0; i < 6; i++) {
    traces.begin("query", { i }, { texts: { question: "x".repeat(400) } }).end();
  }
  await traces.close();
  deepEqual([...Deno.readDirSync(logs)].map(({ name }) => name).sort(), [
    "muxue_rag-traces-000005.jsonl",
    "muxue_rag-traces-000006.jsonl",
  ]);
  const { records } = await readTraces(logs);
  deepEqual(records.map(({ facts }) => facts.i), [5, 4]);
});

Deno.test("several recorders share the files, also while one begins the next", async () => {
  await using started = await startTraces({ maxMb: 0.01, keep: 100 });
  const { logs, open } = started;
  const all = [open(), open(), open()];
  for (let round = 0; round < 40; round++) {
    for (const [i, traces] of all.entries()) {
      traces.begin("query", { i, round, filler: "y".repeat(i * 300) }).end();
      if (round % 3 === i) await traces.close();
    }
  }
  for (const traces of all) await traces.close();
  await started.traces.close();
  const { records, torn } = await readTraces(logs);
  equal(torn, 0);
  const seen = records.map(({ facts }) => `${facts.i} ${facts.round}`).sort();
  const expected = all.flatMap((_, i) => Array.from({ length: 40 }, (_, round) => `${i} ${round}`)).sort();
  deepEqual(seen, expected);
  ok([...Deno.readDirSync(logs)].length > 3);
});

Deno.test("a line that was written in part is skipped and counted, and costs no other line", async () => {
  await using started = await startTraces();
  const { traces, logs, open } = started;
  traces.begin("query", { i: 1 }).end();
  await traces.close();
  const path = join(logs, "muxue_rag-traces-000001.jsonl");
  const [line = ""] = linesIn(logs);
  await Deno.writeTextFile(path, `${line.slice(0, 40)}\n${line}\n{"id":7}\nnull\n${line.slice(0, 30)}`);
  const later = open();
  later.begin("query", { i: 2 }).end();
  await later.close();
  const { records, torn } = await readTraces(logs);
  deepEqual([records.map(({ facts }) => facts.i), torn], [[2, 1], 4]);
});

Deno.test("a trace with values that JSON cannot hold is kept without facts and texts, and the next trace is complete", async () => {
  await using started = await startTraces({ traces: "text" });
  const { traces, logs } = started;
  const bytes = 10n;
  traces.begin("ingestion", {}, { texts: { bytes } }).end();
  traces.begin("ingestion", { bytes }).end();
  traces.begin("ingestion", { i: 3 }).end();
  await traces.close();
  const { records } = await readTraces(logs);
  deepEqual(records.map(({ facts, texts }) => ({ facts, texts })), [
    { facts: { i: 3 }, texts: undefined },
    { facts: { unwritable: true }, texts: undefined },
    { facts: { unwritable: true }, texts: undefined },
  ]);
});

Deno.test("an unwritable folder is a problem and no error", async () => {
  await using started = await startTraces();
  const { traces, logs } = started;
  await Deno.writeTextFile(logs, "a file");
  traces.begin("query").end();
  await traces.close();
  equal(traces.problem?.key, "log_unsafe");
  equal(traces.recent().length, 1);
  await Deno.remove(logs);
  traces.begin("query").end();
  await traces.close();
  equal(traces.problem, undefined);
  equal(
    new Traces({ dir: null, traces: "ids", detail: "minimal", maxMb: 1, keep: 1, program: "" }).problem?.key,
    "log_no_folder",
  );
});

Deno.test("traces are filtered, and found by the beginning of their id", async () => {
  await using started = await startTraces();
  const { traces, logs } = started;
  traces.begin("query", { i: 1 }).end();
  traces.begin("ingestion", { i: 2 }).end();
  const failing = traces.begin("query", { i: 3 });
  failing.child("rerank").end(new Error());
  failing.end();
  await traces.close();
  const numbers = async (filter: Parameters<typeof readTraces>[1]) =>
    (await readTraces(logs, filter)).records.map(({ facts }) => facts.i);
  deepEqual(await numbers({}), [3, 2, 1]);
  deepEqual(await numbers({ kind: "query" }), [3, 1]);
  deepEqual(await numbers({ limit: 2 }), [3, 2]);
  deepEqual(await numbers({ failed: true }), [3]);
  deepEqual(await numbers({ minMs: 60_000 }), []);
  equal((await readTrace(logs, failing.trace.slice(0, 10)))?.id, failing.trace);
  equal(await readTrace(logs, "0".repeat(32)), undefined);
  equal(await readTrace(logs, "../../etc/passwd"), undefined);
  deepEqual(await readTraces(join(logs, "absent")), { records: [], torn: 0 });
});

Deno.test("traces longer than a block are read", async () => {
  await using started = await startTraces({ traces: "text" });
  const { traces, logs } = started;
  for (let i = 0; i < 3; i++) {
    traces.begin("query", { i }, { texts: { question: "长".repeat(300_000) } }).end();
  }
  await traces.close();
  const { records, torn } = await readTraces(logs);
  deepEqual([records.map(({ facts }) => facts.i), torn], [[2, 1, 0], 0]);
  equal(records[1]?.texts?.question, "长".repeat(300_000));
});
