import { deepEqual, equal, match, ok } from "node:assert/strict";
import { estimatedTokens } from "#library/answer/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Catalog, DocumentRelations, SearchRequest, ServedDocument } from "#library/search/mod.ts";
import {
  allAnswers,
  callOnce,
  fakeLibrary,
  hit,
  ROOT,
  type SessionOptions,
  startSession,
} from "./_session.ts";

const DATE = new Date(Date.UTC(2026, 0, 2));

const document = (path: string, text: string): ServedDocument => ({
  document: { text, sections: [], title: "Handbook" },
  format: "text",
  path,
  name: path.split("/").at(-1)!,
  sha256: "0".repeat(64),
  size: text.length,
  modified: DATE,
});

const TEXT =
  "Descale the coffee machine every month. Use acid for the coffee machine. Birds sang in the garden.\n";

const FILES = Array.from({ length: 30 }, (_, i) => ({
  path: `${ROOT}/${String(i).padStart(2, "0")}.md`,
  state: "indexed" as const,
  format: "md",
  language: "en",
  size: 10 + i,
  modified: DATE,
  chunks: 1,
}));

/** A library with the catalog, and this document at every path. */
const serving = (document: ServedDocument) =>
  fakeLibrary({
    catalog: () => Promise.resolve(catalog()),
    readDocument: () => Promise.resolve(document),
  });

function catalog(parts: Partial<Catalog> = {}): Catalog {
  return {
    collections: () =>
      Promise.resolve([{
        name: "notes",
        root: ROOT,
        state: "ready",
        documents: 30,
        chunks: 30,
        notIndexed: 1,
        languages: ["en"],
        languageChunks: [{ language: "en", chunks: 30 }],
        pictures: 0,
        indexedAt: DATE,
        newerFiles: 2,
      }]),
    documents: ({ state }, offset, limit, names) => {
      const files = state === "failed" ? [] : FILES;
      const facets = names?.map((facet) => ({
        facet,
        values: [{ value: "ops", count: 2 }],
        more: 1,
        without: 27,
      }));
      return Promise.resolve({
        documents: files.slice(offset, offset + limit),
        total: files.length,
        ...(facets && { facets }),
      });
    },
    document: (path) => Promise.reject(new UserError("document_not_indexed", { path })),
    chunkContext: (id, before, after) =>
      Promise.resolve({
        path: `${ROOT}/tea.md`,
        sha256: "0".repeat(64),
        text: `${before} before, ${after} after ${id}. ${"Tea. ".repeat(2000)}`,
        startLine: 3,
        endLine: 9,
        section: ["Tea"],
        chunks: [{ chunkId: id, startLine: 3, endLine: 9, start: 0, end: 10_000 }],
        asked: 0,
        first: 2,
        count: 5,
      }),
    relations: () => Promise.resolve({ links: [], unresolved: [], backlinks: [], sharers: [] }),
    folders: () => Promise.resolve([]),
    version: () => Promise.resolve(""),
    weights: (words) => Promise.resolve(new Map(words.map((word) => [word, 1]))),
    ...parts,
  };
}

async function call(name: string, args: Record<string, unknown>, options: SessionOptions = {}) {
  const requests: SearchRequest[] = [];
  const library = fakeLibrary({
    catalog: () => Promise.resolve(catalog()),
    readDocument: (path) =>
      path.startsWith("/etc/")
        ? Promise.reject(new UserError("no_permission", { path, served: ROOT }))
        : path.endsWith("none.md")
        ? Promise.reject(new UserError("file_not_found", { path }))
        : Promise.resolve(document(path, path.endsWith("long.md") ? TEXT.repeat(2000) : TEXT)),
    search: ({ marks: _, ...request }) => {
      requests.push(request);
      const hits = [hit({ filePath: `${ROOT}/a.md` }), hit({ filePath: `${ROOT}/b.md` })];
      return Promise.resolve({ hits, seconds: 0.01, notices: [], more: true });
    },
  });
  return { requests, ...await callOnce(name, args, { library, ...options }) };
}

Deno.test("list_collections names each folder with its numbers, in the data and in the text", async () => {
  const { structuredContent: { data }, content } = await call("list_collections", {});
  deepEqual(data.collections, [{
    name: "notes",
    path: ROOT,
    state: "ready",
    documents: 30,
    chunks: 30,
    "not_indexed": 1,
    languages: ["en"],
    updated: DATE.toISOString(),
    "newer_files": 2,
  }]);
  match(
    content[0].text,
    /notes: \S+, 30 documents, 30 chunks, languages en, updated .*, at least 2 newer files/,
  );
});

for (const tool of ["list_collections", "index_status"]) {
  Deno.test(`${tool} keeps to a number of tokens and continues with the cursor`, async () => {
    const [one] = await catalog().collections();
    const collections = Array.from({ length: 200 }, (_, i) => ({ ...one!, name: `c${i}`, root: `/c${i}` }));
    const library = fakeLibrary({
      catalog: () => Promise.resolve(catalog({ collections: () => Promise.resolve(collections) })),
    });
    await using session = await startSession({ library, config: { "max_tokens": 1000 } });
    const paths: string[] = [];
    for (const { structuredContent, content: [{ text }] } of await allAnswers(session, tool, {})) {
      for (const one of [JSON.stringify(structuredContent), text]) ok(estimatedTokens(one) <= 1000);
      const { collections, next_cursor: cursor } = structuredContent.data;
      paths.push(...collections.map(({ path }: { path: string }) => path));
      equal(text.includes(`cursor=${cursor}]`), cursor !== undefined);
    }
    deepEqual(paths, collections.map(({ root }) => root));
  });
}

Deno.test("list_documents gives a page, and its cursor the next", async () => {
  const first = (await call("list_documents", { limit: 20 })).structuredContent.data;
  deepEqual([first.documents.length, first.total], [20, 30]);
  const { structuredContent: { data }, content } = await call("list_documents", {
    limit: 20,
    cursor: first.next_cursor,
  });
  deepEqual(
    data.documents.map(({ path }: { path: string }) => path),
    FILES.slice(20).map(({ path }) => path),
  );
  equal(data.next_cursor, undefined);
  match(content[0].text, /^Documents 21-30 of 30\n/);
  ok(content[0].text.includes(`${FILES[20]!.path} (md, en, 30 bytes, 2026-01-02, 1 chunk)\n`));
});

Deno.test("list_documents says that no document matches, without an empty quotation", async () => {
  const { content, structuredContent: { data } } = await call("list_documents", { state: "failed" });
  deepEqual([content[0].text, data.documents, data.total], ["No document matches", [], 0]);
});

Deno.test("list_documents shows fewer documents where all do not fit the limit of the server", async () => {
  const { structuredContent: { data } } = await call("list_documents", {}, { config: { "max_tokens": 500 } });
  ok(data.documents.length < 15);
  ok(data.next_cursor.startsWith(`${data.documents.length}.`));
});

Deno.test("a client that gives a model only the text can ask for the context of a passage", async () => {
  const library = fakeLibrary({
    search: () => Promise.resolve({ hits: [hit()], seconds: 0.01, notices: [] }),
    catalog: () => Promise.resolve(catalog()),
  });
  await using session = await startSession({ library, client: "Zed" });
  const { content: [found], structuredContent } = await session.call("search_rag", { keyword: "tea" });
  equal(structuredContent.data.match_content.length, 1);
  const [, id] = /^\[1\] .* chunk_id=(\w+)$/m.exec(found.text)!;
  const { content: [context] } = await session.call("get_chunk_context", { "chunk_id": id });
  match(context.text, /\n1 before, 1 after 0123456789abcdef\. /);
});

Deno.test("get_chunk_context passes the numbers of neighbours and cuts a long text", async () => {
  const { structuredContent: { data } } = await call("get_chunk_context", {
    "chunk_id": "0123456789abcdef",
    before: 2,
    "max_tokens": 800,
  });
  match(data.content, /^2 before, 1 after 0123456789abcdef\. /);
  const { file_path: path, first_chunk: first, chunk_count: count, truncated } = data;
  deepEqual([path, first, count, truncated], [`${ROOT}/tea.md`, 2, 5, true]);
});

Deno.test("get_document_summary answers with sentences, tags and facts of the document", async () => {
  const { structuredContent: { data }, content } = await call("get_document_summary", {
    "doc_id": `${ROOT}/a.md`,
  });
  deepEqual([data.title, data.tags], ["Handbook", ["coffee", "machine"]]);
  match(data.summary, /^Descale the coffee machine every month\. Use acid/);
  equal(data.file_info.file_path, `${ROOT}/a.md`);
  match(content[0].text, /Terms: coffee, machine/);
});

Deno.test("get_document_summary tells what the document says about itself", async () => {
  const served = document(`${ROOT}/a.md`, TEXT);
  const metadata = { authors: ["Li Ming"], created: "2024-05-01", accessLevel: "internal", status: "final" };
  const library = serving({ ...served, document: { ...served.document, metadata } });
  const { content } = await callOnce("get_document_summary", { doc_id: "a.md" }, { library });
  match(content[0].text, /\nThe document says: by Li Ming, created 2024-05-01, internal, final\n/);
});

Deno.test("get_document_summary says when the file was created, or when the document says it was", async () => {
  const served = document(`${ROOT}/a.md`, TEXT);
  const own = { ...served, document: { ...served.document, metadata: { created: "2024-05-01" } } };
  const created = new Date(Date.UTC(2025, 11, 31));
  const answers = [];
  for (const file of [served, own, { ...own, created }]) {
    const { structuredContent: { data }, content } = await callOnce("get_document_summary", {
      doc_id: "a.md",
    }, { library: serving(file) });
    const { create_time: time, create_time_by: by } = data.file_info;
    answers.push([time, by, /\(99 bytes.*\)/.exec(content[0].text)?.[0]]);
  }
  deepEqual(answers, [
    [undefined, undefined, "(99 bytes, modified 2026-01-02)"],
    ["2024-05-01", "document", "(99 bytes, modified 2026-01-02, created 2024-05-01 by its own account)"],
    ["2025-12-31T00:00:00.000Z", "file_system", "(99 bytes, modified 2026-01-02, created 2025-12-31)"],
  ]);
});

Deno.test("get_document_summary names the first chapters of a document with very many headings", async () => {
  const served = document(`${ROOT}/a.md`, TEXT);
  const sections = Array.from({ length: 200_000 }, (_, i) => (
    { start: 0, headingEnd: 0, end: 0, level: 1 + i % 2, title: `Part ${i}`, path: [] }
  ));
  const library = serving({ ...served, document: { ...served.document, sections } });
  await using session = await startSession({ library });
  const { structuredContent: { data } } = await session.call("get_document_summary", { doc_id: "a.md" });
  const { sections: named, section_count: count } = data;
  deepEqual([named.length, count, named[0], named[1]], [30, 100_000, "Part 0", "Part 2"]);
  const short = await session.call("get_document_summary", { doc_id: "a.md", max_tokens: 200 });
  ok(short.structuredContent.data.sections.length < 20);
  match(short.content[0].text, /Part 0, Part 2, .*…/);
});

Deno.test("find_related searches for the salient terms and leaves out the document itself", async () => {
  const { structuredContent: { data }, requests } = await call("find_related", {
    "doc_id": `${ROOT}/a.md`,
    "top_k": 3,
  });
  deepEqual(requests, [{ query: "Handbook coffee machine", topK: 4, ranking: { "per_doc_limit": 1 } }]);
  deepEqual(data.citations.map(({ source }: { source: string }) => source), [`${ROOT}/b.md`]);
});

Deno.test("find_related links to the documents it names, and its cursor gives the others", async () => {
  const hits = ["b", "a", "c", "d", "e", "f", "g"].map((name) => hit({ filePath: `${ROOT}/${name}.md` }));
  const library = fakeLibrary({
    catalog: () => Promise.resolve(catalog()),
    readDocument: () => Promise.resolve(document(`${ROOT}/a.md`, TEXT)),
    search: ({ offset = 0, topK = 10 }) =>
      Promise.resolve({
        hits: hits.slice(offset, offset + topK),
        seconds: 0.01,
        notices: [],
        leftOut: [{ filePath: `${ROOT}/b.md`, passages: 9 }],
        ...(offset + topK < hits.length && { more: true }),
      }),
  });
  for (const args of [{ "top_k": 2 }, { "top_k": 4, "max_tokens": 400 }, { "top_k": 20 }]) {
    await using session = await startSession({ library });
    const found: string[] = [];
    const call = { "doc_id": `${ROOT}/a.md`, ...args };
    for (const { structuredContent: { data }, content } of await allAnswers(session, "find_related", call)) {
      const sources = data.citations.map(({ source }: { source: string }) => source);
      ok(sources.length <= args["top_k"]);
      const links = content.slice(1).map(({ name }: { name: string }) => `${ROOT}/${name}`);
      ok(links.every((link: string) => sources.includes(link)));
      equal(data.left_out, undefined);
      found.push(...sources);
    }
    deepEqual(found, ["b", "c", "d", "e", "f", "g"].map((name) => `${ROOT}/${name}.md`));
  }
});

Deno.test("read_documents shares one limit among the documents, and names those that cannot be read", async () => {
  const paths = [`${ROOT}/a.md`, `${ROOT}/long.md`, `${ROOT}/none.md`];
  const { structuredContent: { data }, content } = await call("read_documents", {
    paths,
    "max_tokens": 1500,
  });
  equal(data.documents[0].content, TEXT);
  ok(data.documents[1].content.length < TEXT.length * 100);
  equal(data.documents[1].next_line > 1, true);
  deepEqual(data.documents[2], {
    "file_path": `${ROOT}/none.md`,
    problem: "The file does not exist: check the path",
  });
  const { next_line: line, total_lines: total } = data.documents[1];
  ok(content[0].text.endsWith(
    `[more: continue with <quoted-1>${ROOT}/long.md:${line}-${total}</quoted-1>]\n\n` +
      `<quoted-1>${ROOT}/none.md</quoted-1>: <quoted-1>The file does not exist: check the path</quoted-1>`,
  ));
});

Deno.test("read_documents takes a single path for a list, and names the served folders for one outside", async () => {
  const { structuredContent: { data } } = await call("read_documents", { paths: "/etc/passwd" });
  deepEqual(data.documents, [{
    "file_path": "/etc/passwd",
    problem: `This path is outside of the served folders, or hidden. Folders served: ${ROOT}`,
  }]);
});

Deno.test("read_documents says where to continue inside a line that is longer than its answer", async () => {
  const library = serving(document(`${ROOT}/line.md`, `${"x".repeat(25_000)}\n`));
  await using session = await startSession({ library });
  const { structuredContent, content } = await session.call("read_documents", { paths: `${ROOT}/line.md` });
  const [{ next_line: line, next_column: column }] = structuredContent.data.documents;
  deepEqual([line, column], [1, 20_001]);
  ok(content[0].text.endsWith(
    "[more: continue inside line 1 with get_document_content, start_line=1, start_column=20001]",
  ));
  const rest = await session.call("get_document_content", {
    "file_path": `${ROOT}/line.md`,
    "start_line": line,
    "start_column": column,
  });
  equal(rest.structuredContent.data.content, `${"x".repeat(5000)}\n`);
});

Deno.test("read_documents keeps few very long documents in memory, and names those that it did not read", async () => {
  const asked: string[] = [];
  const library = fakeLibrary({
    readDocument(path) {
      asked.push(path);
      return Promise.resolve(document(path, "tea\n".repeat(path === "a.md" ? 1 : 3_000_000)));
    },
  });
  const paths = ["a.md", "b.md", "c.md", "d.md", "e.md"];
  const { structuredContent: { data } } = await callOnce("read_documents", { paths, max_tokens: 2000 }, {
    library,
  });
  deepEqual(asked, ["a.md", "b.md", "c.md"]);
  const problem = "Not read, because the documents before it are too long. Read it in another call";
  deepEqual(data.documents.slice(3), ["d.md", "e.md"].map((path) => ({ file_path: path, problem })));
});

Deno.test("index_status answers with the folders and the files that could not be read", async () => {
  const { structuredContent: { data }, content } = await call("index_status", {});
  match(
    content[0].text,
    /notes: \S+, 30 documents, 30 chunks, languages en, updated .*, at least 2 newer files/,
  );
  deepEqual([data.collections[0].state, data.failed, data.failed_count], ["ready", [], 0]);
});

/** Relations of the document `a.md`. */
const RELATIONS: DocumentRelations = {
  links: [`${ROOT}/b.md`, `${ROOT}/c.md`],
  unresolved: ["Gone"],
  backlinks: [`${ROOT}/c.md`, `${ROOT}/d.md`],
  sharers: [{ path: `${ROOT}/d.md`, tags: ["预算", "ops"] }],
};

Deno.test("get_document_summary names tags, aliases, links and backlinks", async () => {
  const served = document(`${ROOT}/a.md`, TEXT);
  const metadata = { tags: ["ops"], extra: { aliases: ["Machine book"] } };
  const library = fakeLibrary({
    readDocument: () => Promise.resolve({ ...served, document: { ...served.document, metadata } }),
    catalog: () => Promise.resolve(catalog({ relations: () => Promise.resolve(RELATIONS) })),
  });
  const { structuredContent: { data }, content } = await callOnce(
    "get_document_summary",
    { doc_id: "a.md" },
    {
      library,
    },
  );
  const { aliases, links, backlinks, file_info: { tags } } = data;
  deepEqual([aliases, links, backlinks, tags], [
    ["Machine book"],
    [...RELATIONS.links, "Gone"],
    RELATIONS.backlinks,
    ["ops"],
  ]);
  ok(content[0].text.includes(
    `Tags: ops\nAlso called: Machine book\nLinks to: ${ROOT}/b.md, ${ROOT}/c.md, Gone\nLinked from: ${ROOT}/c.md, ${ROOT}/d.md\n`,
  ));
});

Deno.test("find_related says by which links, tags and terms documents are related", async () => {
  const library = fakeLibrary({
    readDocument: () => Promise.resolve(document(`${ROOT}/a.md`, TEXT)),
    search: () =>
      Promise.resolve({
        hits: [
          hit({ filePath: `${ROOT}/b.md`, content: "The coffee machines." }),
          hit({ filePath: `${ROOT}/x.md` }),
        ],
        seconds: 0.01,
        notices: [],
      }),
    catalog: () => Promise.resolve(catalog({ relations: () => Promise.resolve(RELATIONS) })),
  });
  const { structuredContent: { data }, content } = await callOnce("find_related", { doc_id: "a.md" }, {
    library,
  });
  deepEqual(data.related, [
    { source: `${ROOT}/c.md`, links_to: true, linked_from: true },
    { source: `${ROOT}/b.md`, linked_from: true, shared_terms: ["coffee"] },
    { source: `${ROOT}/d.md`, links_to: true, shared_tags: ["预算", "ops"] },
  ]);
  deepEqual(data.citations.map(({ source }: { source: string }) => source), [`${ROOT}/b.md`, `${ROOT}/x.md`]);
  const [head] = content[0].text.split("\n\n");
  equal(
    head.replaceAll(/<\/?quoted-\d+>/g, ""),
    `Related documents:
- ${ROOT}/c.md: the document links to it, links to the document
- ${ROOT}/b.md: the document links to it, both mention coffee
- ${ROOT}/d.md: links to the document, shares the tags 预算, ops`,
  );
});

Deno.test("list_documents counts documents by facets, and refuses an unknown one", async () => {
  const { structuredContent: { data }, content } = await call("list_documents", {
    facets: ["tag", "years"],
    limit: 1,
  });
  const counts = { values: [{ value: "ops", count: 2 }], more: 1, without: 27 };
  deepEqual(data.facets, { tag: counts, year: counts });
  match(content[0].text, /^tag: <(quoted-\d)>ops<\/\1> 2, 1 more value, 27 without\nyear: /);
  const { isError, content: [problem] } = await call("list_documents", { facets: "colour" });
  equal(isError, true);
  match(problem.text, /cannot be counted by .*colour.*Use: tag, author, type, year, folder/s);
});

Deno.test("list_documents shows what documents say about themselves", async () => {
  const metadata = {
    authors: ["Li Na"],
    tags: ["ops"],
    created: "2024-05-01T10:00:00Z",
    accessLevel: "internal",
    extra: { a: 1 },
  };
  const listed = { ...FILES[0]!, metadata };
  const library = fakeLibrary({
    catalog: () =>
      Promise.resolve(catalog({ documents: () => Promise.resolve({ documents: [listed], total: 1 }) })),
  });
  const { structuredContent: { data }, content } = await callOnce("list_documents", {}, { library });
  deepEqual(data.documents[0].metadata, {
    authors: ["Li Na"],
    tags: ["ops"],
    created: "2024-05-01T10:00:00Z",
    access_level: "internal",
    extra: { a: 1 },
  });
  match(content[0].text, /1 chunk, by Li Na, created 2024-05-01, #ops, internal\)/);
});
