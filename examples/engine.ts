// deno-lint-ignore-file no-console -- a program writes to its terminal
/**
 * Indexes three texts in memory and searches them: `deno run -A examples/engine.ts "how do I descale it"`. It runs in
 * Node as well: nothing below needs a disk or Deno.
 */
import { argv } from "node:process";
import { BlobIndex, chunkDocument, contentOf, IndexReader, IndexWriter, MemoryFile } from "#engine/mod.ts";
import { queryTerms, Ranking, Segments, Synonyms, Tokenizer } from "#engine/mod.ts";

const texts = {
  "coffee.md": "Descale the coffee machine every three months, with citric acid.",
  "bread.md": "Knead the dough for ten minutes and let it rest for an hour.",
  "咖啡.md": "咖啡机每三个月要除垢一次,用柠檬酸。",
};

const file = new MemoryFile(), key = new Uint8Array(32);
const writer = new IndexWriter(file, key);
for (const [path, text] of Object.entries(texts)) {
  writer.beginFile();
  for (const chunk of chunkDocument({ text, sections: [] }, { maxChars: 1200, overlap: 0, chunksPerFile: "auto" })) {
    writer.addChunk({ ...chunk, text: text.slice(chunk.start, chunk.end), context: path });
  }
  writer.endFile({ path, size: text.length, mtimeMs: 0, sha256: "", status: "indexed" });
}
await writer.finish({ settings: "", program: "example", indexedAt: new Date().toISOString(), root: "" });

using index = new BlobIndex(IndexReader.open(file, { key }));
const tokenizer = new Tokenizer(), segments = new Segments([index]);
const text = argv[2] ?? "how do I descale it";
const terms = queryTerms(tokenizer, contentOf(text), new Synonyms(tokenizer, []));
const ranking = await Ranking.of({ segments, text, terms, mode: "keyword", fusion: "weighted", alpha: 0, ftsTopn: 10, vecTopn: 0 });
for (const { id, filePath, score } of await ranking.best({ limit: 3 })) {
  const [found] = await segments.texts(Int32Array.of(id), 200);
  console.log(`${score.toFixed(2)} ${filePath}: ${found}`);
}
