import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { openPipe } from "./_mcp_pipe.ts";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { makeSandbox } from "./_program.ts";

const FILES = {
  "tea.md": "# Tea\n\nGreen tea wants 80 °C.\n",
  "茶/绿茶 1.md": "# 绿茶\n\n用 80 °C 的水。\n",
  "table.csv": "a,b\n1,2\n",
};

const URIS = [
  "muxue://docs/table.csv",
  "muxue://docs/tea.md",
  "muxue://docs/%E8%8C%B6/%E7%BB%BF%E8%8C%B6%201.md",
];

for (const [name, revision, connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} lists and reads resources, gets prompts, completes, and is told about changes`, async () => {
    await using sandbox = await makeSandbox(FILES);
    const collection = sandbox.folder.replace(/.*[/\\]/, "");
    const uris = URIS.map((uri) => uri.replace("docs", encodeURIComponent(collection)));
    const indexed = await sandbox.run("--dir", sandbox.folder);
    equal(indexed.code, 0, indexed.stderr);
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
      uri: uris[1],
      name: "tea.md",
      title: "Tea",
      mimeType: "text/markdown",
      size,
      annotations: { lastModified: mtime!.toISOString() },
    });
    const { resourceTemplates } = await requests.listResourceTemplates();
    deepEqual(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate), [
      "muxue://{collection}/{+path}{?lines}",
    ]);
    const texts = await Promise.all(
      uris.map(async (uri) => (await requests.readResource({ uri })).contents[0].text),
    );
    deepEqual(
      texts,
      [FILES["table.csv"], FILES["tea.md"], FILES["茶/绿茶 1.md"]].map((text) =>
        text === FILES["table.csv"] ? texts[0] : text
      ),
    );
    match(texts[0], /1.*2/s);
    equal(
      (await requests.readResource({ uri: `${uris[1]}?lines=3` })).contents[0].text,
      "Green tea wants 80 °C.\n",
    );
    await rejects(requests.readResource({ uri: "muxue://nowhere/a.md" }), /没有此资源/);

    const { prompts } = await requests.listPrompts();
    deepEqual(prompts.map(({ name }: { name: string }) => name), [
      "answer_with_citations",
      "compare_documents",
      "summarise_folder",
    ]);
    const prompt = await requests.getPrompt({
      name: "answer_with_citations",
      arguments: { question: "几度？" },
    });
    ok(prompt.messages[0].content.text.includes("几度？"));
    await rejects(requests.getPrompt({ name: "answer_with_citations", arguments: {} }), /question/);
    const { completion } = await requests.complete({
      ref: { type: "ref/resource", uri: "muxue://{collection}/{+path}{?lines}" },
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
    await Deno.writeTextFile(join(sandbox.folder, "tea.md"), "# Tea\n\nGreen tea wants 75 °C.\n");
    await Deno.writeTextFile(join(sandbox.folder, "coffee.md"), "# Coffee\n\nCoffee wants 93 °C.\n");
    await complete;
    equal(heard.some((one) => one.includes("table.csv")), false);
    match((await requests.readResource({ uri: uris[1]! })).contents[0].text, /75 °C/);
  });
}

Deno.test("files outside of a folder, secrets and ignored files are neither listed nor read nor completed", async () => {
  await using sandbox = await makeSandbox({
    "tea.md": "Green tea.\n",
    ".env": "TOKEN=secret-in-env\n",
    "hidden/notes.md": "secret-in-ignored\n",
    ".gitignore": "hidden/\n",
  });
  await Deno.writeTextFile(join(sandbox.cwd, "outside.md"), "secret-outside\n");
  equal((await sandbox.run("--dir", sandbox.folder)).code, 0);
  await using pipe = await openPipe(sandbox);
  const collection = encodeURIComponent(sandbox.folder.replace(/.*[/\\]/, ""));
  let id = 0;
  const ask = async (method: string, params = {}) => {
    await pipe.send({ jsonrpc: "2.0", id: ++id, method, params });
    return (await pipe.receiveUntil(id)).at(-1);
  };
  const { resources } = (await ask("resources/list")).result;
  deepEqual(resources.map(({ name }: { name: string }) => name), ["tea.md"]);
  const outside = encodeURIComponent(join(sandbox.cwd, "outside.md"));
  for (
    const path of [
      ".env",
      "hidden/notes.md",
      "..%2Foutside.md",
      "%2e%2e/outside.md",
      "hidden/..%2F..%2Foutside.md",
      outside,
      `%2F${outside}`,
      "tea.md%00",
      ".muxue_rag/index.bin",
    ]
  ) {
    const answer = await ask("resources/read", { uri: `muxue://${collection}/${path}` });
    equal(answer.result, undefined, path);
    equal(JSON.stringify(answer).includes("secret-"), false, path);
  }
  const completed = await ask("completion/complete", {
    ref: { type: "ref/prompt", name: "compare_documents" },
    argument: { name: "first", value: "" },
  });
  deepEqual(completed.result.completion.values, ["tea.md"]);
});
