import type { TraceRecord } from "#traces/mod.ts";

/** A trace of a query with two stages. */
export const QUERY: TraceRecord = {
  id: "0af7651916cd43dd8448eb211c80319c",
  kind: "query",
  started: "2026-11-26T10:00:00.123Z",
  ms: 12.5,
  program: "1.2.3",
  pid: 4711,
  facts: { counts: { hits: 2 }, mode: "hybrid", root: "/home/me/notes" },
  texts: { question: "how do I descale it? 怎么除垢" },
  spans: [
    {
      id: "16cd43dd00000001",
      stage: "keyword",
      from: 0.25,
      ms: 4,
      facts: {
        method: "bm25",
        counts: { candidates: 2 },
        candidates: [
          { chunk: "00112233445566aa", path: "/home/me/notes/machine.md", score: 7.25, rank: 1 },
          { chunk: "00112233445566bb", path: "/home/me/notes/tea.md", score: 3, rank: 2 },
        ],
      },
    },
    {
      id: "16cd43dd00000002",
      parent: "16cd43dd00000001",
      stage: "rerank",
      from: 5,
      ms: 6,
      facts: { method: "cross_encoder", provider: "remote", model: "bge-reranker-v2-m3", fallback: true },
      texts: { error: 'rerank_timeout {"seconds":5}' },
      error: "rerank_timeout",
    },
  ],
};

/** The same trace with `count` stages of files. */
export function ingestionOf(count: number): TraceRecord {
  const spans = Array.from({ length: count }, (_, i) => ({
    id: `16cd43dd${(i + 1).toString(16).padStart(8, "0")}`,
    stage: "file" as const,
    from: i,
    ms: 1,
    facts: { number: i, format: "text" },
  }));
  return { ...QUERY, kind: "ingestion", ms: count, facts: {}, spans };
}
