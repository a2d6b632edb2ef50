import { encodeWords, loadTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { BlobIndex, IndexReader, IndexWriter, MemoryFile, type OpenIndex } from "#engine/index/mod.ts";
import { type Filter, Segments } from "#engine/segments.ts";
import { Meaning, type RankedChunk, Ranking, type RankRequest, type RankWanted } from "#engine/rank/mod.ts";
import { chunk, META, recordOf } from "../index/_build.ts";
import { KEY } from "../index/_blob_forge.ts";

/** The shipped table, loaded once for all tests of a file. */
export const meaning = new Meaning(new TextAnalyzer(loadTable()));

/** Returns an index with one chunk per file, with vectors and words. `files`: name -> text. */
export async function indexOf(files: Record<string, string>): Promise<BlobIndex> {
  const target = new MemoryFile();
  const writer = new IndexWriter(target, KEY, [], { model: "test", dimensions: meaning.table.dimensions });
  for (const [i, [name, text]] of Object.entries(files).entries()) {
    writer.beginFile();
    writer.addChunk(chunk(text, { context: name.replace(/\.[^.]*$/, "") }));
    const { vector, words } = meaning.analyzer.analyze(text);
    writer.setVector(i, vector, encodeWords(words, meaning.table.englishCount));
    writer.endFile(recordOf(name));
  }
  await writer.finish(META);
  return new BlobIndex(IndexReader.open(target, { key: KEY }));
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

/** Returns the best chunks of an index of `files` for a question. */
export async function hitsIn(
  files: Record<string, string>,
  text: string,
  more: Partial<RankRequest> = {},
): Promise<RankedChunk[]> {
  return await bestOf(question([await indexOf(files)], text, more), { limit: 20 });
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
