/**
 * Documents outside of the limits of access: nothing that a server says differs from what it would say if they did not exist.
 */
import { deepEqual, equal } from "node:assert/strict";
import { basename } from "node:path";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import type { AccessLimit, Library } from "#library/search/mod.ts";
import { rawZip } from "../documents/archive/_archives.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { config, Place, setTime } from "../library/ingest/_place.ts";
import { type Message, type Session, startSession } from "../server/_session.ts";
import { DocumentChanges } from "#server/mod.ts";
import { completion, completionsOf } from "./_completions.ts";
import { slashed } from "../_posix.ts";

/** Pictures of documents. */
const PICTURES = { type: "ref/resource", uri: "muxue://{collection}/{+path}{?image}" };

const LIMIT: AccessLimit = { levels: ["public", "internal"], tags: { none: ["draft"] } };

function note(level: string | undefined, text: string, more = ""): string {
  return `---\n${level === undefined ? "" : `access_level: ${level}\n`}${more}\n---\n# Notes\n\n${text}\n`;
}

const EXTRACTOR = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()));
addEventListener("unload", () => EXTRACTOR[Symbol.dispose]());

const OPEN = {
  "open.md": note("public", "Green tea wants water of 80 degrees, says the tea book of the house."),
  "team/plan.md": note(
    "Internal",
    "The plan for tea: order 40 boxes. See ![](../logo.png) and [plan](../secret/plan.md).",
  ),
  "team/plan two.md": note(
    "internal",
    "The second plan for tea says the same about the boxes and the water.",
  ),
};

/** A page with a picture in it. */
function page(level: string, text: string): string {
  return `<!doctype html><meta name="access_level" content="${level}"><h1>Notes</h1><p>${text}</p>` +
    `<img src="data:image/png;base64,${makePng(9, 9).toBase64()}"><img src="../logo.png">`;
}

const HIDDEN = {
  "secret/plan.md": note(
    "secret",
    "Zeppelin budget 4711: the tea of the board, quincunx.",
    "tags: [board]\nproject: zeppelin",
  ),
  "secret/page.html": page("secret", "The pump of the board, quincunx tea."),
  "secret/copy.md": note("secret", "Green tea wants water of 80 degrees, says the tea book of the house."),
  "team/secret.md": note("secret", "The plan for quincunx tea, kept from the team."),
  "team/draft.md": note("public", "A draft about quincunx tea.", "tags: [draft]"),
  "nothing.md": "# Notes\n\nNobody said who may read about quincunx tea.\n",
  "opem.md": note("secret", "A name like that of another."),
  "plain.txt": "quincunx tea in a plain text",
  "broken.pdf": "%PDF-1.7 quincunx",
  "secret.zip": rawZip([{ name: "inner.md", content: note("public", "A packed text about quincunx tea.") }]),
  "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
};

/** The same with a page that has pictures, one of them in a hidden file. */
const SHOWN = { ...OPEN, "team/page.html": page("internal", "A page about tea with two pictures.") };

/** A folder with these files, all of one time, and a library with limits. */
async function world(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ place: Place; library: Library }> {
  const place = new Place();
  place.write(files);
  for (const path of Object.keys(files)) setTime(place.at(path), 0);
  const settings = await config();
  await ingest(place.root, settings, { ...place.context, extractor: EXTRACTOR });
  return { place, library: await place.library({ access: [LIMIT], extractor: EXTRACTOR }) };
}

/** An answer without what differs between two folders: their path, and times. */
function plain(answer: unknown, root: string): string {
  return JSON.stringify(answer).replaceAll(JSON.stringify(root).slice(1, -1), "ROOT")
    .replaceAll(encodeURIComponent(root).replaceAll("%2F", "/"), "ROOT")
    .replace(/\d+\.\d+ ?(?=s\b|seconds)/g, "N").replace(/"(?:cost_time|seconds)":[\d.e-]+/g, '"t":0')
    .replace(/quoted-\w+/g, "quoted");
}

/** Paths by which a client may try to reach a file. */
function waysTo(path: string, root: string): string[] {
  const wide = path.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  return [
    path,
    `${root}/${path}`,
    `${root}/team/../${path}`,
    `team/../${path}`,
    `./${path}`,
    `${path}:1-3`,
    `${path}#page=1`,
    `${path}/`,
    path.toUpperCase(),
    wide,
    `file://${root}/${encodeURI(path)}`,
    `muxue://${encodeURIComponent("文档 docs")}/${path}`,
    `文档 docs/${path}`,
    path.replace(".", "%2e"),
    `${path}\u0000`,
  ];
}

const TARGETS = [
  ...Object.keys(HIDDEN),
  "secret",
  "team",
  "gone.md",
  "secret/gone.md",
  "secret.zip/inner.md",
  ".muxue_rag/index.bin",
];

/** Calls of every tool, for a folder. */
function calls(root: string): [tool: string, args: Record<string, unknown>][] {
  const words = [
    "quincunx",
    "zeppelin",
    "quincumx tea",
    "tea",
    "budget 4711",
    '"quincunx tea"',
    "tea -quincunx",
    "plan",
  ];
  const searches = words.flatMap((query): [string, Record<string, unknown>][] => [
    ["search_rag", { keyword: query }],
    ["search_rag", { keyword: query, mode: "keyword", top_k: 50 }],
    ["search_rag", { keyword: query, mode: "semantic", top_k: 50, include_images: true }],
    ["explain_search", { keyword: query }],
    ["query_knowledge_hub", { query, include_images: true, top_k: 50 }],
    ["search_by_keyword", { query }],
    ["search_by_semantic", { query }],
    ["verify_answer", { answer: `It says ${query}.` }],
    ["verify_answer", { answer: "The plan costs 4711.", question: query }],
  ]);
  const filters = [
    { access_level: { in: ["secret"] } },
    { access_level: "secret", tags: "board" },
    { access_level: { none: ["public", "internal"] } },
    { access_level: { missing: "include", any: [] } },
    { tags: ["draft", "board"] },
    { "meta.project": "zeppelin" },
    { projekt: "x" },
    { type: "pdf" },
    { path: "secret/" },
    { created: { gte: 1900 } },
  ];
  const filtered = filters.flatMap((filter): [string, Record<string, unknown>][] => [
    ["search_rag", { keyword: "tea", filters: filter }],
    ["list_documents", { filters: filter }],
  ]);
  const folders = [
    "secret",
    "team",
    "team/secret.md",
    "nothing.md",
    "gone",
    `${root}/secret`,
    `${root}/gone`,
    "secret/..",
    "broken.pdf",
    "secret/gone",
    "secret.zip",
    "secret.zip/inner",
    "gone.zip",
  ];
  const below = folders.flatMap((path): [string, Record<string, unknown>][] => [
    ["search_rag", { keyword: "tea", dir_path: path }],
    ["search_rag", { keyword: "tea", collection: path }],
    ["list_documents", { collection: path }],
    ["query_knowledge_hub", { query: "tea", collection: path }],
    ["search_rag", { keyword: `tea path:${path}` }],
    ["list_documents", { path }],
  ]);
  const reads = TARGETS.flatMap((target) => waysTo(target, root)).flatMap((
    path,
  ): [string, Record<string, unknown>][] => [
    ["read_raw_file", { file_path: path }],
    ["get_document_content", { file_path: path }],
    ["get_document_original", { file_path: path }],
    ["list_document_sections", { file_path: path }],
    ["query_table", { path }],
    ["get_document_summary", { doc_id: path }],
    ["find_related", { doc_id: path }],
    ["list_images", { file_path: path }],
    ["get_image", { file_path: path, number: 1 }],
    ["get_image", { image_id: `${path}#image=1` }],
    ["get_image", { image_id: `${path}#image=7.01234567` }],
    ["get_page_image", { file_path: path, page: 1 }],
    ["query_table", { path }],
    ["reembed_document", { doc_id: path }],
    ["read_documents", { paths: [path, "open.md"] }],
  ]);
  return [
    ...searches,
    ...filtered,
    ...below,
    ...reads,
    ["list_collections", {}],
    ["list_documents", {}],
    ["list_documents", { limit: 1 }],
    ["list_documents", { state: "failed" }],
    ["list_documents", { state: "skipped" }],
    ["list_documents", { lang: "en", type: "md" }],
    ["list_documents", { facets: ["tags", "authors", "type", "year", "folder"] }],
    ["list_images", { file_path: "team/plan.md" }],
    ["get_image", { file_path: "team/plan.md", number: 1 }],
    ["index_status", {}],
    ["ingest_now", {}],
    ["find_related", { doc_id: "open.md" }],
    ["get_document_summary", { doc_id: "open.md" }],
    ["get_document_content", { file_path: "team/plan.md" }],
  ];
}

Deno.test("no tool answers otherwise than if the documents outside of the limits did not exist", async () => {
  const [full, bare] = [await world({ ...SHOWN, ...HIDDEN }), await world(SHOWN)];
  using _full = full.place;
  using _bare = bare.place;
  await using of = await startSession({ library: full.library });
  await using wanted = await startSession({ library: bare.library });
  const [these, those] = [calls(full.place.root), calls(bare.place.root)];
  for (const [i, [tool, args]] of these.entries()) {
    const [answer, other] = [await of.call(tool, args), await wanted.call(tool, those[i]![1])];
    const text = plain(answer, full.place.root);
    equal(text, plain(other, bare.place.root), `${tool} ${JSON.stringify(args)}`);
    // Errors repeat the words of the client.
    if (!JSON.stringify(args).match(/quincunx|zeppelin|4711/)) {
      equal(/quincunx|zeppelin|4711/.test(text), false, tool);
    }
  }
});

Deno.test("chunks of hidden documents are not found by their ids", async () => {
  const { place } = await world({ ...OPEN, ...HIDDEN });
  using _place = place;
  const all = await place.library();
  const hidden = (await all.search({ query: "quincunx", topK: 50 })).hits;
  equal(hidden.length >= 4, true);
  const library = await place.library({ access: [LIMIT] });
  await using session = await startSession({ library });
  for (const { chunkId } of hidden) {
    const { structuredContent } = await session.call("get_chunk_context", { chunk_id: chunkId });
    const gone = await session.call("get_chunk_context", { chunk_id: "0123456789abcdef" });
    equal(structuredContent.message, gone.structuredContent.message.replace("0123456789abcdef", chunkId));
  }
});

Deno.test("resources, their addresses and completions do not name hidden documents", async () => {
  const [full, bare] = [await world({ ...SHOWN, ...HIDDEN }), await world(SHOWN)];
  using _full = full.place;
  using _bare = bare.place;
  await using of = await startSession({ library: full.library });
  await using wanted = await startSession({ library: bare.library });
  const name = encodeURIComponent("文档 docs");
  const requests: [string, Record<string, unknown>][] = [
    ["resources/list", {}],
    ["resources/list", { cursor: `muxue://${name}/secret/plan.md` }],
    ["resources/templates/list", {}],
    ...TARGETS.flatMap((target): [string, Record<string, unknown>][] => [
      ["resources/read", { uri: `muxue://${name}/${target}` }],
      ["resources/read", { uri: `muxue://${name}/team/../${target}` }],
      ["resources/read", { uri: `muxue://${name}/${target}?lines=1-2` }],
      ["resources/read", { uri: `muxue://${name}/${target}?image=1` }],
      ["resources/read", { uri: `muxue://${name}/${target}?image=7.01234567` }],
      ["resources/subscribe", { uri: `muxue://${name}/${target}?image=1` }],
      completion(PICTURES, { name: "image", value: "" }, { path: target }),
      ["resources/subscribe", { uri: `muxue://${name}/${target}` }],
    ]),
    ...["", "s", "secret", "nothing", "team/s", "quin"].flatMap((value) => [
      ...completionsOf(value),
      completion(PICTURES, { name: "path", value }),
    ]),
    ["prompts/list", {}],
  ];
  for (const [method, params] of requests) {
    const ask = async (session: Session, root: string) => {
      const { result, error }: Message = await session.request(method, params);
      return plain({ result, error }, root);
    };
    equal(
      await ask(of, full.place.root),
      await ask(wanted, bare.place.root),
      `${method} ${JSON.stringify(params)}`,
    );
  }
});

Deno.test("a document is hidden as soon as it changes, and stays hidden when an update finds a higher level", async () => {
  const { place, library } = await world(OPEN);
  using _place = place;
  await using session = await startSession({ library });
  const found = async () => {
    const { structuredContent: { data } } = await session.call("search_rag", { keyword: "boxes", top_k: 50 });
    const { structuredContent: list } = await session.call("list_documents", {});
    const read = await session.call("read_raw_file", { file_path: "team/plan.md" });
    return [
      data.match_content.map(({ file_path: path }: Message) => basename(path)).sort(),
      list.data.documents.length,
      read.structuredContent.code,
    ];
  };
  deepEqual(await found(), [["plan two.md", "plan.md"], 3, 200]);
  place.write({ "team/plan.md": note("secret", "The plan for tea: order 40 boxes, quincunx.") });
  const later = await place.library({ access: [LIMIT] });
  await using other = await startSession({ library: later });
  const read = await session.call("read_raw_file", { file_path: "team/plan.md" });
  equal(read.structuredContent.message, "The file does not exist: check the path");
  equal(JSON.stringify(read).includes("quincunx"), false);
  const { structuredContent: { data } } = await session.call("search_rag", { keyword: "boxes", top_k: 50 });
  deepEqual(data.match_content.map(({ file_path: path }: Message) => basename(path)), [
    "plan two.md",
  ]);
  equal((await other.call("list_documents", {})).structuredContent.data.documents.length, 2);
  await place.ingest();
  deepEqual(await found(), [["plan two.md"], 2, 500]);
});

Deno.test("a list names and counts no document that has changed since the last list", async () => {
  const { place, library } = await world(OPEN);
  using _place = place;
  const listed = async () => {
    const { documents, total } = await (await library.catalog()).documents({}, 0, 50);
    return [documents.map(({ path }) => slashed(path.slice(place.root.length + 1))), total];
  };
  const [all] = await listed() as [string[], number];
  const [first, ...others] = all;
  place.write({ [first!]: note("secret", "Quincunx.") });
  deepEqual(await listed(), [others, others.length]);
});

Deno.test("an explanation does not name a document that has changed, even where it is not in the answer", async () => {
  const { place, library } = await world(OPEN);
  using _place = place;
  const request = { query: "the plan for tea", topK: 1, explain: true };
  const named = async () => {
    const { explanation } = await library.search(request);
    return explanation!.chunks.map(({ filePath }) => slashed(filePath.slice(place.root.length + 1))).sort();
  };
  const { hits: [best] } = await library.search(request);
  const all = Object.keys(OPEN).sort();
  deepEqual(await named(), all);
  const other = all.find((path) => place.at(path) !== best!.filePath)!;
  place.write({ [other]: note("secret", "Quincunx.") });
  deepEqual(await named(), all.filter((path) => path !== other));
});

Deno.test("clients do not hear that a hidden document changes", async () => {
  const { place, library } = await world({ ...OPEN, ...HIDDEN });
  using _place = place;
  using changes = new DocumentChanges(library);
  const heard: unknown[] = [];
  changes.bus.subscribe((event) => void heard.push(event));
  await changes.look();
  place.write({ "secret/plan.md": note("secret", "Another text."), "secret/new.md": note("secret", "New.") });
  await place.ingest();
  await changes.look();
  deepEqual(heard, []);
  place.write({ "open.md": note("public", "Another text.") });
  await place.ingest();
  await changes.look();
  equal(JSON.stringify(heard).includes("open.md"), true);
});

Deno.test("with missing: include, documents that say nothing may be known; a level that is named still hides", async () => {
  const { place } = await world({ ...OPEN, ...HIDDEN });
  using _place = place;
  const library = await place.library({
    access: [{ levels: ["public"], missing: "include" }, { tags: { none: ["draft"] } }],
  });
  const { documents } = await (await library.catalog()).documents({ state: "indexed" }, 0, 50);
  deepEqual(documents.map(({ path }) => slashed(path.slice(place.root.length + 1))), [
    "nothing.md",
    "open.md",
    "plain.txt",
  ]);
});

Deno.test("documents that could not be read are hidden, whatever the limits say of those without metadata", async () => {
  const { place } = await world({ ...OPEN, ...HIDDEN, "broken.docx": "no document" });
  using _place = place;
  const limits: AccessLimit[] = [{ levels: ["public"], missing: "include" }, { tags: { none: ["secret"] } }];
  for (const limit of limits) {
    await using session = await startSession({ library: await place.library({ access: [limit] }) });
    for (const state of ["failed", "skipped"]) {
      const { structuredContent } = await session.call("list_documents", { state });
      deepEqual(structuredContent.data.documents, [], state);
    }
    const { structuredContent } = await session.call("get_document_original", { file_path: "broken.docx" });
    equal(structuredContent.message, "The file does not exist: check the path");
  }
});
