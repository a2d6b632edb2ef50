import { deepEqual, equal, match, ok } from "node:assert/strict";
import { NOTES } from "../e2e/_program.ts";
import type { ReplayAnswer, TraceAnswer, TraceListAnswer } from "../../lib/pages/wire/traces.ts";
import { startUi } from "./_ui.ts";

const STAGES = ["query_processing", "keyword", "fusion", "selection", "passages"];

Deno.test("a search is listed with its question, and shown stage by stage", async () => {
  await using ui = await startUi(NOTES);
  await ui.call("search/query", { query: "archive" });
  const list: TraceListAnswer = await ui.call("traces/list", { kind: "query" });
  const [{ id, started, ms, stages, ...rest }] = list.traces as [TraceListAnswer["traces"][number]];
  match(id, /^[0-9a-f]{32}$/);
  ok(Date.parse(started) <= Date.now() && ms > 0 && stages > STAGES.length);
  deepEqual([list.traces.length, rest.kind, rest.text, rest.method], [1, "query", "archive", "hybrid"]);
  const trace: TraceAnswer = await ui.call("traces/show", { id });
  const found = trace.spans.map(({ stage }) => stage);
  deepEqual(STAGES.filter((stage) => !found.includes(stage as typeof found[number])), []);
  equal(trace.canReplay, true);
});

Deno.test("the update of an index is listed, without the folder where texts are not kept", async () => {
  await using ui = await startUi(NOTES);
  const { traces }: TraceListAnswer = await ui.call("traces/list", { kind: "ingestion" });
  equal(traces.length, 1);
  const trace: TraceAnswer = await ui.call("traces/show", { id: traces[0]!.id });
  ok(trace.spans.some(({ stage }) => stage === "file"));
  deepEqual([trace.canReplay, traces[0]!.text], [false, undefined]);
});

Deno.test("a question is asked again with other settings, and both answers are given", async () => {
  await using ui = await startUi(NOTES);
  await ui.call("search/query", { query: "archive tomatoes", topK: 5 });
  const list: TraceListAnswer = await ui.call("traces/list", { kind: "query", text: "ARCHIVE" });
  const settings = { mode: "keyword", topK: 1, ranking: { fts_topn: 1 } };
  const { before, after }: ReplayAnswer = await ui.call("traces/replay", {
    id: list.traces[0]!.id,
    settings,
  });
  ok(before.length > 1);
  equal(after.length, 1);
});

Deno.test("filters of the list hold, and a wrong one is refused", async () => {
  await using ui = await startUi(NOTES);
  await ui.call("search/query", { query: "archive" });
  const count = async (filter: object) =>
    (await ui.call("traces/list", { kind: "query", ...filter })).traces.length;
  deepEqual(
    await Promise.all([
      count({ text: "rchiv" }),
      count({ text: "absent" }),
      count({ minMs: 1e7 }),
      count({ failed: true }),
      count({ after: new Date(Date.now() + 1e6).toISOString() }),
      count({ before: new Date(Date.now() + 1e6).toISOString() }),
    ]),
    [1, 0, 0, 0, 0, 1],
  );
  deepEqual(await ui.ask("traces/list", { kind: "query", after: "yesterday" }), {
    status: 400,
    error: "pages_bad_call",
  });
  deepEqual(await ui.ask("traces/show", { id: "0".repeat(32) }), { status: 400, error: "trace_unknown" });
});

Deno.test("with observability.traces: off the list says so", async () => {
  await using ui = await startUi(NOTES, {
    config: ({ folder }) =>
      `collections:\n  notes:\n    path: ${JSON.stringify(folder)}\nobservability:\n  traces: off\n`,
  });
  await ui.call("search/query", { query: "archive" });
  const { isOff, traces }: TraceListAnswer = await ui.call("traces/list", { kind: "query" });
  deepEqual([isOff, traces], [true, []]);
});
