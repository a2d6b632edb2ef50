import { deepEqual, equal, match, ok } from "node:assert/strict";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { Store } from "#library/store/mod.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";
import { addFile, ready, write } from "../store/_contract.ts";
import { ALL_STORES } from "../store/_stores.ts";
import { exported, fill, imported, MODEL, places, testMoved } from "./_moved.ts";

for (const store of ALL_STORES) testMoved(store);

Deno.test("a stream that was cut off or changed anywhere is refused, and the old collection stays", async () => {
  using place = places();
  const [from, to] = [new FolderStore(place.from, KEY), new FolderStore(place.to, KEY)];
  await fill(from);
  const bytes = await exported(from);
  (await write(to, { "old.md": ["the old river"] })).close();
  const before = await to.version();
  const damaged = (change: (copy: Uint8Array<ArrayBuffer>) => Uint8Array) =>
    assertUserError(() => imported(to, change(bytes.slice()), place), "import_damaged");
  for (let part = 0; part <= 20; part++) {
    await damaged((copy) => copy.subarray(0, Math.floor((copy.length - 1) * part / 20)));
    await damaged((copy) => {
      copy[Math.floor((copy.length - 1) * part / 20)]! ^= 1;
      return copy;
    });
  }
  const { params } = await damaged((copy) => new Uint8Array([...copy, 0]));
  equal(params["problem"], "more after its end");
  equal(
    (await damaged(() => new TextEncoder().encode("hello, this is a letter"))).params["problem"],
    "it does not begin as an export does",
  );
  equal(await to.version(), before);
  using index = await ready(to.open());
  deepEqual([index.files.map(({ path }) => path), (await to.removed.paths()).size], [["old.md"], 0]);
  equal((await to.recognised.get("f".repeat(64))) ?? "none", "none");
});

Deno.test("parts in another order, and values that no export has, are refused", async () => {
  using place = places();
  const [from, to] = [new FolderStore(place.from, KEY), new FolderStore(place.to, KEY)];
  await fill(from);
  const { FrameWriter, readFrames } = await import("#library/ingest/transfer_stream.ts");
  type Frames = Awaited<ReturnType<typeof framesOf>>;
  async function framesOf(bytes: Uint8Array) {
    return await Array.fromAsync(readFrames((async function* () {
      yield await Promise.resolve(bytes);
    })()));
  }
  const frames = await framesOf(await exported(from));
  const written = (frames: Frames): Uint8Array => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const writer = new FrameWriter((bytes) => void parts.push(new Uint8Array(bytes)));
    for (const { kind, content } of frames) writer.frame(kind, content);
    writer.end();
    return Uint8Array.from(parts.flatMap((part) => [...part]));
  };
  const refused = async (change: (frames: Frames) => Frames) => {
    await assertUserError(() => imported(to, written(change(frames)), place), "import_damaged");
  };
  const json = (kind: Frames[0]["kind"], value: unknown): Frames[0] => {
    return { kind, content: new TextEncoder().encode(JSON.stringify(value)) };
  };
  const after = (added: Frames[0]) => (frames: Frames) => [...frames, added];
  await refused((frames) => frames.toReversed());
  await refused((frames) => frames.filter(({ kind }) => kind !== "index"));
  await refused((frames) => frames.filter(({ kind }) => kind !== "indexHeader"));
  await refused((frames) => frames.filter(({ kind }) => kind !== "model"));
  await refused((frames) => frames.filter(({ kind }) => kind !== "removed"));
  await refused(after(json("header", { format: 1, program: "1", bytes: 1 })));
  await refused(after(json("removed", ["../../etc/passwd"])));
  await refused(after(json("recognised", { key: "../x", texts: [], isComplete: true, languages: "" })));
  await refused(after(json("generated", { key: "../x", value: 1 })));
  await refused(after(json("evaluation", { name: "../x", text: "" })));
  await refused(after(json("model", { id: "x", dimensions: 1e9 })));
  await refused(after({ kind: "vectors", content: new Uint8Array(51) }));
  await refused(after({ kind: "vectors", content: new Uint8Array(52).fill(0xff) }));
  equal((await to.open()).state, "missing");
  // Nothing of the changes is at fault.
  ok(await imported(to, written(frames), place) !== undefined);
});

Deno.test("a newer index is replaced only with force, and texts and vectors that are kept by content are added", async () => {
  using place = places();
  const [from, to] = [new FolderStore(place.from, KEY), new FolderStore(place.to, KEY)];
  await fill(from);
  const bytes = await exported(from);
  const newer = {
    ...META,
    root: place.to,
    indexedAt: new Date(Date.parse(META.indexedAt) + 1000).toISOString(),
  };
  {
    await using _lock = await to.lock();
    await to.replace({}, async (writer) => {
      await addFile(writer, "new.md", ["the new river"]);
      await writer.finish(newer, () => Promise.resolve());
    });
    await to.generated.set("d".repeat(64), "kept");
    await to.removed.add(new Set(["gone.md"]));
    await using vectors = await to.vectors.write(MODEL);
    await vectors.append([{
      hash: new Uint8Array(16),
      vector: new Float32Array(MODEL.dimensions).fill(0.1),
    }]);
  }
  const { params } = await assertUserError(() => imported(to, bytes, place), "import_older");
  match(String(params["current"]), /^\d{4}-/);
  equal((await ready(to.open())).files[0]!.path, "new.md");
  await imported(to, bytes, { ...place, force: true });
  equal((await ready(to.open())).files.length, 24);
  deepEqual([...await to.removed.paths()], ["docs/file 10.md"]);
  equal(await to.generated.get("d".repeat(64)), "kept");
  using vectors = to.vectors.read(MODEL);
  await vectors.refresh();
  equal(vectors.size, 61);
});

Deno.test("an import is accepted before anything is changed, and refused while the index is locked", async () => {
  using place = places();
  const [from, to] = [new FolderStore(place.from, KEY), new FolderStore(place.to, KEY)];
  await fill(from);
  const bytes = await exported(from);
  const asked: unknown[] = [];
  const accept = (fit: unknown) => Promise.resolve(asked.push(fit) === 0);
  equal(await imported(to, bytes, { ...place, accept }), undefined);
  deepEqual(asked, [{
    ...{ files: 24, chunks: 120, present: 0, madeFor: place.from },
    indexedAt: new Date(META.indexedAt),
  }]);
  equal(await to.exists(), false);
  {
    await using _lock = await (to as Store).lock();
    await assertUserError(() => imported(new FolderStore(place.to, KEY), bytes, place), "index_busy");
  }
  await assertUserError(() => exported(to), "index_not_ready");
});
