import { deepEqual, equal, rejects } from "node:assert/strict";
import * as fc from "fast-check";
import { assertFuzzed } from "../../_fuzz.ts";
import { IndexReader, Tokenizer } from "#engine/index/mod.ts";
import { planUpdate } from "#library/ingest/update_plan.ts";
import { indexPath, Place, setTime, WALK } from "./_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { search } from "../../engine/index/_search.ts";

const NAMES = ["a.md", "b.txt", "c.txt", "sub/d.md", "sub/e 中文.txt", "z.txt"];
const BINARY = Uint8Array.of(1, 0, 2, 0, 0, 0, 0, 0, 3);
const QUERIES = ["apple", "苹果 index", "pear 数据库", "readme", "z"];

const paragraph = fc.array(
  fc.constantFrom("apple", "Pears", "苹果", "数据库", "# Head", "userName", "\n\n"),
  {
    minLength: 1,
    maxLength: 12,
  },
).map((words) => words.join(" "));
const content = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(paragraph, { minLength: 1, maxLength: 6 }).map((all) => all.join("\n\n")),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "  \n") },
  { weight: 1, arbitrary: fc.constant(BINARY) },
);
const name = fc.constantFrom(...NAMES);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), name, content }),
  fc.record({ kind: fc.constant("remove" as const), name }),
  fc.record({ kind: fc.constant("rename" as const), name, to: name }),
  fc.record({ kind: fc.constant("touch" as const), name }),
);

/** Returns the visible contents of a folder's index, and the results of searches in it. */
async function contentOf(place: Place): Promise<unknown> {
  using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
  reader.verify();
  const tokenizer = new Tokenizer();
  return {
    files: reader.files,
    chunks: Array.from({ length: reader.chunks.length }, (_, i) => [reader.chunk(i), reader.text(i)]),
    terms: [...reader.dictionary.terms()].sort(),
    hits: await Promise.all(
      QUERIES.map(async (query) =>
        (await search([reader], tokenizer.queryTerms(query), 10)).map(({ chunk, score }) => [chunk, score])
      ),
    ),
  };
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test("after any changes to a folder, an updated index is the one that a full run makes", async () => {
  const runs = fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 });
  await assertFuzzed(
    fc.asyncProperty(runs, async (runs) => {
      using place = new Place();
      Deno.mkdirSync(place.at("sub"));
      const overrides = { chunking: { max_chars: 100 } };
      let clock = 0;
      let before = 0;
      for (const edits of runs) {
        for (const edit of edits) {
          const path = place.at(edit.name);
          if (edit.kind === "put") {
            place.write({ [edit.name]: edit.content });
            setTime(path, ++clock);
          } else if (!exists(path)) continue;
          else if (edit.kind === "remove") Deno.removeSync(path);
          else if (edit.kind === "rename") Deno.renameSync(path, place.at(edit.to));
          else setTime(path, ++clock);
        }
        const update = await place.ingest(overrides);
        const { files, new: added, changed, renamed, removed, unchanged } = update;
        equal(added + changed + renamed + unchanged, files, "every indexed file is in one count");
        equal(before + added - removed, files, "what came and went is the difference");
        before = files;
        const updated = await contentOf(place);
        const full = await place.ingest(overrides, { full: true });
        deepEqual(updated, await contentOf(place));
        deepEqual([full.files, full.chunks, full.skipped], [update.files, update.chunks, update.skipped]);
      }
    }),
    10,
  );
});

Deno.test("a run lists a folder once whose entries the index has, and repeatedly where one is new", async () => {
  using place = await Place.indexed({
    "a.md": "apple",
    "sub/b.md": "pear",
    ".gitignore": "*.log",
    "new/c.md": "plum",
  });
  place.write({ "new/d.md": "fig" });
  const listed: Record<string, number> = {};
  const { readDirSync } = Deno;
  Deno.readDirSync = (path) => {
    const name = String(path).slice(place.root.length + 1);
    listed[name] = (listed[name] ?? 0) + 1;
    return readDirSync(path);
  };
  try {
    deepEqual((await place.ingest()).new, 1);
  } finally {
    Deno.readDirSync = readDirSync;
  }
  deepEqual([listed[""], listed["sub"], listed["new"]! > 5], [1, 1, true]);
});

Deno.test("an error in finding out whether a known file is read again is that of the run, and of nothing else", async () => {
  using place = await Place.indexed({ "a.md": "apple" });
  const loaded = await place.store.open();
  if (loaded.state !== "ready") throw new Error(loaded.state);
  using index = loaded.index;
  const isToRead = () => Promise.reject(new Error("unreadable"));
  await rejects(planUpdate(place.root, { ...WALK, isToRead }, index.files), /unreadable/);
});
