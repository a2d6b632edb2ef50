import { deepEqual } from "node:assert/strict";
import type { ServerEvent } from "@modelcontextprotocol/server";
import { DocumentChanges, type DocumentCounts } from "#server/mod.ts";
import type { IndexedFolder } from "#library/search/mod.ts";
import { fakeLibrary, ROOT } from "../_session.ts";
import { catalogOf, file } from "./_documents.ts";

/** The changes that are published when the indexes of a library are replaced one after another. */
async function changesAfter(...states: (readonly IndexedFolder[])[]) {
  const events: ServerEvent[] = [];
  const counts: DocumentCounts[] = [];
  let state = states[0]!;
  const roots = [...new Set(states.flat().map(({ root }) => root))];
  const library = fakeLibrary({ roots, catalog: () => Promise.resolve(catalogOf(state)) });
  using changes = new DocumentChanges(library, { onChange: (one) => counts.push(one) });
  changes.bus.subscribe((event) => events.push(event));
  for (state of states) await changes.look();
  return { events, counts };
}

const folder = (...files: IndexedFolder["files"]) => [{ root: ROOT, files }];
const updated = (path: string) => ({ kind: "resource_updated", uri: `muxue://notes/${path}` });
const LIST = { kind: "resources_list_changed" };

Deno.test("documents that were changed, added and removed are published, and the list if it is another one", async () => {
  const before = folder(file("a.md"), file("b.md"), file("c.md"), file("x.pdf", { status: "failed" }));
  const after = folder(file("a.md"), file("b.md", { sha256: "other" }), file("d.md"), file("x.pdf"));
  deepEqual(await changesAfter(before, after), {
    events: [updated("b.md"), updated("c.md"), updated("d.md"), updated("x.pdf"), LIST],
    counts: [{ root: ROOT, added: 2, removed: 1, changed: 1 }],
  });
  const changed = folder(file("a.md", { sha256: "other" }));
  deepEqual((await changesAfter(folder(file("a.md")), changed)).events, [updated("a.md")]);
  const recognised = folder(file("a.md", { recognised: [1] }));
  deepEqual((await changesAfter(folder(file("a.md")), recognised)).events, [updated("a.md")]);
});

Deno.test("the first look, an unchanged index and a new index of the same documents publish nothing", async () => {
  const first = folder(file("a.md"));
  deepEqual(await changesAfter(first, first, folder(file("a.md", { mtimeMs: 7 }))), {
    events: [],
    counts: [],
  });
});

Deno.test("a folder that gets its first index has another list", async () => {
  deepEqual(await changesAfter([], folder(file("a.md"), file("b.md"))), {
    events: [LIST],
    counts: [{ root: ROOT, added: 2, removed: 0, changed: 0 }],
  });
});

Deno.test("the same changes are found in whatever order the files are stored", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `${i}.md`);
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 200; round++) {
    const kept = names.filter(() => random(10) > 0);
    const before = kept.map((name) => file(name, { sha256: "old" }));
    const after = names.filter(() => random(10) > 0)
      .map((name) => file(name, { sha256: random(8) > 0 ? "old" : "new" }));
    for (let moves = random(4); moves > 0; moves--) {
      const [moved] = after.splice(random(after.length), 1);
      after.splice(random(after.length), 0, moved!);
    }
    const old = new Set(kept);
    const now = new Map(after.map(({ path, sha256 }) => [path, sha256]));
    const { counts } = await changesAfter(folder(...before), folder(...after));
    const added = [...now.keys()].filter((name) => !old.has(name)).length;
    const removed = kept.filter((name) => !now.has(name)).length;
    const changed = kept.filter((name) => now.get(name) === "new").length;
    deepEqual(counts, added + removed + changed === 0 ? [] : [{ root: ROOT, added, removed, changed }]);
  }
});
