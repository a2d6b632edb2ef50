/**
 * The official clients of each line and transport against the real server: every tool and its refusals, long answers, progress and
 * cancellation, images, resources, prompts and completion. `mcp_clients_test.ts` has the shorter tests.
 */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { pdfOf } from "./_pdf.ts";
import { makeIndexed, makeSandbox, writeFiles } from "./_program.ts";
import { OFFLINE_TOOLS, SAMPLE_CALLS, SAMPLE_FILES } from "./_tools.ts";

/** Variables of a server with all tools that answers in English. */
const ALL_TOOLS = { env: { MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" } };

const MANY_NOTES = Object.fromEntries(
  Array.from(
    { length: 300 },
    (_, i) => [`note ${i}.md`, `# Note ${i}\n\n${`Words of note ${i}. `.repeat(300)}\n`],
  ),
);

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const PICTURES = {
  "notes.md": "# Kettle\n\nA kettle: ![blue](blue.png)\n",
  "page.html":
    "<html><body><h1>Teapot</h1><p>The teapot pours.</p><p>A picture: <img src='pot.png' alt='A brown teapot'></p></body></html>",
};

const images = (content: readonly { readonly type: string }[]) =>
  content.filter(({ type }) => type === "image");

const RESOURCES = {
  "tea.md": "# Tea\n\nGreen tea wants 80 °C.\n",
  "茶/绿茶 1.md": "# 绿茶\n\n用 80 °C 的水。\n",
  "table.csv": "a,b\n1,2\n",
};

const URIS = [
  "muxue://docs/table.csv",
  "muxue://docs/tea.md",
  "muxue://docs/%E8%8C%B6/%E7%BB%BF%E8%8C%B6%201.md",
];

/** A PDF that takes seconds to read: each page has many pieces of text. */
function slowPdf(pages: number): Uint8Array<ArrayBuffer> {
  const line = Array.from({ length: 120 }, (_, i) => `(word ${i}) Tj 0 -5 Td`).join(" ");
  return pdfOf(Array.from({ length: pages }, (_, i) => `page ${i + 1}) Tj ${line} (end`));
}

for (const [name, revision, connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} calls every tool, and each refuses arguments of a wrong type`, async () => {
    await using sandbox = await makeIndexed(SAMPLE_FILES, ALL_TOOLS);
    await using client = await connect(sandbox);
    equal(client.revision, revision);
    // The clients compile the declared schemas of the answers now, and check each answer by them.
    deepEqual(await client.listTools(), OFFLINE_TOOLS);
    const path = join(sandbox.folder, "tea.md");
    const { data } = await client.call("query_knowledge_hub", { query: "green tea" });
    const chunk = data.citations.find(({ source }: { source: string }) => source === path).chunk_id;

    for (const tool of OFFLINE_TOOLS) {
      const { args, expected } = SAMPLE_CALLS[tool];
      const answer = await client.call(tool, args(path, chunk));
      deepEqual([tool, answer.isError, answer.code], [tool, false, 200], answer.message);
      match(JSON.stringify(answer.data), expected, tool);
      ok(answer.text.length > 0, tool);

      const wrong = Object.fromEntries(Object.keys(args(path, chunk)).map((key) => [key, { no: "text" }]));
      if (Object.keys(wrong).length === 0) continue;
      const refused = await client.call(tool, wrong);
      deepEqual([tool, refused.isError, refused.code, refused.data], [tool, true, 500, null]);
    }
  });

  Deno.test(`${name} updates a folder by ingest_now, sees the progress, and cancels`, async () => {
    await using sandbox = await makeIndexed(MANY_NOTES, ALL_TOOLS);
    await using client = await connect(sandbox);

    await Deno.writeTextFile(join(sandbox.folder, "new.md"), "A zebra has stripes.");
    const updated = await client.call("ingest_now", {});
    // The server may have indexed it before it was asked to.
    deepEqual([updated.code, updated.data.collections[0].files], [200, 301]);
    const found = await client.call("search_rag", { keyword: "zebra" });
    equal(found.data.file_info[0].file_name, "new.md");

    const seen: number[] = [];
    const rebuilt = await client.call("ingest_now", { full: true }, {
      onprogress: ({ progress, total }) => seen.push(progress / total!),
    });
    const [summary] = rebuilt.data.collections;
    deepEqual([summary.full, summary.files], [true, 301]);
    ok(
      seen.length > 1 && seen.every((share, i) => share <= 1 && share > (seen[i - 1] ?? -1)),
      `${seen}`,
    );

    const before = await client.call("list_collections", {});
    const stop = new AbortController();
    const cancelled = client.call("ingest_now", { full: true }, {
      signal: stop.signal,
      onprogress: ({ message }) => message?.includes(" of 301 ") && stop.abort(new Error("enough")),
    });
    await rejects(cancelled);
    const after = await client.call("list_collections", {});
    equal(after.data.collections[0].updated, before.data.collections[0].updated);
    equal((await client.call("ingest_now", {})).data.collections[0].unchanged, 301);
  });

  Deno.test(`${name} gets the images of passages when it asks for them`, async () => {
    await using sandbox = await makeIndexed(PICTURES, ALL_TOOLS);
    const png = Uint8Array.fromBase64(PNG);
    await writeFiles(sandbox.folder, { "blue.png": png, "pot.png": png });
    await using client = await connect(sandbox);
    for (const [query, image] of [["kettle", "blue.png"], ["brown teapot", "pot.png"]]) {
      const asked = { query, "top_k": 1, "include_images": true };
      const { data, content } = await client.call("query_knowledge_hub", asked);
      const { citation, path } = data.images[0];
      deepEqual([data.images.length, citation, path], [1, 1, join(sandbox.folder, image!)]);
      deepEqual(images(content), [{ type: "image", data: PNG, mimeType: "image/png" }]);
      deepEqual(images((await client.call("query_knowledge_hub", { query })).content), []);
    }
  });

  Deno.test(`${name} sees that a long read goes on, cancels it, and reads other files`, async () => {
    const files = { "tea.md": "Green tea.\n", "slow.pdf": slowPdf(4000) };
    await using sandbox = await makeSandbox(files, {
      env: { ...ALL_TOOLS.env, MUXUE_RAG_INDEX_WATCH: "false" },
    });
    await using client = await connect(sandbox);
    for (const tool of ["get_document_content", "read_documents", "list_document_sections"]) {
      const args = tool === "read_documents" ? { paths: ["slow.pdf", "tea.md"] } : { file_path: "slow.pdf" };
      const stop = new AbortController();
      const messages: (string | undefined)[] = [];
      const read = client.call(tool, args, {
        signal: stop.signal,
        onprogress: ({ message }) => {
          messages.push(message);
          stop.abort(new Error("enough"));
        },
      });
      await rejects(read);
      match(messages[0]!, /^slow\.pdf: reading for \d+ s$/, tool);
      const { data } = await client.call("get_document_content", { file_path: "tea.md" });
      equal(data.content, "Green tea.\n");
    }
  });

  Deno.test(`${name} lists and reads resources, gets prompts, completes, and is told about changes`, async () => {
    await using sandbox = await makeIndexed(RESOURCES);
    const collection = sandbox.folder.replace(/.*[/\\]/, "");
    const uris = URIS.map((uri) => uri.replace("docs", encodeURIComponent(collection)));
    await using client = await connect(sandbox);
    const { requests } = client;
    deepEqual(requests.getServerCapabilities(), {
      completions: {},
      logging: {},
      prompts: { listChanged: false },
      resources: { listChanged: true, subscribe: true },
      tools: { listChanged: false },
    });

    const { resources, nextCursor } = await requests.listResources();
    equal(nextCursor, undefined);
    deepEqual(resources.map(({ uri }: { uri: string }) => uri), uris);
    const { mtime, size } = await Deno.stat(join(sandbox.folder, "tea.md"));
    deepEqual(resources[1], {
      ...{ uri: uris[1], name: "tea.md", title: "Tea", mimeType: "text/markdown", size },
      annotations: { lastModified: mtime!.toISOString() },
    });
    const { resourceTemplates } = await requests.listResourceTemplates();
    const template = "muxue://{collection}/{+path}{?lines}";
    deepEqual(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate), [template]);
    const read = async (uri: string) => (await requests.readResource({ uri })).contents[0].text;
    const [table, ...texts] = await Promise.all(uris.map(read));
    deepEqual(texts, [RESOURCES["tea.md"], RESOURCES["茶/绿茶 1.md"]]);
    match(table, /1.*2/s);
    equal(await read(`${uris[1]}?lines=3`), "Green tea wants 80 °C.\n");
    await rejects(read("muxue://nowhere/a.md"), /没有此资源/);

    const { prompts } = await requests.listPrompts();
    const names = ["answer_with_citations", "compare_documents", "summarise_folder"];
    deepEqual(prompts.map(({ name }: { name: string }) => name), names);
    const prompt = await requests.getPrompt({ name: names[0]!, arguments: { question: "几度？" } });
    ok(prompt.messages[0].content.text.includes("几度？"));
    await rejects(requests.getPrompt({ name: names[0]!, arguments: {} }), /question/);
    const { completion } = await requests.complete({
      ref: { type: "ref/resource", uri: template },
      argument: { name: "path", value: "t" },
    });
    deepEqual(completion, { values: ["table.csv", "tea.md"], total: 2, hasMore: false });

    const heard: string[] = [];
    const { promise: complete, resolve } = Promise.withResolvers<void>();
    const expected = new Set([
      `notifications/resources/updated ${uris[1]}`,
      "notifications/resources/list_changed",
      ...(revision === "2026-07-28" ? [] : ["notifications/message"]),
    ]);
    await client.listen([uris[1]!], (method, params) => {
      const { uri } = (params ?? {}) as { uri?: string };
      heard.push(uri === undefined ? method : `${method} ${uri}`);
      if (expected.isSubsetOf(new Set(heard))) resolve();
    });
    await writeFiles(sandbox.folder, {
      "tea.md": "# Tea\n\nGreen tea wants 75 °C.\n",
      "coffee.md": "# Coffee\n\nCoffee wants 93 °C.\n",
    });
    await complete;
    equal(heard.some((one) => one.includes("table.csv")), false);
    match(await read(uris[1]!), /75 °C/);
  });

  // Clients over HTTP have no limit for the length of an answer.
  if (name.includes("HTTP")) continue;
  Deno.test(`${name} stays connected after answers about a line of 12 MB and a file of 8 MB`, async () => {
    const line = `needle ${"long line ".repeat(1_200_000)}`;
    await using sandbox = await makeIndexed({
      "line.txt": line,
      "heading.md": `# ${line}\n\nneedle\n`,
      "data.txt": `${"0123456789 needle\n".repeat(450_000)}`,
    });
    await using client = await connect(sandbox);
    const at = (name: string) => join(sandbox.folder, name);
    const whole = { "file_path": at("line.txt"), "max_tokens": 1_000_000 };
    const { data: first, text } = await client.call("read_raw_file", whole);
    const { raw_content: content, truncated, total_lines: lines, next_column: next } = first;
    deepEqual([content.length, truncated, lines, next], [200_000, true, 1, 200_001]);
    match(text, /^\[已截短：缺第 1-1 行，约 98 %。续读：start_line=1，start_column=200001；/);
    const { data: second } = await client.call("read_raw_file", { ...whole, start_column: next });
    equal(content + second.raw_content, line.slice(0, 400_000));
    const document = await client.call("get_document_content", { file_path: at("line.txt") });
    equal(document.data.content.length, 20_000);
    equal((await client.call("list_document_sections", { file_path: at("heading.md") })).code, 200);
    equal((await client.call("search_rag", { keyword: "needle" })).code, 200);
    const original = await client.call("get_document_original", { file_path: at("data.txt") });
    deepEqual([original.code, original.isError], [500, true]);
    const heading = { "file_path": at("heading.md"), "start_line": 3 };
    equal((await client.call("read_raw_file", heading)).code, 200);
  });
}
