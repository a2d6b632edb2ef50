import { deepEqual, equal, ok } from "node:assert/strict";
import type { Facts } from "#foundation/span.ts";
import { type SpanRecord, type TraceRecord, Traces } from "#traces/mod.ts";
import type { IngestOptions } from "#library/ingest/mod.ts";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import { IngestTrace } from "#library/ingest/ingest_trace.ts";
import { Place } from "./_place.ts";

/** Runs an ingestion with a trace, and returns its record. */
async function traced(
  place: Place,
  overrides: ConfigOverrides = {},
  options: IngestOptions = {},
): Promise<TraceRecord> {
  let record: TraceRecord | undefined;
  const traces = new Traces({
    dir: null,
    traces: "text",
    detail: "standard",
    maxMb: 1,
    keep: 1,
    program: "1.2.3",
    onTrace: (finished) => record = finished,
  });
  const span = traces.begin("ingestion");
  await place.ingest(overrides, { ...options, span });
  span.end();
  await traces.close();
  return record!;
}

/** The facts of a stage without its times. */
function told({ stage, facts, texts, error }: SpanRecord) {
  const { ms: _ms, work: _work, ...rest } = facts;
  return { stage, ...rest, ...texts, ...(error !== undefined && { failed: error }) };
}

const FILES = {
  "machine.md": "# Coffee machine\n\nDescale it once a month.\n\n# Tea\n\nGreen tea needs 80 degrees.",
  "茶.txt": "绿茶要用八十度的水。",
  "empty.txt": "",
  "broken.docx": "not a zip",
};

Deno.test("a trace has the stages of a run, and a span for each file that was read with its outcome and reason", async () => {
  using place = new Place();
  place.write(FILES);
  const { facts, spans } = await traced(place);
  const counts = { ...{ files: 3, chunks: 2, new: 2, changed: 0, renamed: 0, removed: 0, unchanged: 0 } };
  deepEqual(facts, {
    method: "full",
    written: true,
    counts: { ...counts, skipped: 1, failed: 1 },
  });
  const file = (number: number, path: string, rest: object) => ({
    ...{ stage: "file", number, path, format: "text", ...rest },
  });
  const reason = "extractor_unavailable";
  deepEqual(spans.filter(({ stage }) => stage === "file").map(told), [
    file(1, "broken.docx", {
      ...{ outcome: "failed", format: "docx", reason, failed: reason, counts: { bytes: 9, chunks: 0 } },
      error: `${reason} {"path":"broken.docx","error":"it is switched off"}`,
    }),
    file(2, "machine.md", { outcome: "new", counts: { bytes: 78, chunks: 1 } }),
    file(3, "茶.txt", { outcome: "new", counts: { bytes: 30, chunks: 1 } }),
  ]);
  const read = { files: 3, bytes: 117 };
  deepEqual(
    spans.filter(({ stage }) => stage !== "file").map(({ stage, facts }) => [stage, facts["counts"]]),
    [
      ["store", undefined],
      ["walk", { ...read, toRead: 3, unchanged: 0, removed: 0, folders: 1, unreadable: 0 }],
      ["load", read],
      ["transform", undefined],
      ["split", { chunks: 2 }],
      ["embed", { chunks: 2 }],
      ["store", { files: 3, chunks: 2, bytes: place.indexBytes().length }],
    ],
  );
  deepEqual(spans.find(({ stage }) => stage === "walk")!.facts["skipped"], { empty: 1 });
  deepEqual(spans.find(({ stage }) => stage === "load")!.facts["formats"], { docx: 1, text: 2 });
});

Deno.test("a run that finds one changed file has a span for that file only", async () => {
  using place = new Place();
  place.write(FILES);
  await place.ingest();
  place.write({ "茶.txt": "红茶要用开水。" });
  const { facts, spans } = await traced(place);
  equal(facts["method"], "update");
  deepEqual(
    spans.filter(({ stage }) => stage === "file").map((span) => [span.facts["outcome"], span.texts!["path"]]),
    [["failed", "broken.docx"], ["changed", "茶.txt"]],
  );
  const { toRead, unchanged } = spans.find(({ stage }) => stage === "walk")!.facts["counts"] as Facts;
  deepEqual([toRead, unchanged], [2, 1]);
});

Deno.test("the stages account for 95 % of the time of a run", async () => {
  const text = "Descale the machine. 每月给咖啡机除垢一次。\n\n".repeat(50);
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}.md`, `# ${i}\n\n${text}`]));
  using place = new Place();
  place.write(files);
  const shares = [];
  // The system may pause the program between two stages, but hardly in each of some runs.
  for (let run = 0; run < 5 && !(Math.max(...shares) >= 0.95); run++) {
    const { ms, spans } = await traced(place, {}, { full: true });
    const stages = spans.filter(({ parent }) => parent === undefined).sort((a, b) => a.from - b.from);
    let [covered, until] = [0, 0];
    for (const { from, ms } of stages) {
      covered += Math.max(0, from + ms - Math.max(from, until));
      until = Math.max(until, from + ms);
    }
    shares.push(covered / ms);
  }
  ok(shares.at(-1)! >= 0.95, shares.join());
});

Deno.test("the index has the same bytes with a trace and without", async () => {
  using place = new Place();
  place.write(FILES);
  const { now } = Date;
  const Time = Date;
  const fixed = now();
  // Only the time of the run is in an index beside the files.
  globalThis.Date = class extends Time {
    constructor(...values: unknown[]) {
      super(...(values.length === 0 ? [fixed] : values) as [number]);
    }
    static override now = () => fixed;
  } as DateConstructor;
  try {
    await place.ingest({}, { full: true });
    const without = place.indexBytes();
    await traced(place, {}, { full: true });
    deepEqual(place.indexBytes(), without);
  } finally {
    globalThis.Date = Time;
  }
});

Deno.test("40,000 files have a span each, and those after them are counted by kind and outcome", async () => {
  let record: TraceRecord | undefined;
  const traces = new Traces({
    ...{ dir: null, traces: "ids", detail: "standard", maxMb: 1, keep: 1, program: "1.2.3" },
    onTrace: (finished) => record = finished,
  });
  const span = traces.begin("ingestion");
  const trace = new IngestTrace(span);
  trace.beginFiles({ load: {} });
  const outcome = { status: "indexed", sha256: "", same: false, bytesRead: 1, chunks: 1 } as const;
  for (let i = 0; i < 40_003; i++) {
    trace.beginFile(`${i}`);
    trace.endFile(
      `${i}`,
      { ...outcome, record: { path: `${i}`, size: 1, mtimeMs: 0, ...outcome } },
      undefined,
    );
  }
  trace.endFiles();
  span.end();
  await traces.close();
  equal(record!.spans.length, 40_001);
  deepEqual(record!.facts, { dropped: { files: 3, kinds: { "text new": 3 } } });
  deepEqual(record!.spans[0]!.facts["counts"], { files: 40_003, bytes: 40_003 });
});
