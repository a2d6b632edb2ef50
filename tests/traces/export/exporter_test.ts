import { deepEqual, equal, match } from "node:assert/strict";
import type { Log } from "#foundation/log.ts";
import { type CollectorSettings, Exporter, headersOf, tracesAddress } from "#traces/export/mod.ts";
import { Collector, type CollectorAnswer } from "./_collector.ts";
import { ingestionOf, QUERY } from "./_record.ts";

const SETTINGS: Omit<CollectorSettings, "url"> = {
  protocol: "protobuf",
  headers: null,
  texts: false,
  timeoutSeconds: 10,
  maxRetries: 3,
};

/** A log that keeps its entries. */
function keptLog(): Log & { readonly entries: unknown[] } {
  const entries: unknown[] = [];
  const keep = (event: string, facts?: unknown) => void entries.push([event, facts]);
  return { entries, debug: keep, info: keep, warning: keep, error: keep } as unknown as ReturnType<
    typeof keptLog
  >;
}

function exporterTo(url: string, settings: Partial<CollectorSettings> = {}) {
  const log = keptLog();
  return { log, exporter: new Exporter({ ...SETTINGS, url, ...settings }, { version: "1.2.3", log }) };
}

/** Sends a trace to a collector that gives these answers, and closes. */
async function sendTo(answers: readonly CollectorAnswer[], settings: Partial<CollectorSettings> = {}) {
  await using collector = new Collector(answers);
  const { exporter, log } = exporterTo(collector.url, settings);
  exporter.add(QUERY);
  await exporter.close();
  const { counts, problem } = exporter;
  const port = new URL(collector.url).port;
  const words = String(problem?.params["words"] ?? "").replace(port, "PORT");
  return {
    counts,
    words,
    requests: collector.requests,
    events: log.entries.map((entry) => (entry as string[])[0]),
  };
}

const NONE = { sent: 0, rejected: 0, failed: 0, dropped: 0 };

for (const protocol of ["protobuf", "json"] as const) {
  Deno.test(`a collector gets a trace in ${protocol}, with the headers of the configuration`, async () => {
    const headers = "Authorization=Bearer%20secret-key, x-project = notes";
    const { counts, requests: [request], events } = await sendTo([], { protocol, headers });
    deepEqual(counts, { ...NONE, sent: 3 });
    equal(request!.path, "/v1/traces");
    equal(request!.headers.get("authorization"), "Bearer secret-key");
    equal(request!.headers.get("x-project"), "notes");
    deepEqual(request!.spans.map(({ name }) => name), ["query", "keyword", "rerank"]);
    equal(request!.resource["service.name"], "muxue_rag");
    equal(request!.resource["service.version"], "1.2.3");
    deepEqual(events, ["otlp.done"]);
  });

  Deno.test(`spans that a collector rejects in ${protocol} are counted, and its reason is told once`, async () => {
    const { counts, words, events } = await sendTo([{ rejected: [2, "no room for\nspans"] }], { protocol });
    deepEqual(counts, { ...NONE, sent: 1, rejected: 2 });
    equal(words, "2 × no room for spans");
    deepEqual(events, ["otlp.failed", "otlp.done"]);
  });
}

for (const status of [429, 502, 503, 504]) {
  Deno.test(`a collector that answers ${status} is asked again when it says so`, async () => {
    await using collector = new Collector([{ status, headers: { "retry-after": "0" } }]);
    const { exporter } = exporterTo(collector.url);
    exporter.add(QUERY);
    await exporter.close();
    equal(collector.requests.length, 2);
    deepEqual(exporter.counts, { ...NONE, sent: 3 });
  });
}

for (const status of [400, 401, 404, 413, 500, 501]) {
  Deno.test(`a collector that answers ${status} is not asked again, and the failure is told once`, async () => {
    const { counts, requests, events } = await sendTo([{ status }]);
    equal(requests.length, 1);
    deepEqual(counts, { ...NONE, failed: 3 });
    deepEqual(events, ["otlp.failed", "otlp.done"]);
  });
}

Deno.test("a redirect is not followed, because headers would go to another server", async () => {
  await using other = new Collector();
  const { counts, words } = await sendTo([{ status: 307, headers: { location: `${other.url}/x?key=1` } }], {
    headers: "authorization=Bearer secret-key",
  });
  deepEqual(counts, { ...NONE, failed: 3 });
  match(words, /^→ http:\/\/127\.0\.0\.1:\d+$/);
  deepEqual(other.requests, []);
});

Deno.test("a secret in the answer of a collector is masked", async () => {
  const { words } = await sendTo([{ rejected: [1, "bad token secret-key-of-mine"] }], {
    headers: "authorization=Bearer secret-key-of-mine",
  });
  equal(words, "1 × bad token ****");
});

Deno.test("traces are sent a moment later, together with those that ended meanwhile", async () => {
  await using collector = new Collector();
  const { exporter } = exporterTo(collector.url);
  exporter.add(QUERY);
  exporter.add(QUERY);
  await collector.until(6);
  equal(collector.requests.length, 1);
  await exporter.close();
});

Deno.test("a collector that is not there costs nothing, and its absence is told once", async () => {
  const { exporter, log } = exporterTo("http://127.0.0.1:9");
  for (let i = 0; i < 5; i++) exporter.add(QUERY);
  await exporter.close();
  deepEqual(exporter.counts, { ...NONE, failed: 15 });
  equal(exporter.problem?.key, "otlp_failed");
  deepEqual(log.entries.map((entry) => (entry as string[])[0]), ["otlp.failed", "otlp.done"]);
});

Deno.test("the end of the program does not wait for a collector that hangs", async () => {
  await using collector = new Collector([{ hangs: true }]);
  const { exporter } = exporterTo(collector.url);
  exporter.add(QUERY);
  exporter.add(QUERY);
  await exporter.close();
  deepEqual(exporter.counts, { ...NONE, dropped: 6 });
});

Deno.test("a large trace goes in several requests, and all of it has arrived when the program ends", async () => {
  await using collector = new Collector();
  const { exporter } = exporterTo(collector.url);
  exporter.add(ingestionOf(5000));
  await exporter.close();
  equal(collector.spans.length, 5001);
  deepEqual(collector.requests.map(({ spans }) => spans.length), [...Array(9).fill(512), 393]);
  deepEqual(exporter.counts, { ...NONE, sent: 5001 });
});

for (let turns = 0; turns < 12; turns++) {
  Deno.test(`a trace that is added ${turns} turns after the last answer is sent when the program ends`, async () => {
    await using collector = new Collector([{ rejected: [1, "no room"] }]);
    const answered = Promise.withResolvers<void>();
    const log = { ...keptLog(), warning: () => answered.resolve() };
    const exporter = new Exporter({ ...SETTINGS, url: collector.url }, { version: "1.2.3", log });
    exporter.add(QUERY);
    await answered.promise;
    for (let i = 0; i < turns; i++) await undefined;
    exporter.add(QUERY);
    await exporter.close();
    deepEqual(exporter.counts, { ...NONE, sent: 5, rejected: 1 });
  });
}

Deno.test("more traces than the queue takes are dropped and counted", async () => {
  const { exporter } = exporterTo("http://127.0.0.1:9");
  for (let i = 0; i < 4; i++) exporter.add(ingestionOf(24_999));
  equal(exporter.counts.dropped, 50_000);
  await exporter.close();
  deepEqual(exporter.counts, { ...NONE, failed: 50_000, dropped: 50_000 });
});

Deno.test("the address is the one that is configured, or the usual one of a server without a path", () => {
  equal(tracesAddress("http://localhost:4318"), "http://localhost:4318/v1/traces");
  equal(tracesAddress("https://example.com/otel/v1/traces?x=1"), "https://example.com/otel/v1/traces?x=1");
});

Deno.test("headers are pairs as in OpenTelemetry's variable", () => {
  deepEqual(headersOf("A=b=c, D = %E2%82%AC,=x,nothing, E=%zz"), { a: "b=c", d: "€", e: "%zz" });
  deepEqual(headersOf(null), {});
});
