import { deepEqual, equal } from "node:assert/strict";
import { Extractor } from "#library/extract/mod.ts";
import { folderFiles, folderStatus, ingest } from "#library/ingest/mod.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { config, Place, setTime } from "./_place.ts";

const UTF32 = Uint8Array.fromHex("fffe0000610000006200000063000000");

Deno.test("folderFiles() lists every file with its state, reason, chunks and size, and a skipped folder once", async () => {
  using place = new Place();
  place.write({
    ".gitignore": "build\n",
    "build/deep/a.txt": "built",
    "build/b.txt": "built",
    "changes.txt": "before",
    "goes.txt": "gone soon",
    "kept.txt": "kept",
    "large.txt": "long ".repeat(300),
    "photo.jpg": Uint8Array.of(1, 2, 3),
    "utf32.txt": UTF32,
  });
  for (const name of ["changes.txt", "kept.txt"]) setTime(place.at(name), 0);
  const settings = await config({ files: { max_file_mb: 0.001 } });
  await ingest(place.root, settings, place.context);
  place.write({ "changes.txt": "after that", "new.txt": "new" });
  Deno.removeSync(place.at("goes.txt"));
  const { files } = await folderFiles(place.root, settings, { indexKey: KEY });
  deepEqual(
    files.map(({ path, state, reason, detail, unread, chunks, size }) =>
      [path, state, reason, detail, unread, chunks, size].map((value) => value ?? "–").join("  ")
    ),
    [
      ".gitignore  skipped  hidden  hidden  false  0  6",
      "build/  skipped  ignored  excluded by an ignore file  false  0  –",
      "changes.txt  changed  –  –  false  1  10",
      "goes.txt  removed  –  –  false  1  9",
      "kept.txt  indexed  –  –  false  1  4",
      "large.txt  skipped  too_large  over the size limit  true  0  1500",
      "new.txt  new  –  –  false  0  3",
      "photo.jpg  skipped  image  image  false  0  3",
      "utf32.txt  failed  unsupported_encoding  Unsupported file encoding  true  0  16",
    ],
  );
});

Deno.test("folderFiles() of a folder without an index lists new files, and under other settings changed ones", async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha", "b.pdf": "%PDF-1.4" });
  const states = async (overrides = {}) =>
    (await folderFiles(place.root, await config(overrides), { indexKey: KEY })).files
      .map(({ path, state, format }) => [path, state, format]);
  deepEqual(await states(), [["a.txt", "new", undefined], ["b.pdf", "new", "pdf"]]);
  await place.ingest();
  const other = { chunking: { max_chars: 300 } };
  deepEqual(await states(other), [["a.txt", "changed", undefined], ["b.pdf", "failed", "pdf"]]);
});

Deno.test("a new file over the size limit updates the index, other skipped files do not", async () => {
  using place = new Place();
  const limit = { files: { max_file_mb: 0.001 } };
  place.write({ "a.txt": "alpha" });
  await place.ingest(limit);
  place.write({ "photo.jpg": Uint8Array.of(1) });
  equal((await place.ingest(limit)).written, false);
  place.write({ "large.txt": "long ".repeat(300) });
  const { written, unread } = await place.ingest(limit);
  deepEqual([written, unread], [true, [{ reason: "too_large", count: 1, paths: ["large.txt"] }]]);
  equal((await place.ingest(limit)).written, false);
  const { skipped } = await folderStatus(place.root, await config(limit), { indexKey: KEY });
  deepEqual(skipped, { image: 1, too_large: 1 });
});

Deno.test("ingest() reports which document it is reading if that takes long", async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha", "slow.pdf": "%PDF-1.4", "z.txt": "omega" });
  const reported = Promise.withResolvers<void>();
  // a process that says that it cannot start when the progress has named the document
  using extractor = new Extractor(({ onEnd }) => {
    void reported.promise.then(() => onEnd("too busy"));
    return { send: () => {}, end: () => {}, close: () => {} };
  });
  const { failed } = await ingest(place.root, await config(), { ...place.context, extractor }, {
    onProgress: ({ step, path }) => {
      if (step === "read" && path === "slow.pdf") reported.resolve();
    },
  });
  deepEqual(failed.map(({ path }) => path), ["slow.pdf"]);
});
