import { deepEqual, rejects } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { Store } from "#library/store/mod.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { ready, write } from "./_contract.ts";
import { fill, NAMES, testLimited } from "./_limited.ts";
import { MemoryStore } from "./memory/memory_store.ts";
import { ALL_STORES } from "./_stores.ts";

/** Writes all files, some of them into an index that the others are added to as its changes. */
async function fillInTwoSteps(store: Store): Promise<void> {
  const isEarly = (name: string) => NAMES.indexOf(name) % 4 !== 2;
  await fill(store, NAMES.toSorted().filter(isEarly));
  using previous = await ready(store.open({ forUpdate: true }));
  await fill(store, NAMES.toSorted(), previous, (name) => isEarly(name) && NAMES.indexOf(name) % 5 !== 0);
}

for (const store of ALL_STORES) testLimited(store);
testLimited(["memory", (root) => new MemoryStore(root)]);
testLimited(
  [
    "folder, of which both files hold documents",
    (root) => new FolderStore(root, KEY, undefined, { fromBytes: 0, share: Infinity }),
  ],
  fillInTwoSteps,
);

Deno.test("a prefix stands for too many words only if the documents that are shown have them", async () => {
  using dir = new TempDir();
  const store = new FolderStore(dir.path, KEY);
  const words = Array.from({ length: 2001 }, (_, i) => `zz${i.toString(36)}x`).join(" ");
  using whole = await write(store, { "hidden.md": [words], "shown.md": ["zzword"] });
  const expression = { kind: "words", words: "zz", form: "prefix", typed: "zz*" } as const;
  const filter = { phrases: [], excluded: [], excludedPhrases: [], expression };
  const tooMany = new UserError("query_prefix_many", { prefix: "zz*", most: 2000 });
  await rejects(whole.passesAny(filter), tooMany);
  const files = Uint8Array.from(whole.files, ({ path }) => Number(path === "shown.md"));
  await rejects(whole.passesAny({ ...filter, files }), tooMany, "whatever else a query asks for");
  using limited = await ready(
    store.open({ shows: (files) => Uint8Array.from(files, ({ path }) => Number(path === "shown.md")) }),
  );
  deepEqual(await limited.passesAny(filter), true);
});
