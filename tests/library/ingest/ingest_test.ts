import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import { IndexReader } from "#engine/index/mod.ts";
import { folderStatus, ingest, type IngestOptions, type IngestSummary } from "#library/ingest/mod.ts";
import { IS_ROOT, ON_WINDOWS } from "../../foundation/boundary/helpers.ts";
import { rewriteIndex } from "./_index_file.ts";
import { config, indexPath, Place, setTime, stable } from "./_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

/** A summary in which nothing happened. */
const NOTHING = {
  full: false,
  new: 0,
  changed: 0,
  renamed: 0,
  removed: 0,
  unchanged: 0,
  skipped: {},
  failed: [],
  files: 0,
  chunks: 0,
  bytesRead: 0,
  written: true,
} as const satisfies Partial<IngestSummary>;

Deno.test("the first run indexes everything, and reports skipped and failed files with their reasons", async () => {
  using place = new Place();
  place.write({
    "a.md": "# Guide\n\nHow to start.\n",
    "sub/笔记.txt": "学习笔记\n",
    "empty.txt": "",
    "blank.txt": " \n\t\n\u3000\n",
    "picture.png": "not looked at",
    "no text.txt": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0),
    "utf32.txt": Uint8Array.fromHex("fffe0000610000006200000063000000"),
    ".hidden/secret.txt": "hidden",
    ".gitignore": "*.log\n",
    "run.log": "ignored",
  });
  deepEqual(stable(await place.ingest()), {
    ...NOTHING,
    full: true,
    new: 2,
    skipped: { empty: 2, image: 2, hidden: 2, ignored: 1 },
    failed: [{ path: "utf32.txt", reason: "Unsupported file encoding" }],
    unread: [{ reason: "unsupported_encoding", count: 1, paths: ["utf32.txt"] }],
    files: 2,
    chunks: 2,
    bytesRead: 23 + 13 + 8 + 12 + 16,
  });
  deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock"]);
});

Deno.test("new, changed, renamed, removed, touched and unchanged files are distinguished", async () => {
  using place = new Place();
  const names = ["stays", "changes", "is renamed", "goes", "is touched", "turns binary", "turns text"];
  place.write(Object.fromEntries(names.map((name) => [`${name}.txt`, `text of ${name}\n`])));
  place.write({ "turns text.txt": Uint8Array.of(1, 0, 2, 0, 0, 0, 0, 0, 3) });
  for (const name of names) setTime(place.at(`${name}.txt`), 0);
  equal((await place.ingest()).files, 6);

  place.write({ "changes.txt": "another text\n", "comes.txt": "new here\n", "turns text.txt": "now text\n" });
  place.write({ "turns binary.txt": Uint8Array.of(1, 0, 2, 0, 0, 0, 0, 0, 3) });
  Deno.mkdirSync(place.at("moved"));
  Deno.renameSync(place.at("is renamed.txt"), place.at("moved/other.txt"));
  Deno.removeSync(place.at("goes.txt"));
  setTime(place.at("is touched.txt"), 1);
  deepEqual(stable(await place.ingest()), {
    ...NOTHING,
    new: 2,
    changed: 1,
    renamed: 1,
    removed: 2,
    unchanged: 2,
    skipped: { binary_content: 1 },
    files: 6,
    chunks: 6,
    bytesRead: 13 + 9 + 9 + 9 + 19 + 19,
  });
  using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
  deepEqual(reader.files.filter(({ status }) => status === "indexed").map(({ path }) => path), [
    "changes.txt",
    "comes.txt",
    "is touched.txt",
    "moved/other.txt",
    "stays.txt",
    "turns text.txt",
  ]);
});

Deno.test("each renamed copy of a file counts as renamed", async () => {
  using place = await Place.indexed({ "a.txt": "same", "b.txt": "same", "c.txt": "same" });
  Deno.renameSync(place.at("a.txt"), place.at("x.txt"));
  Deno.renameSync(place.at("b.txt"), place.at("y.txt"));
  place.write({ "z.txt": "same" });
  const { new: added, renamed, removed, unchanged } = await place.ingest();
  deepEqual({ added, renamed, removed, unchanged }, { added: 1, renamed: 2, removed: 0, unchanged: 1 });
});

Deno.test("a second run reads nothing and leaves the index file alone", async () => {
  using place = await Place.indexed({
    "a.txt": "alpha",
    "b.txt": "",
    "bad.txt": Uint8Array.fromHex("fffe0000610000006200000063000000"),
  });
  const before = Deno.statSync(indexPath(place.root));
  deepEqual(stable(await place.ingest()), {
    ...NOTHING,
    unchanged: 1,
    skipped: { empty: 1 },
    failed: [{ path: "bad.txt", reason: "Unsupported file encoding" }],
    unread: [{ reason: "unsupported_encoding", count: 1, paths: ["bad.txt"] }],
    files: 1,
    chunks: 1,
    written: false,
  });
  const after = Deno.statSync(indexPath(place.root));
  deepEqual([after.ino, after.mtime, after.size], [before.ino, before.mtime, before.size]);
});

Deno.test("--full processes everything again, and counts the files by what the old index has", async () => {
  using place = await Place.indexed({
    "a.txt": "alpha",
    "b.txt": "beta",
    "c.txt": "gamma",
    "d.txt": "delta",
  });
  place.write({ "b.txt": "other", "e.txt": "gamma", "f.txt": "new" });
  for (const gone of ["c.txt", "d.txt"]) Deno.removeSync(place.at(gone));
  deepEqual(stable(await place.ingest({}, { full: true })), {
    ...NOTHING,
    full: true,
    new: 1,
    changed: 1,
    renamed: 1,
    removed: 1,
    unchanged: 1,
    files: 4,
    chunks: 4,
    bytesRead: 18,
  });
});

Deno.test("an empty folder gives an empty index", async () => {
  using place = new Place();
  deepEqual(stable(await place.ingest()), { ...NOTHING, full: true });
  deepEqual(stable(await place.ingest()), { ...NOTHING, written: false });
  using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
  deepEqual([reader.files.length, reader.chunks.length], [0, 0]);
});

Deno.test("a folder that has become empty gives an empty index", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  Deno.removeSync(place.at("a.txt"));
  deepEqual(stable(await place.ingest()), { ...NOTHING, removed: 1 });
});

Deno.test("changed settings of chunking or encoding rebuild the index, others do not", async () => {
  using place = await Place.indexed({ "a.txt": "alpha ".repeat(100), "b.txt": "beta" });
  const { chunks, ...rest } = stable(await place.ingest({ chunking: { max_chars: 100 } }));
  deepEqual(rest, {
    full: true,
    rebuildReason: "The index was made with another value of chunking.max_chars, so it must be rebuilt",
    new: 0,
    changed: 0,
    renamed: 0,
    removed: 0,
    unchanged: 2,
    skipped: {},
    failed: [],
    files: 2,
    bytesRead: 604,
    written: true,
  });
  ok(chunks > 5);
  equal((await place.ingest({ chunking: { max_chars: 100 }, files: { encoding: "gbk" } })).full, true);
  const last = await place.ingest({
    chunking: { max_chars: 100 },
    files: { encoding: "gbk" },
    search: { top_k: 3 },
  });
  deepEqual([last.full, last.written], [false, false]);
});

Deno.test("an index made with other defaults of another version is rebuilt, one made with what the user set is kept", async () => {
  const kept: IngestOptions = { keepsSettings: true };
  const made = async (overrides: ConfigOverrides, byThen: Record<string, unknown>) => {
    const place = new Place();
    place.write({ "a.txt": "alpha" });
    await place.ingest(overrides);
    rewriteIndex(place.at(".muxue_rag/index.bin"), {
      meta: (meta) => ({
        ...meta,
        settings: JSON.stringify({ ...JSON.parse(meta["settings"] as string), ...byThen }),
      }),
    });
    return place;
  };
  const version =
    "The index was made by a version of the program that reads files differently, so it must be rebuilt";
  const OTHERS = { maxChars: 1000, overlap: 100, generated: true, ocr: true, model: "builtin/0" };
  {
    using place = await made({}, OTHERS);
    equal((await place.ingest({}, kept)).rebuildReason, version);
    equal((await place.ingest({}, kept)).full, false);
  }
  {
    using place = await made({ chunking: { strategy: "fixed" } }, OTHERS);
    await rejects(place.ingest({}, kept), {
      key: "index_settings_differ",
      message: /\(chunking\.strategy: fixed → auto\)/,
    });
    equal((await place.ingest({ chunking: { strategy: "fixed" } }, kept)).rebuildReason, version);
  }
  {
    // The user set what was not the default then.
    using place = await made({}, { maxChars: 1000, overlap: 100, set: ["maxChars"] });
    await rejects(place.ingest({}, kept), { key: "index_settings_differ" });
  }
  {
    // The user keeps a value, and the defaults around it change.
    using place = await made({ chunking: { max_chars: 300 } }, { set: [] });
    equal((await place.ingest({ chunking: { max_chars: 300 } }, kept)).written, false);
  }
  {
    using place = await made({}, { pipeline: 3, strategy: "fixed", set: undefined });
    equal((await place.ingest({}, kept)).rebuildReason, version);
  }
});

Deno.test("newly excluded files count as removed, and as new when they are included again", async () => {
  using place = await Place.indexed({ "a.txt": "alpha", "b.md": "beta" });
  const without = await place.ingest({ files: { exclude: ["*.md"] } });
  deepEqual([without.removed, without.unchanged, without.skipped], [1, 1, { excluded: 1 }]);
  const again = await place.ingest();
  deepEqual([again.new, again.unchanged], [1, 1]);
});

Deno.test("a damaged index is rebuilt, and the summary says what was wrong", async () => {
  using place = await Place.indexed({ "a.txt": "alpha", "b.txt": "beta" });
  const good = place.indexBytes();
  const damage: [(bytes: Uint8Array) => Uint8Array, RegExp][] = [
    [(bytes) => bytes.subarray(0, bytes.length - 1), /length of the file/],
    [() => new Uint8Array(0), /too few for a header/],
    [(bytes) => (bytes[100]! ^= 1, bytes), /checksum of the header/],
    // the first text: only a check of every byte finds that
    [(bytes) => (bytes[4096]! ^= 1, bytes), /checksum of bytes 4096/],
  ];
  for (const [change, problem] of damage) {
    Deno.writeFileSync(indexPath(place.root), change(good.slice()));
    const summary = await place.ingest();
    match(summary.rebuildReason!, problem);
    deepEqual([summary.full, summary.new, summary.written], [true, 2, true]);
    using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
    reader.verify();
  }
});

Deno.test("a line of several megabytes, GBK text and unusual names are indexed", async () => {
  using place = new Place();
  const names = ["with space.txt", "emoji 🎉.txt", "100%.txt", "%2e%2e.txt", "中文/名字.txt", "#a&b'c.txt"];
  place.write(Object.fromEntries(names.map((name, i) => [name, `text number ${i}`])));
  place.write({
    "line.txt": "word ".repeat(600_000),
    // 中文检索
    "gbk.txt": Uint8Array.fromHex("d6d0cec4bcecCBF7".toLowerCase()),
  });
  const summary = await place.ingest();
  deepEqual([summary.files, summary.failed], [8, []]);
  ok(summary.chunks > 2000);
  using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
  deepEqual(reader.files.map(({ path }) => path), [...names, "gbk.txt", "line.txt"].sort());
  const gbk = reader.files.find(({ path }) => path === "gbk.txt")!;
  deepEqual([gbk.encoding, reader.text(gbk.firstChunk)], ["gb18030", "中文检索"]);
});

Deno.test("a name that is not Unicode is reported, and a second run writes nothing", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha" });
  await new Deno.Command("sh", { args: ["-c", `echo x > "$(printf 'bad\\377.txt')"`], cwd: place.root })
    .output();
  const first = await place.ingest();
  deepEqual(first.failed.map(({ path }) => path), ["bad\ufffd.txt"]);
  deepEqual(stable(await place.ingest()), {
    ...NOTHING,
    unchanged: 1,
    failed: first.failed,
    unread: [{ reason: "name_not_unicode", count: 1, paths: ["bad\ufffd.txt"] }],
    files: 1,
    chunks: 1,
    written: false,
  });
  await new Deno.Command("sh", { args: ["-c", "rm bad*"], cwd: place.root }).output();
  deepEqual(stable(await place.ingest()), { ...NOTHING, unchanged: 1, files: 1, chunks: 1 });
});

/** Indexes `place` in a process without the permission to read `denied`, which holds even for root. */
async function ingestWithout(place: Place, denied: string): Promise<IngestSummary> {
  const code = `
    const { ingest } = await import(${
    JSON.stringify(new URL("../../../lib/library/ingest/mod.ts", import.meta.url).href)
  });
    const { config } = await import(${JSON.stringify(new URL("./_place.ts", import.meta.url).href)});
    const { NO_LOG } = await import(${
    JSON.stringify(new URL("../../../lib/foundation/log.ts", import.meta.url).href)
  });
    const context = ${JSON.stringify({ ...place.context, log: null, table: undefined, indexKey: [...KEY] })};
    console.log(JSON.stringify(await ingest(${
    JSON.stringify(place.root)
  }, await config(), { ...context, log: NO_LOG, indexKey: Uint8Array.from(context.indexKey) })));`;
  const script = place.beside("run.ts");
  Deno.writeTextFileSync(script, code);
  const { code: exit, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      "--config",
      new URL("../../../deno.json", import.meta.url).pathname,
      "-A",
      `--deny-read=${place.at(denied)}`,
      script,
    ],
  }).output();
  equal(exit, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test(
  "the files of a folder that cannot be read at present stay in the index",
  { ignore: ON_WINDOWS },
  async () => {
    using place = await Place.indexed({ "a.txt": "alpha", "sub/b.txt": "beta", "sub/deep/c.txt": "gamma" });
    const failed = [{ path: "sub", reason: "No permission to read the file: check the permission settings" }];
    const unread = [{ reason: "no_permission", count: 1, paths: ["sub"] }];
    deepEqual(stable(await ingestWithout(place, "sub")), {
      ...NOTHING,
      unchanged: 3,
      failed,
      unread,
      files: 3,
      chunks: 3,
    });
    deepEqual(stable(await ingestWithout(place, "sub")), {
      ...NOTHING,
      unchanged: 3,
      failed,
      unread,
      files: 3,
      chunks: 3,
      written: false,
    });
    place.write({ "sub/b.txt": "beta has changed" });
    deepEqual(stable(await place.ingest()), {
      ...NOTHING,
      changed: 1,
      unchanged: 2,
      files: 3,
      chunks: 3,
      bytesRead: 16,
    });
  },
);

Deno.test("a file without read permission fails once, and is new when it can be read", {
  ignore: ON_WINDOWS,
}, async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha", "b.txt": "beta" });
  const failed = [{ path: "b.txt", reason: "No permission to read the file: check the permission settings" }];
  // the walk's stat is refused already
  const first = await ingestWithout(place, "b.txt");
  deepEqual([first.new, first.failed], [1, failed]);
  const second = await ingestWithout(place, "b.txt");
  deepEqual([second.unchanged, second.failed, second.written], [1, failed, false]);
  const third = await place.ingest();
  deepEqual([third.new, third.unchanged, third.removed, third.failed], [1, 1, 0, []]);
});

Deno.test("the progress goes through its steps in order and ends with everything done", async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha", "b.txt": "beta", "c/d.txt": "gamma" });
  const steps: string[] = [];
  let last: unknown;
  await place.ingest({}, {
    onProgress: (progress) => {
      if (steps.at(-1) !== progress.step) steps.push(progress.step);
      last = progress;
    },
  });
  deepEqual(steps, ["scan", "read", "write", "done"]);
  deepEqual(last, {
    step: "done",
    filesDone: 3,
    filesTotal: 3,
    bytesDone: 14,
    bytesTotal: 14,
    chunks: 3,
    embedded: 3,
    toEmbed: 3,
  });
});

Deno.test("aborting at any step leaves the old index unchanged, no other file, and the lock free", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  const before = place.indexBytes();
  place.write(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.txt`, `text ${i}`])));
  for (const step of ["start", "scan", "read", "write"]) {
    const abort = new AbortController();
    const reason = new Error(`stopped at ${step}`);
    if (step === "start") abort.abort(reason);
    let error: unknown;
    try {
      await place.ingest({}, {
        signal: abort.signal,
        onProgress: (progress) => {
          if (progress.step === step) abort.abort(reason);
        },
      });
    } catch (thrown) {
      error = thrown;
    }
    equal(error, reason);
    deepEqual(place.indexBytes(), before);
    deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock"]);
  }
  equal((await place.ingest()).new, 30);
  notEqual(place.indexBytes().length, before.length);
});

Deno.test("an aborted first run leaves no index", async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha" });
  const reason = new Error("stop");
  await rejects(place.ingest({}, { signal: AbortSignal.abort(reason) }), reason);
  deepEqual(place.dataFolder(), [".gitignore", "lock"]);
});

Deno.test("a run removes what a killed run left beside the index", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  place.write({ ".muxue_rag/index.bin.4711.tmp": "half an index", ".muxue_rag/mine.txt": "not ours" });
  await place.ingest();
  deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock", "mine.txt"]);
});

Deno.test({
  name: "a changed file that cannot be read keeps its old text and is reported",
  ignore: IS_ROOT || ON_WINDOWS,
  fn: async () => {
    using place = await Place.indexed({ "a.txt": "alpha", "sub/b.txt": "beta" });
    place.write({ "a.txt": "alpha, changed" });
    Deno.chmodSync(place.at("a.txt"), 0o000);
    // The folder can be listed, but its entries cannot be examined.
    Deno.chmodSync(place.at("sub"), 0o444);
    const summary = await place.ingest();
    deepEqual([summary.files, summary.unchanged, summary.removed], [2, 2, 0]);
    deepEqual(summary.failed.map(({ path }) => path), ["a.txt", "sub/b.txt"]);
    equal((await place.ingest()).written, false);
    Deno.chmodSync(place.at("a.txt"), 0o600);
    Deno.chmodSync(place.at("sub"), 0o700);
    const mended = await place.ingest();
    deepEqual([mended.files, mended.changed, mended.unchanged, mended.failed], [2, 1, 1, []]);
    equal((await place.ingest()).written, false);
  },
});

Deno.test("the program's own files are skipped, and removed from an index that has them", async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha", "config.yaml": "api_key: secret", "logs/today.jsonl": "{}\n" });
  equal((await place.ingest()).files, 3);
  const ownPlaces = [place.at("config.yaml"), place.at("logs")];
  const context = { ...place.context, ownPlaces };
  const { full, removed, files, skipped } = await ingest(place.root, await config(), context);
  deepEqual({ full, removed, files, skipped }, { full: false, removed: 2, files: 1, skipped: { own: 2 } });

  place.write({ "logs/today.jsonl": "{}\n{}\n" });
  equal((await ingest(place.root, await config(), context)).written, false);
  const status = await folderStatus(place.root, await config(), { indexKey: KEY, ownPlaces });
  deepEqual([status.skipped, status.stale], [{ own: 2 }, { new: 0, changed: 0, removed: 0 }]);
});
