import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
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
