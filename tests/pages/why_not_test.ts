import { deepEqual, equal } from "node:assert/strict";
import type { WhyNotAnswer } from "../../lib/pages/wire/why_not.ts";
import { makeIndexed, writeFiles } from "../e2e/_program.ts";
import { startUi } from "./_socket.ts";

const level = (name: string, text: string) => `---\naccess_level: ${name}\n---\n# Tea\n\n${text}\n`;

const FILES = {
  "public.md": level("public", "Green tea for everybody."),
  "secret.md": level("secret", "Black tea of the board is kept behind the door."),
};

Deno.test("the call gives every gate in words, the facts as tables, and the change that a call may make", async () => {
  await using sandbox = await makeIndexed({
    "a.md": "# Tea\n\nGreen tea.\n",
    "b.md": "# Tea\n\nTea, tea, tea.\n",
  });
  await using ui = await startUi(sandbox);
  const ask = async (body: object): Promise<WhyNotAnswer> => (await ui.call("why-not/ask", body)).json;
  const { gate, reason, text, hint, gates, file, words, legs, setting } = await ask({
    search: { query: "tea", topK: 1, mode: "keyword" },
    file: "a.md",
  });
  deepEqual({ gate, reason, hint, words, legs, setting, file: { ...file, chunk: typeof file?.chunk } }, {
    gate: "fusion",
    reason: "below_last",
    hint: "Ask for 2 hits, see the next pages, or ask more precisely",
    words: [{ word: "tea", has: "same", chunks: 2 }],
    legs: [{ leg: "keyword", rank: 2, within: 2, limit: 50 }],
    setting: { key: "search.top_k", value: 1, needed: 2, change: { topK: 2 } },
    file: {
      path: `${await Deno.realPath(sandbox.folder)}/a.md`,
      shownPath: "a.md",
      section: ["Tea"],
      chunk: "string",
      startLine: 1,
      endLine: 3,
    },
  });
  deepEqual(gates.filter(({ state }) => state === "stopped").map(({ name, text }) => [name, text]), [[
    "score",
    text,
  ]]);
  deepEqual([...new Set(gates.map(({ state }) => state))], ["passed", "stopped", "not_reached"]);
  const changed = await ask({ search: { query: "tea", mode: "keyword", ...setting!.change }, file: "a.md" });
  deepEqual([changed.gate, changed.text], ["shown", "It is in the answer: hit 2"]);
  const byChunk = await ask({ search: { query: "tea" }, chunk: file!.chunk });
  equal(byChunk.file!.shownPath, "a.md");
  const chinese = await ui.call("why-not/ask", { search: { query: "tea" }, file: "c.md" }, {
    "Accept-Language": "zh",
  });
  equal(chinese.json.text, "没有这个文件");
});

Deno.test("calls of another form, and those that name nothing, are refused", async () => {
  await using sandbox = await makeIndexed({ "a.md": "Green tea.\n" });
  await using ui = await startUi(sandbox);
  const search = { query: "tea" };
  for (
    const [body, key] of [
      [{ file: "a.md" }, "pages_bad_call"],
      [{ search: { ...search, ranking: { fts_topn: 1e9 } }, file: "a.md" }, "pages_bad_call"],
      [{ search, file: 7 }, "pages_bad_call"],
      [{ search, file: "x".repeat(40_000) }, "pages_bad_call"],
      [{ search: { query: " " }, file: "a.md" }, "empty_query"],
      [{ search }, "why_not_nothing"],
      [{ search, text: "!?" }, "why_not_nothing"],
      [{ search: { ...search, collections: "nowhere" }, file: "a.md" }, "collection_unknown"],
    ] as const
  ) {
    const { status, json } = await ui.call("why-not/ask", body);
    deepEqual([status, json.error?.key], [400, key], JSON.stringify(body).slice(0, 80));
  }
  for (const file of ["/etc/passwd", "../../etc/passwd", "a.md\0", "file:///etc/passwd", "file://%zz"]) {
    const { json } = await ui.call("why-not/ask", { search, file });
    deepEqual([json.gate, json.reason], ["found", "outside"], file);
  }
});

Deno.test("a client with limits hears the same of a document that it may not know of and of one that does not exist", async () => {
  await using sandbox = await makeIndexed(FILES);
  await writeFiles(sandbox.cwd, { "my.yaml": "mcp:\n  access:\n    levels: [public]\n" });
  const args = ["--dir", sandbox.folder, "--no-open", "--config", `${sandbox.cwd}/my.yaml`];
  await using ui = await startUi(sandbox, ["ui", ...args]);
  const ask = async (body: object) =>
    (await ui.call("why-not/ask", { search: { query: "tea" }, ...body })).text;
  equal((await ask({ file: "secret.md" })).replaceAll("secret", "nosuch"), await ask({ file: "nosuch.md" }));
  equal(
    await ask({ text: "Black tea of the board is kept behind the door" }),
    await ask({ text: "Black tea of the hoard is swept behind the moor" }),
  );
  equal(JSON.parse(await ask({ file: "public.md" })).gate, "shown");
});
