import { deepEqual, equal, match } from "node:assert/strict";
import type { ListAnswer, OneAnswer } from "../../lib/pages/wire/documents.ts";
import { startUi } from "./_ui.ts";

const FILES = {
  "guide.md": "---\ntitle: The guide\ntags: [manual, manual/short]\n---\n# Guide\n\nHow to archive mail.\n",
  "notes/茶.txt": "绿茶要用八十度的水。\n",
  "broken.pdf": "not a PDF",
  "picture.png": new Uint8Array([1, 2, 3]),
  ".hidden/secret.md": "Nobody reads this.\n",
};

/** Lines `path state` of an answer. */
function shown({ documents }: ListAnswer): string[] {
  return documents.map(({ shownPath, state }) => `${shownPath} ${state}`);
}

Deno.test("the files of a folder are listed with their states, also those that are not in the index, and why", async () => {
  await using ui = await startUi(FILES);
  const all: ListAnswer = await ui.call("documents/list");
  deepEqual(shown(all), [
    ".hidden/ skipped",
    "broken.pdf failed",
    "guide.md indexed",
    "notes/茶.txt indexed",
    "picture.png skipped",
  ]);
  deepEqual([all.total, all.isComplete], [5, true]);
  deepEqual(all.states, [
    { value: "indexed", count: 2 },
    { value: "skipped", count: 2 },
    { value: "failed", count: 1 },
  ]);
  deepEqual(all.tags, [{ value: "manual", count: 1 }, { value: "manual/short", count: 1 }]);
  const [hidden, broken] = all.documents;
  equal(hidden!.reason, "hidden");
  match(broken!.reason!, /PDF/);
  const zh: ListAnswer = await ui.call("documents/list", {}, "zh");
  equal(zh.documents[0]!.reason, "隐藏");
});

Deno.test("the list is filtered by path, kind, tag, state and text, sorted, and given in parts", async () => {
  await using ui = await startUi(FILES);
  const list = async (call: object) => shown(await ui.call("documents/list", call));
  deepEqual(await list({ path: "*.md" }), ["guide.md indexed"]);
  deepEqual(await list({ path: "notes" }), ["notes/茶.txt indexed"]);
  deepEqual(await list({ kind: "pdf" }), ["broken.pdf failed"]);
  deepEqual(await list({ tag: "manual" }), ["guide.md indexed"]);
  deepEqual(await list({ state: "skipped" }), [".hidden/ skipped", "picture.png skipped"]);
  deepEqual(await list({ text: "THE GUIDE" }), ["guide.md indexed"]);
  deepEqual(await list({ sort: "-path", limit: 2 }), ["picture.png skipped", "notes/茶.txt indexed"]);
  deepEqual(await list({ offset: 4 }), ["picture.png skipped"]);
  deepEqual(await list({ collection: "other" }), []);
  deepEqual(await ui.ask("documents/list", { sort: "secret" }), { status: 400, error: "pages_bad_call" });
});

Deno.test("a file that is new, has changed or is gone is listed so before the next update", async () => {
  await using ui = await startUi({ "a.md": "Tea.", "b.md": "Coffee." }, {
    config: ({ folder }) =>
      `collections:\n  notes:\n    path: ${JSON.stringify(folder)}\nindex:\n  watch: false\n`,
  });
  await Deno.writeTextFile(`${ui.sandbox.folder}/a.md`, "Green tea.");
  await Deno.writeTextFile(`${ui.sandbox.folder}/c.md`, "Cocoa.");
  await Deno.remove(`${ui.sandbox.folder}/b.md`);
  deepEqual(shown(await ui.call("documents/list")), ["a.md changed", "b.md removed", "c.md new"]);
});

Deno.test("a document has facts, metadata, what is lost, and its chunks with their borders", async () => {
  await using ui = await startUi(FILES);
  const path = `${ui.sandbox.folder}/guide.md`;
  const answer: OneAnswer = await ui.call("documents/one", { path });
  const { document, chunks, metadata, losses, first } = answer;
  deepEqual([document.title, document.chunks, document.tags, first], ["The guide", 1, [
    "manual",
    "manual/short",
  ], 0]);
  deepEqual(metadata, [{ name: "tags", value: "manual, manual/short" }]);
  deepEqual(losses, []);
  const { chunkId: _, start, end, tokens: __, ...chunk } = chunks[0]!;
  deepEqual(chunk, {
    startLine: 5,
    endLine: 7,
    section: ["Guide"],
    language: "en",
    text: "# Guide\n\nHow to archive mail.",
    shared: 0,
  });
  equal(end - start, chunk.text.length);
  for (const path of ["/etc/passwd", `${ui.sandbox.folder}/.hidden/secret.md`, "", "../x"]) {
    deepEqual(await ui.ask("documents/one", { path }), { status: 400, error: "document_not_indexed" }, path);
  }
});
