import { deepEqual, equal } from "node:assert/strict";
import { otlpRequest, spansOf } from "#traces/export/mod.ts";
import { readRequest, type ReadSpan } from "./_collector.ts";
import { QUERY } from "./_record.ts";

const SOURCE = {
  resource: { "service.name": "muxue_rag", "process.pid": 4711n },
  scope: { name: "muxue_rag", version: "1.2.3" },
};

function sent(record = QUERY, withTexts = false, protocol: "protobuf" | "json" = "protobuf"): ReadSpan[] {
  const { type, body } = otlpRequest(protocol, [...spansOf(record, withTexts)], SOURCE);
  return [...readRequest(type, body).spans];
}

const ROOT = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "16cd43ddffffffff",
  flags: 0x101,
  name: "query",
  kind: 1,
  startTimeUnixNano: "1795687200123000000",
  endTimeUnixNano: "1795687200135500000",
};

for (const protocol of ["protobuf", "json"] as const) {
  Deno.test(`OpenTelemetry's code reads a trace in ${protocol}: ids, times, scores and states, no texts and no paths`, () => {
    const { type, body } = otlpRequest(protocol, [...spansOf(QUERY, false)], SOURCE);
    deepEqual(readRequest(type, body), {
      resource: { "service.name": "muxue_rag", "process.pid": "4711n" },
      scope: { name: "muxue_rag", version: "1.2.3" },
      spans: [
        {
          ...ROOT,
          attributes: {
            "openinference.span.kind": "CHAIN",
            "gen_ai.operation.name": "retrieval",
            "muxue_rag.counts.hits": "2n",
            "muxue_rag.mode": "hybrid",
          },
        },
        {
          ...ROOT,
          spanId: "16cd43dd00000001",
          parentSpanId: ROOT.spanId,
          name: "keyword",
          startTimeUnixNano: "1795687200123250000",
          endTimeUnixNano: "1795687200127250000",
          attributes: {
            "openinference.span.kind": "RETRIEVER",
            "gen_ai.operation.name": "retrieval",
            "muxue_rag.method": "bm25",
            "muxue_rag.counts.candidates": "2n",
            "retrieval.documents.0.document.id": "00112233445566aa",
            "retrieval.documents.0.document.score": 7.25,
            "retrieval.documents.1.document.id": "00112233445566bb",
            "retrieval.documents.1.document.score": 3,
            "gen_ai.retrieval.documents":
              '[{"id":"00112233445566aa","score":7.25},{"id":"00112233445566bb","score":3}]',
          },
        },
        {
          ...ROOT,
          spanId: "16cd43dd00000002",
          parentSpanId: "16cd43dd00000001",
          name: "rerank",
          kind: 3,
          startTimeUnixNano: "1795687200128000000",
          endTimeUnixNano: "1795687200134000000",
          attributes: {
            "openinference.span.kind": "RERANKER",
            "gen_ai.provider.name": "remote",
            "gen_ai.request.model": "bge-reranker-v2-m3",
            "reranker.model_name": "bge-reranker-v2-m3",
            "error.type": "rerank_timeout",
            "muxue_rag.method": "cross_encoder",
            "muxue_rag.provider": "remote",
            "muxue_rag.model": "bge-reranker-v2-m3",
            "muxue_rag.fallback": true,
          },
          status: { message: "rerank_timeout", code: 2 },
        },
      ],
    });
  });
}

Deno.test("where texts may be sent, the question, the paths and the message of an error are sent too", () => {
  const [query, keyword, rerank] = sent(QUERY, true);
  equal(query!.attributes["input.value"], "how do I descale it? 怎么除垢");
  equal(query!.attributes["gen_ai.retrieval.query.text"], "how do I descale it? 怎么除垢");
  equal(query!.attributes["muxue_rag.root"], "/home/me/notes");
  equal(
    keyword!.attributes["retrieval.documents.0.document.metadata"],
    '{"path":"/home/me/notes/machine.md","rank":1}',
  );
  deepEqual(rerank!.status, { message: 'rerank_timeout {"seconds":5}', code: 2 });
});

Deno.test("the parent of a client becomes the parent of the trace, in the client's trace", () => {
  const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const [root, keyword] = sent({ ...QUERY, parent });
  equal(root!.traceId, "4bf92f3577b34da6a3ce929d0e0e4736");
  equal(root!.parentSpanId, "00f067aa0ba902b7");
  equal(root!.flags, 0x301);
  equal(root!.kind, 2);
  equal(keyword!.traceId, "4bf92f3577b34da6a3ce929d0e0e4736");
  equal(keyword!.parentSpanId, root!.spanId);
});

Deno.test("a trace whose client does not record its own is not sent", () => {
  const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
  deepEqual([...spansOf({ ...QUERY, parent }, false)], []);
});

Deno.test("a call of a model is named for it, with its tokens", () => {
  const facts = {
    method: "model",
    provider: "moonshot",
    model: "kimi-k2",
    usage: { inputTokens: 900, outputTokens: 41 },
  };
  const record = {
    ...QUERY,
    spans: [{ id: "16cd43dd00000001", stage: "answer" as const, from: 0, ms: 1, facts }],
  };
  const [, answer] = sent(record);
  equal(answer!.name, "chat kimi-k2");
  equal(answer!.kind, 3);
  deepEqual(answer!.attributes, {
    "openinference.span.kind": "LLM",
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "moonshot_ai",
    "llm.provider": "moonshot",
    "gen_ai.request.model": "kimi-k2",
    "llm.model_name": "kimi-k2",
    "gen_ai.usage.input_tokens": "900n",
    "gen_ai.usage.output_tokens": "41n",
    "llm.token_count.prompt": "900n",
    "llm.token_count.completion": "41n",
    "muxue_rag.method": "model",
    "muxue_rag.provider": "moonshot",
    "muxue_rag.model": "kimi-k2",
    "muxue_rag.usage.inputTokens": "900n",
    "muxue_rag.usage.outputTokens": "41n",
  });
});

Deno.test("a span has 30 documents and 128 attributes at most, and says how many it lacks", () => {
  const candidates = Array.from(
    { length: 200 },
    (_, i) => ({ chunk: `chunk${i}`, score: 1 / (i + 1), rank: i + 1 }),
  );
  const facts = { candidates, ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`fact${i}`, i])) };
  const record = {
    ...QUERY,
    spans: [{ id: "16cd43dd00000001", stage: "vector" as const, from: 0, ms: 1, facts }],
  };
  const [, vector] = sent(record);
  const { attributes, droppedAttributesCount } = vector as unknown as {
    attributes: Record<string, unknown>;
    droppedAttributesCount: number;
  };
  equal(Object.keys(attributes).length, 128);
  equal(attributes["retrieval.documents.29.document.id"], "chunk29");
  equal(attributes["retrieval.documents.30.document.id"], undefined);
  equal(droppedAttributesCount, 2 + 200 + 61 - 128);
});

Deno.test("invalid text is repaired, and values that are not attributes are left out", () => {
  const facts = {
    method: "a\ud800b",
    nan: NaN,
    huge: 1e300,
    list: ["x", 1],
    none: null,
    tooLong: "x",
    negative: -5,
  };
  const record = {
    ...QUERY,
    spans: [{ id: "16cd43dd00000001", stage: "split" as const, from: 0, ms: 1, facts }],
  };
  for (const protocol of ["protobuf", "json"] as const) {
    const [, split] = sent(record, true, protocol);
    deepEqual(split!.attributes, {
      "openinference.span.kind": "CHAIN",
      "muxue_rag.method": "a\ufffdb",
      "muxue_rag.huge": 1e300,
      "muxue_rag.list": ["x", "1n"],
      "muxue_rag.tooLong": "x",
      "muxue_rag.negative": "-5n",
    });
  }
});
