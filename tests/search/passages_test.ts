import assert from "node:assert/strict";
import { IndexReader, IndexWriter } from "../../lib/index/mod.ts";
import { passageText, toPassages } from "../../lib/search/passages.ts";
import type { SelectedChunk } from "../../lib/search/select.ts";
import { KEY } from "../index/_blob_forge.ts";

const RECORD = { size: 1, mtimeMs: 0, sha256: "", status: "indexed" } as const;
const TEXT = "one two three\n\nfour five six seven\neight";

/** Chunks as [start, end, section] of {@linkcode TEXT}, in two files of the same content. */
const CHUNKS: [number, number, string][] = [[0, 7, "A"], [4, 13, "A"], [15, 34, "A"], [35, 40, "B"]];

async function withReader(
  run: (reader: IndexReader, found: (chunk: number, file?: string) => SelectedChunk) => void,
) {
  const path = await Deno.makeTempFile();
  {
    using file = await Deno.open(path, { write: true, read: true });
    const writer = new IndexWriter(file, KEY);
    for (const name of ["a.md", "b.md"]) {
      writer.beginFile();
      for (const [start, end, section] of CHUNKS) {
        const text = TEXT.slice(start, end);
        const line = (at: number) => TEXT.slice(0, at).split("\n").length;
        writer.addChunk({
          text,
          context: "",
          start,
          end,
          startLine: line(start),
          endLine: line(end),
          section: [section],
        });
      }
      writer.endFile({ ...RECORD, path: name });
    }
    await writer.finish(
      { settings: "", program: "", indexedAt: "2026-01-01", root: "/notes" },
      () => Promise.resolve(),
    );
  }
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  run(reader, (chunk, filePath = chunk < 4 ? "a.md" : "b.md") => ({
    hit: { reader, chunk, id: chunk, score: 10 - chunk, coverage: 1, legs: {} },
    filePath,
    also: [],
  }));
  await Deno.remove(path);
}

Deno.test("found chunks that follow one another in a section become one passage, in the best one's place", async () => {
  await withReader((reader, found) => {
    const passages = toPassages([found(1), found(5), found(0), found(2), found(3)]);
    assert.deepEqual(
      passages.map(({ best, chunks }) => [best.hit.chunk, chunks]),
      [[1, [0, 1, 2]], [5, [5]], [3, [3]]],
    );
    assert.equal(
      passageText(passages[0]!, (chunk) => reader.text(chunk)),
      "one two three\n\nfour five six seven",
    );
  });
});

Deno.test("a chunk that closes the gap between two joins them; the end of a file and of a section parts", async () => {
  await withReader((_reader, found) => {
    const chunks = toPassages([found(2), found(0), found(1), found(4), found(3)]).map(({ chunks }) => chunks);
    assert.deepEqual(chunks, [[0, 1, 2], [4], [3]]);
  });
});
