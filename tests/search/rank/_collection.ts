import { encodeWords, loadTable } from "../../../lib/embedding/mod.ts";
import { Collection, IndexReader, IndexWriter } from "../../../lib/index/mod.ts";
import { Meaning, type RankRequest } from "../../../lib/search/rank/mod.ts";
import { META } from "../../index/_build.ts";
import { KEY } from "../../index/_blob_forge.ts";

/** The shipped table, loaded once for all tests of a file. */
export const meaning = new Meaning(loadTable());

/** An index of one chunk a file, with vectors and words; `files`: name -> text. Its file is gone when it is closed. */
export async function indexOf(files: Record<string, string>): Promise<IndexReader> {
  const path = await Deno.makeTempFile({ prefix: "muxue_rank_" });
  try {
    using target = await Deno.open(path, { truncate: true, read: true, write: true });
    const vectors = { model: "test", dimensions: meaning.table.dimensions, exact: false };
    const writer = new IndexWriter(target, KEY, undefined, vectors);
    let chunk = 0;
    for (const [name, text] of Object.entries(files)) {
      writer.beginFile();
      const place = { start: 0, end: text.length, startLine: 1, endLine: 1 };
      writer.addChunk({ text, context: name.replace(/\.[^.]*$/, ""), ...place, section: [] });
      const { vector, words } = meaning.analyzer.analyze(text);
      writer.setVector(chunk++, vector, encodeWords(words, meaning.table.englishCount));
      writer.endFile({ path: name, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed" });
    }
    await writer.finish(META, () => Promise.resolve());
    return IndexReader.open(Deno.openSync(path), { key: KEY });
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}

/** A hybrid question to the readers, as the default configuration asks it. */
export function question(
  readers: readonly IndexReader[],
  text: string,
  more: Partial<RankRequest> = {},
): RankRequest {
  return {
    collection: new Collection(readers),
    terms: meaning.tokenizer.queryTerms(text),
    text,
    mode: "hybrid",
    fusion: "weighted",
    alpha: 0.6,
    ftsTopn: 50,
    vecTopn: 50,
    meaning,
    ...more,
  };
}

/** Names of the files that hits are in. */
export function namesOf(hits: readonly { readonly reader: IndexReader; readonly chunk: number }[]): string[] {
  return hits.map(({ reader, chunk }) => reader.files[reader.chunks.files[chunk]!]!.path);
}
