import { deepEqual, equal, match } from "node:assert/strict";
import type { SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { callOnce, fakeLibrary, hit, ROOT, searched, startSession } from "./_session.ts";

const FOUND: SearchAnswer = {
  hits: [
    hit(),
    hit({
      filePath: `${ROOT}/coffee.pdf`,
      section: [],
      page: 7,
      degree: "low",
      content: "Coffee. ".repeat(40),
    }),
  ],
  seconds: 0.01,
  notices: [],
};

async function call(name: string, args: Record<string, unknown>) {
  const requests: SearchRequest[] = [];
  const library = fakeLibrary({
    search: ({ marks, ...request }) => {
      requests.push(request);
      const hits = FOUND.hits.filter(({ degree }) => request.minDegree !== "medium" || degree !== "low");
      const lowerDegree = FOUND.hits.length - hits.length;
      const isMarked = typeof marks === "function" && marks(hits);
      return Promise.resolve({
        ...FOUND,
        hits: isMarked ? hits.map((hit) => ({ ...hit, marks: [] })) : hits,
        ...(lowerDegree > 0 && { lowerDegree }),
      });
    },
  });
  return { requests, ...await callOnce(name, args, { library }) };
}

Deno.test("query_knowledge_hub returns numbered citations, in the data and in the text", async () => {
  const { structuredContent: { data }, content } = await call("query_knowledge_hub", { query: "tea" });
  match(data.answer, /^\[1\] Green tea wants 80 °C\.\n\n\[2\] Coffee\. /);
  deepEqual(data.citations[0], {
    id: 1,
    source: `${ROOT}/tea.md`,
    title: "Tea",
    lines: "3-4",
    section: "Tea > Green",
    text: "Green tea wants 80 °C.",
    degree: "high",
    score: 0.9179,
    "chunk_id": "0123456789abcdef",
  });
  deepEqual([data.citations[1].id, data.citations[1].title, data.citations[1].page], [2, "coffee.pdf", 7]);
  match(content[0].text, /\n\[2\] <quoted-1>.*coffee\.pdf:3-4/);
});

Deno.test("citations have all that the text of a search says", async () => {
  const { library } = searched({
    hits: [hit({
      recognised: true,
      outdated: true,
      also: [{ filePath: `${ROOT}/tea.pdf`, startLine: 2, endLine: 5, page: 1 }],
    })],
    freshness: { indexedAt: new Date(0), state: "outdated", newerFiles: 2 },
    suggestions: [{ word: "teh", suggestion: "tea" }],
  });
  const { structuredContent: { data } } = await callOnce("query_knowledge_hub", { query: "teh" }, {
    library,
    client: "claude-code",
  });
  const { answer, citations: [citation], untrusted_content: _, ...rest } = data;
  equal(answer, "[1] Green tea wants 80 °C.");
  deepEqual([citation.recognised, citation.outdated, citation.also_in], [true, true, [
    { source: `${ROOT}/tea.pdf`, lines: "2-5", page: 1 },
  ]]);
  deepEqual(rest, {
    freshness: { indexed_at: "1970-01-01T00:00:00.000Z", state: "outdated", newer_files: 2 },
    suggestions: [{ word: "teh", suggestion: "tea" }],
  });
});

Deno.test("query_knowledge_hub passes its filters, collection and settings to the search", async () => {
  const { requests } = await call("query_knowledge_hub", {
    query: "tea",
    "top_k": 3,
    collection: "notes",
    filters: '{"type": "md"}',
    alpha: "0.3",
    "fts_topn": 40,
    "vec_topn": 30,
    "per_doc_limit": 2,
  });
  deepEqual(requests, [{
    query: "tea",
    topK: 3,
    collections: "notes",
    filters: { json: { type: "md" } },
    ranking: { alpha: 0.3, "fts_topn": 40, "vec_topn": 30, "per_doc_limit": 2 },
  }]);
});

Deno.test("collection takes several names, as a text or as a list", async () => {
  for (
    const [collection, collections] of [
      ["notes, papers", "notes, papers"],
      [["notes", "papers"], "notes\npapers"],
      [["notes"], "notes"],
    ] as const
  ) {
    const { requests } = await call("search_by_keyword", { query: "tea", collection });
    deepEqual(requests, [{ query: "tea", mode: "keyword", collections }]);
  }
});

Deno.test("search_by_keyword and search_by_semantic set the mode and the candidates of their leg", async () => {
  const keyword = await call("search_by_keyword", { query: "tea", "fts_topn": 20 });
  const semantic = await call("search_by_semantic", { query: "tea", "vec_topn": 30 });
  deepEqual([...keyword.requests, ...semantic.requests], [
    { query: "tea", mode: "keyword", ranking: { "fts_topn": 20 } },
    { query: "tea", mode: "semantic", ranking: { "vec_topn": 30 } },
  ]);
});

Deno.test("min_degree leaves out lower hits with a notice, and snippet_chars shortens every passage", async () => {
  const { structuredContent: { data } } = await call("query_knowledge_hub", {
    query: "tea",
    "min_degree": "medium",
  });
  equal(data.citations.length, 1);
  deepEqual(data.notices, ["1 passage of a lower degree than min_degree was left out"]);
  const short = await call("query_knowledge_hub", { query: "tea", "snippet_chars": 20 });
  deepEqual(short.structuredContent.data.citations.map(({ text }: { text: string }) => text), [
    "Green tea wants 80 °…",
    "Coffee. Coffee. Coff…",
  ]);
});

Deno.test("a query of no words is refused", async () => {
  const blank = await call("search_by_keyword", { query: " " });
  equal(blank.structuredContent.code, 500);
});

Deno.test("the scores of citations are from 0 to 1 and keep the order of the hits", async () => {
  const scores = [40, 2, 1.2, 0.3, 0.01, 0, -0.5];
  const hits = scores.map((score, i) => hit({ score, degree: "low", filePath: `${ROOT}/${i}.md` }));
  const { structuredContent: { data } } = await callOnce("query_knowledge_hub", {
    query: "tea",
    top_k: 10,
  }, searched({ hits }));
  const shown = data.citations.map(({ score }: { score: number }) => score);
  deepEqual(shown, [1, 0.8647, 0.6988, 0.2592, 0.01, 0, 0]);
});

Deno.test("search is accepted as a name for search_rag, with keyword or query, and is not listed", async () => {
  const { requests, library } = searched(FOUND);
  await using session = await startSession({ library, config: { tools: "default" } });
  for (const args of [{ keyword: "tea", top_k: 2 }, { query: "tea", top_k: 2 }]) {
    const { structuredContent } = await session.call("search", args);
    equal(structuredContent.data.match_content.length > 0, true);
  }
  deepEqual(requests, [{ query: "tea", topK: 2 }, { query: "tea", topK: 2 }]);
  const { result } = await session.request("tools/list");
  const names: string[] = result.tools.map(({ name }: { name: string }) => name);
  const known = ["search", "query_knowledge_hub", "get_document_summary"];
  deepEqual(known.map((name) => names.includes(name)), [false, true, true]);
});
