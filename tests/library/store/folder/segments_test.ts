import { deepEqual, equal } from "node:assert/strict";
import type { FileRecord } from "#engine/index/mod.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { DeltaLimits } from "#library/store/folder/delta.ts";
import type { IndexChanges, OpenIndex } from "#library/store/mod.ts";
import { META } from "../../../engine/index/_build.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { assertUserError, TempDir } from "../../../foundation/boundary/helpers.ts";
import { addFile, type Files, ready, write } from "../_contract.ts";

const ALWAYS: DeltaLimits = { fromBytes: 0, share: Infinity };
const BASE: Files = {
  "a.md": ["river"],
  "b.md": ["bridge", "bridges"],
  "c.md": ["river bridge"],
  "d.md": ["hill"],
};

/** A folder with an index. `files`: its names, `changes.bin` only if there is a delta. */
class Place extends TempDir {
  readonly store: FolderStore;

  constructor(limits: DeltaLimits = ALWAYS) {
    super();
    this.store = new FolderStore(this.path, KEY, undefined, limits);
  }

  get files(): string[] {
    return [...Deno.readDirSync(this.at(".muxue_rag"))].map(({ name }) => name)
      .filter((name) => name.endsWith(".bin")).sort();
  }

  /** Writes a new state of the index: `kept` by their paths, then changed ones. */
  async update(
    kept: readonly string[],
    files: Files,
    changes: IndexChanges = { bytes: 1, chunks: 1 },
  ): Promise<OpenIndex> {
    await using _lock = await this.store.lock();
    using previous = await ready(this.store.open({ forUpdate: true }));
    await this.store.replace({ previous, changes }, async (writer) => {
      const paths = [...kept, ...Object.keys(files)].sort();
      for (const path of paths) {
        const number = previous.files.findIndex((file) => file.path === path);
        if (path in files) await addFile(writer, path, files[path]!);
        else await writer.keep(recordOf(previous, number), number);
      }
      await writer.finish({ ...META, root: this.path }, () => Promise.resolve());
    });
    return await ready(this.store.open());
  }
}

function recordOf({ files }: OpenIndex, number: number): FileRecord {
  const { firstChunk: _, chunkCount: __, ...record } = files[number]!;
  return record;
}

async function contents(index: OpenIndex): Promise<[path: string, ...texts: string[]][]> {
  return await Promise.all(index.files.map(async ({ path, firstChunk, chunkCount }) => {
    const chunks = Int32Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
    return [path, ...await index.texts(chunks, 100)] as [string, ...string[]];
  }));
}

Deno.test("an update of a few files writes only a delta, and all files are numbered by their paths", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  const base = Deno.statSync(place.at(".muxue_rag/index.bin"));
  {
    using index = await place.update(["a.md", "d.md"], { "b.md": ["bridge river"], "aa.md": ["new"] });
    deepEqual(await contents(index), [["a.md", "river"], ["aa.md", "new"], ["b.md", "bridge river"], [
      "d.md",
      "hill",
    ]]);
    deepEqual(index.files.map(({ firstChunk }) => firstChunk), [0, 1, 2, 3]);
    // the words of c.md and of the old b.md do not count
    deepEqual([...Array.from(await index.documentFrequencies(["river", "bridg", "hill"]))], [2, 1, 1]);
    equal(index.statistics.chunks, 4);
  }
  using index = await place.update(["a.md", "aa.md"], { "e.md": ["end"] });
  deepEqual(await contents(index), [["a.md", "river"], ["aa.md", "new"], ["e.md", "end"]]);
  deepEqual(place.files, ["changes.bin", "index.bin"]);
  const { ino, size } = Deno.statSync(place.at(".muxue_rag/index.bin"));
  deepEqual([ino, size], [base.ino, base.size]);
});

Deno.test("a file that could not be examined comes last, and keeps its record at its place", async () => {
  using place = new Place();
  const failed = (path: string): FileRecord => {
    return { path, size: 0, mtimeMs: 0, sha256: "", status: "failed", reason: "no_permission" };
  };
  {
    await using _lock = await place.store.lock();
    await place.store.replace({}, async (writer) => {
      for (const path of ["a.md", "c.md"]) await addFile(writer, path, [path]);
      await writer.addEmpty(failed("b.md"));
      await writer.finish({ ...META, root: place.path }, () => Promise.resolve());
    });
  }
  using index = await place.update(["a.md", "b.md"], { "c.md": ["new"] });
  deepEqual(await contents(index), [["a.md", "a.md"], ["b.md"], ["c.md", "new"]]);
  deepEqual(recordOf(index, 1), failed("b.md"));
});

Deno.test("an update that changes much writes the whole index and removes the delta", async () => {
  using place = new Place({ fromBytes: 0, share: 1 });
  (await write(place.store, BASE)).close();
  (await place.update(["a.md", "c.md", "d.md"], { "b.md": ["weir"] })).close();
  deepEqual(place.files, ["changes.bin", "index.bin"]);
  using index = await place.update(["a.md", "b.md", "d.md"], { "z.md": ["last"] }, {
    bytes: 1000,
    chunks: 1,
  });
  deepEqual(await contents(index), [["a.md", "river"], ["b.md", "weir"], ["d.md", "hill"], ["z.md", "last"]]);
  deepEqual(place.files, ["index.bin"]);
});

Deno.test("a small index is written as a whole", async () => {
  using place = new Place({ fromBytes: 1e6, share: 1 });
  (await write(place.store, BASE)).close();
  (await place.update(["a.md"], { "b.md": ["weir"] })).close();
  deepEqual(place.files, ["index.bin"]);
});

Deno.test("a delta of an earlier base is void", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  (await place.update(["a.md"], { "b.md": ["weir"] })).close();
  const delta = Deno.readFileSync(place.at(".muxue_rag/changes.bin"));
  (await write(place.store, { "z.md": ["last"] })).close();
  // as if the process had ended before it removed the delta
  Deno.writeFileSync(place.at(".muxue_rag/changes.bin"), delta);
  using index = await ready(place.store.open());
  deepEqual(await contents(index), [["z.md", "last"]]);
});

Deno.test("a damaged delta, and a delta in the place of the index, are damage", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  (await place.update(["a.md"], { "b.md": ["weir"] })).close();
  const delta = Deno.readFileSync(place.at(".muxue_rag/changes.bin"));
  Deno.writeFileSync(place.at(".muxue_rag/changes.bin"), delta.slice(0, -1));
  deepEqual(await place.store.open(), { state: "damaged", problem: "length of the file" });
  Deno.removeSync(place.at(".muxue_rag/changes.bin"));
  Deno.writeFileSync(place.at(".muxue_rag/index.bin"), delta);
  deepEqual(await place.store.open(), { state: "damaged", problem: "a delta without its base" });
});

Deno.test("a backup of an index with a delta is one file with both", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  const path = place.at("backup");
  {
    using index = await place.update(["a.md", "d.md"], { "b.md": ["weir"] });
    using file = Deno.openSync(path, { write: true, createNew: true });
    equal(await place.store.backUp(index, file), Deno.statSync(path).size);
  }
  using backup = await place.store.openBackup(Deno.openSync(path));
  {
    await using _lock = await place.store.lock();
    await place.store.restore(backup);
  }
  using index = await ready(place.store.open());
  deepEqual(await contents(index), [["a.md", "river"], ["b.md", "weir"], ["d.md", "hill"]]);
  deepEqual(place.files, ["index.bin"]);
});

Deno.test("a restore fails if a delta cannot be removed that holds for the restored base", async () => {
  using place = new Place();
  const path = place.at("backup");
  {
    using index = await write(place.store, BASE);
    using file = Deno.openSync(path, { write: true, createNew: true });
    await place.store.backUp(index, file);
  }
  (await place.update(["a.md"], { "b.md": ["weir"] })).close();
  using backup = await place.store.openBackup(Deno.openSync(path));
  const { removeSync } = Deno;
  Deno.removeSync = () => {
    throw new Deno.errors.PermissionDenied("no");
  };
  try {
    await using _lock = await place.store.lock();
    await assertUserError(() => place.store.restore(backup), "data_folder_unwritable");
  } finally {
    Deno.removeSync = removeSync;
  }
  {
    using index = await ready(place.store.open());
    deepEqual(await contents(index), [["a.md", "river"], ["b.md", "weir"]]);
  }
  await using _lock = await place.store.lock();
  await place.store.restore(backup);
  using index = await ready(place.store.open());
  deepEqual((await contents(index)).length, 4);
});

Deno.test("an index says that it is fragmented when its delta is more than half as large as it may be", async () => {
  using place = new Place({ fromBytes: 0, share: 1 });
  (await write(place.store, BASE)).close();
  {
    using index = await place.update(["a.md", "c.md", "d.md"], { "b.md": ["weir"] });
    equal(index.isFragmented, false);
  }
  using index = await place.update(["a.md", "c.md", "d.md"], { "b.md": ["a weir that is longer"] });
  equal(index.isFragmented, true);
});

Deno.test("an index with a delta that is opened again shares its list of files, and outlives the first", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  const first = await place.update(["a.md", "c.md"], { "b.md": ["a new bridge"], "e.md": ["sea"] });
  using second = await ready(place.store.open());
  equal(second.files, first.files);
  const before = await contents(first);
  first.close();
  deepEqual(await contents(second), before);
  deepEqual(await second.documentFrequencies(["bridg", "hill", "sea"]), Float64Array.of(2, 0, 1));
  using other = await place.update(["a.md", "b.md", "e.md"], {});
  deepEqual((await contents(other)).map(([path]) => path), ["a.md", "b.md", "e.md"]);
  deepEqual(await contents(second), before);
});

Deno.test("an index that is open stays as it is while updates follow one another", async () => {
  using place = new Place();
  (await write(place.store, BASE)).close();
  using one = await place.update(["a.md"], { "b.md": ["one"] });
  using two = await place.update(["a.md"], { "b.md": ["two"] });
  using three = await write(place.store, { "c.md": ["three"] });
  deepEqual(await Promise.all([one, two, three].map(contents)), [
    [["a.md", "river"], ["b.md", "one"]],
    [["a.md", "river"], ["b.md", "two"]],
    [["c.md", "three"]],
  ]);
});
