import { BlobIndex, IndexReader, IndexWriter, Tokenizer } from "#engine/index/mod.ts";
import { Segments } from "#engine/segments.ts";
import { OramaLegs } from "#engine/orama/legs.ts";
import type { Engine } from "./engine.ts";

const KEY = new Uint8Array(32);

/** This project's engine, called through Orama as in the program. */
export const ours: Engine = {
  async build(path, chunks) {
    using file = await Deno.open(path, { create: true, truncate: true, read: true, write: true });
    const writer = new IndexWriter(file, KEY);
    writer.beginFile();
    let start = 0;
    for (const text of chunks) {
      writer.addChunk({
        text,
        context: "",
        start,
        end: start + text.length,
        startLine: 1,
        endLine: 1,
        section: [],
      });
      start += text.length;
    }
    writer.endFile({ path: "bench.txt", size: start, mtimeMs: 0, sha256: "", status: "indexed" });
    const meta = { settings: "", program: "bench", indexedAt: new Date(0).toISOString(), root: "" };
    return (await writer.finish(meta, () => Promise.resolve())).size;
  },
  open(path) {
    const reader = IndexReader.open(Deno.openSync(path), { key: KEY });
    const segments = new Segments([new BlobIndex(reader)]);
    const legs = new OramaLegs().of(segments);
    const tokenizer = new Tokenizer();
    return Promise.resolve(async (query) => {
      const terms = await segments.lookUp(tokenizer.queryTerms(query));
      const hits = await legs.byTerms(terms, { limit: 10 });
      for (const { chunk } of hits) reader.text(chunk);
      return hits.length;
    });
  },
};
