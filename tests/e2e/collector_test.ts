import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { Collector, type ReadSpan } from "../traces/export/_collector.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, NOTES, smokeTest } from "./_program.ts";

/** The environment with which the program sends its traces to a collector. */
function sendingTo(url: string, more: Record<string, string> = {}): Record<string, string> {
  return { MUXUE_RAG_LANGUAGE: "en", MUXUE_RAG_OBSERVABILITY_OTLP_URL: url, ...more };
}

/** The stages of spans, each once. */
function stagesIn(spans: readonly ReadSpan[]): string[] {
  return [...new Set(spans.map(({ name }) => name))];
}

for (const protocol of ["protobuf", "json"]) {
  smokeTest(
    `a collector gets what index and search did, without texts and paths (${protocol})`,
    async (start) => {
      await using collector = new Collector();
      const env = sendingTo(collector.url, { MUXUE_RAG_OBSERVABILITY_OTLP_PROTOCOL: protocol });
      await using sandbox = await makeSandbox(NOTES, { start, env });
      const { stdout } = await sandbox.run`search ${"boil tomatoes"} --dir ${sandbox.folder}`;
      match(stdout, /recipe\.txt/);
      const stages = stagesIn(collector.spans);
      deepEqual(
        ["ingestion", "walk", "load", "split", "embeddings builtin/1", "store", "file", "query", "keyword"]
          .filter((stage) => !stages.includes(stage)),
        [],
        stages.join(),
      );
      const files = collector.spans.filter(({ name }) => name === "file");
      equal(files.length, 3);
      const query = collector.spans.find(({ name }) => name === "query")!;
      equal(query.attributes["gen_ai.operation.name"], "retrieval");
      const keyword = collector.spans.find(({ name }) => name === "keyword")!;
      equal(keyword.traceId, query.traceId);
      equal(typeof keyword.attributes["retrieval.documents.0.document.score"], "number");
      const all = JSON.stringify(collector.requests);
      deepEqual(["tomato", "recipe", "soup", "docs", "备份"].filter((word) => all.includes(word)), []);
    },
  );
}

Deno.test("a collector gets texts and paths only if both settings say so", async () => {
  const sent = async (env: Record<string, string>) => {
    await using collector = new Collector();
    await using sandbox = await makeSandbox(NOTES, { env: sendingTo(collector.url, env) });
    await sandbox.run`search ${"boil tomatoes"} --dir ${sandbox.folder}`;
    const all = JSON.stringify(collector.requests);
    return ["boil tomatoes", "recipe.txt"].filter((word) => all.includes(word));
  };
  const texts = { MUXUE_RAG_OBSERVABILITY_OTLP_TEXTS: "true" };
  const traces = { MUXUE_RAG_OBSERVABILITY_TRACES: "text" };
  deepEqual(await sent(texts), []);
  deepEqual(await sent(traces), []);
  deepEqual(await sent({ ...texts, ...traces }), ["boil tomatoes", "recipe.txt"]);
});

smokeTest(
  "the traceparent of a client is the parent of its query, and an invalid one is not",
  async (start) => {
    await using collector = new Collector();
    await using sandbox = await makeSandbox(NOTES, { start, env: sendingTo(collector.url) });
    await using pipe = await openPipe(sandbox);
    await pipe.searchUntil("tomatoes", (text) => text.includes("recipe.txt"));
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const search = (traceparent: unknown) =>
      pipe.ask("tools/call", {
        name: "search_rag",
        arguments: { keyword: "tomatoes" },
        _meta: { traceparent },
      });
    for (
      const wrong of [
        5,
        `00-${traceId}-${spanId}`,
        `ff-${traceId}-${spanId}-01`,
        `00-${"0".repeat(32)}-${spanId}-01`,
        `00-${traceId}-${"0".repeat(16)}-01`,
        `00-${traceId.toUpperCase()}-${spanId}-01`,
        `00-${traceId}-${spanId}-01-more`,
      ]
    ) equal((await search(wrong)).result.structuredContent.code, 200);
    await search(`00-${traceId}-${spanId}-01`);
    await search(`cc-${traceId}-${spanId}-01-more`);
    await search(`00-${traceId}-${spanId}-00`);
    await pipe.end();
    const queries = collector.spans.filter(({ name }) => name === "query");
    const isChild = (span: ReadSpan) => span.traceId === traceId && span.parentSpanId === spanId;
    equal(queries.filter(isChild).length, 2);
    deepEqual(queries.filter((span) => span.parentSpanId !== undefined && !isChild(span)), []);
    deepEqual(queries.filter(({ kind }) => kind === 2).length, 2);
  },
);

Deno.test("a collector that is down, hangs or refuses changes no answer, and its failure is told once in the log", async () => {
  await using hanging = new Collector(Array(10).fill({ hangs: true }));
  await using refusing = new Collector(Array(10).fill({ status: 401 }));
  for (const url of ["http://127.0.0.1:9", hanging.url, refusing.url]) {
    await using sandbox = await makeSandbox(NOTES, { env: sendingTo(url) });
    const { code, stdout, stderr } = await sandbox.run`search tomatoes --dir ${sandbox.folder} --quiet`;
    deepEqual([code, stderr], [0, ""]);
    match(stdout, /recipe\.txt/);
    const log = await logOf(sandbox.cwd);
    equal(log.filter(({ message }) => message === "otlp.failed").length, url === hanging.url ? 0 : 1, url);
    equal(log.filter(({ message }) => message === "otlp.done").length, 1);
  }
});

Deno.test("doctor tries the collector, and says what it gets", async () => {
  await using collector = new Collector([{}, { status: 401 }]);
  await using sandbox = await makeSandbox({}, {
    env: sendingTo(collector.url, { MUXUE_RAG_OBSERVABILITY_OTLP_HEADERS: "authorization=Bearer hush-hush" }),
  });
  const well = await sandbox.run`doctor`;
  equal(well.code, 0, well.stdout);
  match(
    well.stdout,
    /Collector +http:\/\/127\.0\.0\.1:\d+ \(protobuf\)\n +Sending traces +✓ works, .*; without questions/,
  );
  const [request] = collector.requests;
  equal(request!.headers.get("authorization"), "Bearer hush-hush");
  deepEqual(request!.spans, []);
  const { code, stdout } = await sandbox.run`doctor`;
  equal(code, 1);
  match(stdout, /✗ Traces could not be sent to http:\/\/127\.0\.0\.1:\d+\/v1\/traces: no/);
});

/** The entries of the log. */
async function logOf(cwd: string): Promise<{ message: string }[]> {
  const dir = join(cwd, "state", "logs");
  const names = [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => !name.includes("traces"));
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(join(dir, name))));
  return texts.join("").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}
