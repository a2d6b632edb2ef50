import { encodeWords, loadTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { BlobIndex, IndexReader, IndexWriter } from "#engine/index/mod.ts";
import { type Filter, Segments } from "#engine/segments.ts";
import { Meaning, type RankedChunk, Ranking, type RankRequest, type RankWanted } from "#engine/rank/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { META } from "../index/_build.ts";
import { KEY } from "../index/_blob_forge.ts";

/** The shipped table, loaded once for all tests of a file. */
export const meaning = new Meaning(new TextAnalyzer(loadTable()));

/**
 * Returns an index with one chunk per file, with vectors and words. `files`: name -> text. Its file is removed when it is
 * closed.
 */
export async function indexOf(files: Record<string, string>): Promise<BlobIndex> {
  const path = await Deno.makeTempFile({ prefix: "muxue_rank_" });
  try {
    using target = await Deno.open(path, { truncate: true, read: true, write: true });
    const vectors = { model: "test", dimensions: meaning.table.dimensions };
    const writer = new IndexWriter(target, KEY, [], vectors);
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
    return new BlobIndex(IndexReader.open(Deno.openSync(path), { key: KEY }));
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}

/** Returns a hybrid request to the indexes with the default configuration. */
export function question(
  indexes: readonly OpenIndex[],
  text: string,
  more: Partial<RankRequest> = {},
): RankRequest {
  return {
    segments: new Segments(indexes),
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

/** Returns the best chunks of a new ranking. */
export async function bestOf(request: RankRequest, wanted: RankWanted): Promise<RankedChunk[]> {
  return await (await Ranking.of(request)).best(wanted);
}

/** Returns a filter that excludes file number `file` of each index. */
export function withoutFile(file: number): Filter {
  return ({ files }) => ({
    files: Uint8Array.from(files, (_, i) => i === file ? 0 : 1),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  });
}

/** Returns the file names of hits. */
export function namesOf(hits: readonly { readonly filePath: string }[]): string[] {
  return hits.map(({ filePath }) => filePath);
}
