import { deepEqual, equal, ok } from "node:assert/strict";
import type { Facts, Stage } from "#foundation/span.ts";
import { ranksText, waterfall } from "#program/commands/waterfall.ts";
import { displayWidth, type Style } from "#program/terminal_text.ts";
import type { SpanRecord, TraceRecord } from "#traces/mod.ts";

const same = (text: string) => text;
const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, match: same };

function trace(ms: number, spans: readonly SpanRecord[]): TraceRecord {
  return {
    id: "0".repeat(32),
    kind: "query",
    started: "2026-11-26T13:00:00.000Z",
    ms,
    program: "1.0.0",
    pid: 1,
    facts: {},
    spans,
  };
}

let ids = 0;
function span(stage: Stage, from: number, ms: number, facts: Facts = {}, parent?: SpanRecord): SpanRecord {
  return {
    id: String(++ids).padStart(16, "0"),
    ...(parent && { parent: parent.id }),
    ...{ stage, from, ms, facts },
  };
}

const fusion = span("fusion", 40, 40, { method: "weighted" });
const QUERY = trace(100, [
  span("query_processing", 0, 20, { method: "hybrid", counts: { terms: 3, phrases: 0 } }),
  span("keyword", 20, 20, { method: "bm25" }),
  fusion,
  span("rerank", 50, 20, { method: "maxsim", provider: "builtin/1" }, fusion),
  span("rerank", 80, 10, { method: "remote", fallback: "order_before", reason: "rerank_timeout" }),
  { ...span("passages", 90, 10), error: "TypeError" },
]);

Deno.test("each stage has its time, the time of its own, a bar at its place and what is known of it", () => {
  const text = waterfall(QUERY, { language: "en", style: PLAIN, columns: 100 });
  equal(
    text,
    `\
                     time     self
query processing  20.0 ms           ██████                            hybrid, terms 3
keyword           20.0 ms                 ██████                      bm25
fusion            40.0 ms  20.0 ms              ███████░░░░░░         weighted
  rerank          20.0 ms                           ██████            maxsim, builtin/1
rerank            10.0 ms                                    ███      → order_before: rerank_timeou…
passages          10.0 ms                                       ███   ✗ TypeError
`,
  );
});

Deno.test("Chinese names take two columns each, and no line is wider than the terminal", () => {
  const lines = waterfall(QUERY, { language: "zh", style: PLAIN, columns: 60 }).split("\n");
  deepEqual(lines.slice(0, 5), [
    "             耗时     自身",
    "问题处理  20.0 ms           ██████",
    "关键词    20.0 ms                 ██████",
    "融合      40.0 ms  20.0 ms              ███████░░░░░░",
    "  重排    20.0 ms                           ██████",
  ]);
  for (const columns of [40, 60, 72, 80, 120, 200]) {
    for (const language of ["zh", "en"] as const) {
      const all = waterfall(QUERY, { language, style: PLAIN, columns }).split("\n");
      ok(all.every((line) => displayWidth(line) <= columns), `${columns}\n${all.join("\n")}`);
    }
  }
});

Deno.test("of many files the slowest are shown, and the others are summed up", () => {
  const files = Array.from({ length: 1000 }, (_, i) => span("file", i, i === 500 ? 9 : 1));
  const lines = waterfall(trace(1001, files), { language: "en", style: PLAIN, columns: 100 }).split("\n");
  equal(lines.length, 13);
  ok(lines.some((line) => line.startsWith("file  9.00 ms")));
  ok(
    lines.some((line) => line.startsWith("…") && line.endsWith("990 more, 990 ms in all")),
    lines.join("\n"),
  );
});

Deno.test("control characters of a file with traces do not reach the terminal", () => {
  const hostile = trace(1, [
    span("\u001b[31mred" as Stage, 0, 1, { method: "\u001b]0;title\u0007", counts: { "\u001b": "\r" } }),
  ]);
  const text = waterfall(hostile, { language: "en", style: PLAIN, columns: 100 });
  // deno-lint-ignore no-control-regex -- that none is there
  equal(/[\u0000-\u0009\u000b-\u001f]/.test(text), false);
});

Deno.test("the ranks of the hits in each list of the last run", () => {
  const list = (...chunks: string[]) => ({
    candidates: chunks.map((chunk, i) => ({ chunk, score: 1, rank: i + 1 })),
  });
  const record = trace(10, [
    span("query_processing", 0, 1),
    span("keyword", 1, 1, list("z")),
    span("query_processing", 2, 1),
    span("keyword", 3, 1, list("a", "b")),
    span("vector", 4, 1, { candidates: ["wrong", null, { chunk: 7 }] }),
    span("fusion", 5, 1, list("b", "c", "a")),
    span("passages", 6, 1, {
      candidates: [{ chunk: "c", path: "/docs/桥.md", score: 1, rank: 1 }, { chunk: "b", score: 1, rank: 2 }],
    }),
  ]);
  equal(
    ranksText(record, { language: "en", style: PLAIN, columns: 80 }),
    `\
Ranks of the hits in each stage
               keyword  fusion  passages
  /docs/桥.md        –       2         1
  b                  2       1         2
`,
  );
  equal(ranksText(trace(1, []), { language: "en", style: PLAIN, columns: 80 }), "");
});
