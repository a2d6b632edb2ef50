import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { checkIndex } from "#library/ingest/verify.ts";
import { type FolderCheck, type IngestProgress, verifyFolder } from "#library/ingest/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { changedJson, KEY, sectionOf, withSections } from "../../engine/index/_blob_forge.ts";
import { rewriteIndex } from "./_index_file.ts";
import { config, Place, setTime, storeAt } from "./_place.ts";

const FILES = {
  "notes/tea.md": "# Tea\n\nGreen tea is steeped at 70 °C.\n\n## Black\n\nBlack tea at 95 °C.\n",
  "备份.txt": "每周备份全部数据。\r\n检查备份能否恢复。\r\n",
  "table.md": `| name | price |\n|---|---|\n${"| Longjing, from Hangzhou | 12 |\n".repeat(80)}`,
  "empty.txt": "",
};

async function check(place: Place, deep = false, overrides: ConfigOverrides = {}): Promise<FolderCheck> {
  return await verifyFolder(place.root, await config(overrides), { indexKey: KEY }, { deep });
}

async function indexed(): Promise<Place> {
  const place = new Place();
  place.write(FILES);
  await place.ingest();
  return place;
}

/** Changes the bytes of a file and sets its old times again, and the change time of its record to the new one. */
function changeUnnoticed(place: Place, path: string, content: string): void {
  const { atime, mtime } = Deno.statSync(place.at(path));
  Deno.writeTextFileSync(place.at(path), content);
  Deno.utimeSync(place.at(path), atime!, mtime!);
  const ctimeMs = Deno.statSync(place.at(path)).ctime?.getTime();
  changeIndex(
    place,
    "files",
    (files) => files.map((file) => file.path === path ? { ...file, ctimeMs } : file),
  );
}

function changeIndex(place: Place, name: string, change: (json: { path: string }[]) => unknown): void {
  const blob = place.indexBytes();
  Deno.writeFileSync(
    place.at(".muxue_rag/index.bin"),
    withSections(blob, changedJson(blob, name, change), KEY),
  );
}

Deno.test("verifyFolder() finds an index sound right after it was made", async () => {
  using place = await indexed();
  const { indexedAt, indexBytes, chunks, ...rest } = await check(place, true);
  ok(indexedAt! <= new Date() && indexBytes === place.indexBytes().length && chunks! > 3);
  deepEqual(rest, {
    root: place.root,
    state: "sound",
    files: 3,
    stale: { new: 0, changed: 0, removed: 0 },
    compared: 3,
    differing: [],
    unreadable: [],
    busy: false,
  });
});

Deno.test("verifyFolder() without an index says that it is missing", async () => {
  using place = new Place();
  deepEqual(await check(place), { root: place.root, state: "missing", busy: false });
});

Deno.test("verifyFolder() lists files that are newer than the index, which is still sound", async () => {
  using place = await indexed();
  place.write({ "new.txt": "new", "notes/tea.md": "# Tea\n\nOnly oolong.\n" });
  Deno.removeSync(place.at("table.md"));
  for (const deep of [false, true]) {
    const { state, stale, stalePaths } = await check(place, deep);
    deepEqual({ state, stale, stalePaths }, {
      state: "behind",
      stale: { new: 1, changed: 1, removed: 1 },
      stalePaths: ["new.txt", "notes/tea.md", "table.md"],
    });
  }
  await place.ingest();
  equal((await check(place, true)).state, "sound");
});

Deno.test("verifyFolder() says that an index with other settings has to be rebuilt", async () => {
  using place = await indexed();
  const { state, detail } = await check(place, true, { chunking: { max_chars: 300 } } as ConfigOverrides);
  deepEqual([state, detail], [
    "behind",
    "The index was made with another value of chunking.max_chars, so it must be rebuilt",
  ]);
});

Deno.test("only a deep verifyFolder() finds a content that changed behind an unchanged size and time", async () => {
  using place = await indexed();
  changeUnnoticed(place, "notes/tea.md", FILES["notes/tea.md"].replace("70", "80"));
  equal((await check(place)).state, "sound");
  const { state, differing, compared } = await check(place, true);
  deepEqual([state, differing, compared], ["differs", ["notes/tea.md"], 3]);
  await place.ingest({}, { full: true });
  equal((await check(place, true)).state, "sound");
});

Deno.test("a deep verifyFolder() lists indexed files that cannot be read", async () => {
  using place = await indexed();
  // The permissions of root allow everything, so the file is replaced by a link after the walk.
  const path = place.at("备份.txt");
  const { mtime } = Deno.statSync(path);
  const onProgress = ({ step }: IngestProgress) => {
    if (step !== "read" || !Deno.lstatSync(path).isFile) return;
    Deno.renameSync(path, place.beside("moved"));
    Deno.symlinkSync(place.beside("moved"), path);
  };
  const options = { deep: true, onProgress };
  const { state, unreadable } = await verifyFolder(place.root, await config(), { indexKey: KEY }, options);
  equal(mtime!.getTime(), Deno.statSync(place.beside("moved")).mtime!.getTime());
  deepEqual([state, unreadable!.map(({ path }) => path)], ["differs", ["备份.txt"]]);
});

Deno.test("verifyFolder() finds a changed byte in every section of the index", async () => {
  using place = await indexed();
  const sound = place.indexBytes();
  for (const section of ["texts", "postings", "chunk.start", "vectors", "section.bytes", "files", "skips"]) {
    const blob = sound.slice();
    const bytes = sectionOf(blob, section);
    if (bytes.length === 0) continue;
    bytes[bytes.length >> 1]! ^= 4;
    Deno.writeFileSync(place.at(".muxue_rag/index.bin"), blob);
    const { state, detail } = await check(place);
    equal(state, "damaged", section);
    match(detail!, /^The index is damaged \(.+\) and must be rebuilt$/);
  }
});

Deno.test("verifyFolder() distinguishes an older format, another folder and another installation", async () => {
  using place = await indexed();
  const path = place.at(".muxue_rag/index.bin");
  const sound = place.indexBytes();
  const states: string[] = [];
  for (
    const change of [
      () => rewriteIndex(path, { format: 1 }),
      () => rewriteIndex(path, { meta: (meta) => ({ ...meta, root: "/elsewhere" }) }),
      () => rewriteIndex(path, {}, new Uint8Array(32).fill(9)),
    ]
  ) {
    Deno.writeFileSync(path, sound);
    change();
    states.push((await check(place)).state);
  }
  deepEqual(states, ["outdated", "moved", "foreign"]);
});

Deno.test("verifyFolder() finds parts of an index that contradict each other although every checksum holds", async () => {
  using place = await indexed();
  const sound = place.indexBytes();
  const column = (name: string, change: (numbers: Uint32Array) => void) => () => {
    const bytes = sectionOf(sound, name).slice();
    change(new Uint32Array(bytes.buffer));
    return withSections(sound, { [name]: bytes }, KEY);
  };
  const last = (numbers: Uint32Array) => numbers.length - 1;
  const cases: [RegExp, () => Uint8Array][] = [
    [/\(offsets of chunk \d+\)/, column("chunk.end", (ends) => ends[last(ends)] = 0)],
    [/\(lines of chunk \d+\)/, column("chunk.endLine", (lines) => lines[last(lines)] = 0)],
    [/\(length of the text of chunk 0\)/, column("chunk.end", (ends) => ends[0] = 1_000_000)],
    [/\(text of chunk \d+\)/, () => {
      const hashes = sectionOf(sound, "chunk.hash").slice();
      hashes[0]! ^= 1;
      return withSections(sound, { "chunk.hash": hashes }, KEY);
    }],
    [/\(two records of the file table\.md\)/, () =>
      withSections(
        sound,
        changedJson(sound, "files", (files) =>
          files.map((file: { path: string }) =>
            file.path === "notes/tea.md" ? { ...file, path: "table.md" } : file
          )),
        KEY,
      )],
    [/\(number of chunks of the file notes\/tea\.md\)/, () =>
      withSections(
        sound,
        changedJson(sound, "files", (files) =>
          files.map((file: { path: string }) =>
            file.path === "notes/tea.md" ? { ...file, status: "failed" } : file
          )),
        KEY,
      )],
  ];
  for (const [expected, forge] of cases) {
    Deno.writeFileSync(place.at(".muxue_rag/index.bin"), forge());
    const { state, detail } = await check(place);
    equal(state, "damaged", String(expected));
    match(detail!, expected);
  }
});

Deno.test("a deep verifyFolder() finds a chunk that is not where its offsets say", async () => {
  using place = await indexed();
  const sound = place.indexBytes();
  for (const [name, by] of [["chunk.start", 1], ["chunk.startLine", 1]] as const) {
    const bytes = sectionOf(sound, name).slice();
    const numbers = new Uint32Array(bytes.buffer);
    numbers[0]! += by;
    if (name === "chunk.start") {
      // the part stays as long as it was
      const ends = sectionOf(sound, "chunk.end").slice();
      new Uint32Array(ends.buffer)[0]! += by;
      Deno.writeFileSync(
        place.at(".muxue_rag/index.bin"),
        withSections(sound, { [name]: bytes, "chunk.end": ends }, KEY),
      );
    } else Deno.writeFileSync(place.at(".muxue_rag/index.bin"), withSections(sound, { [name]: bytes }, KEY));
    const { state, detail } = await check(place, true);
    equal(state, "damaged", name);
    match(detail!, /\(chunk 0 is not at its place in notes\/tea\.md\)/);
  }
});

Deno.test("checkIndex() finds vectors that are not numbers, and reports its progress", async () => {
  using place = await indexed();
  const loaded = await storeAt(place.root).open();
  ok(loaded.state === "ready");
  using index = loaded.index;
  const seen: number[] = [];
  const pause = (chunks: number) => Promise.resolve(void seen.push(chunks));
  await checkIndex(index, pause);
  deepEqual(seen, [index.statistics.chunks]);
  const broken = new Proxy(index, {
    get(target, name) {
      if (name === "cosines") {
        return () => Promise.resolve(new Float64Array(index.statistics.chunks).fill(NaN));
      }
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as OpenIndex;
  await rejects(checkIndex(broken, pause), new DamagedIndexError("vector of chunk 0"));
});

Deno.test("verifyFolder() writes nothing and stops when the signal says so", async () => {
  using place = await indexed();
  setTime(place.at(".muxue_rag"), 0);
  await check(place, true);
  equal(Deno.statSync(place.at(".muxue_rag")).mtime!.getTime(), Date.UTC(2026, 0, 1));
  const stop = new AbortController();
  const options = {
    signal: stop.signal,
    onProgress: ({ step }: IngestProgress) => step === "scan" && stop.abort(),
  };
  await rejects(verifyFolder(place.root, await config(), { indexKey: KEY }, options), { name: "AbortError" });
});
