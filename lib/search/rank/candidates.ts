import { type Filter, TopScores } from "../../index/mod.ts";
import type { Question } from "./question.ts";

/** A chunk by its reader's number in the collection, and its score in a list. */
export interface ChunkScore {
  readonly reader: number;
  readonly chunk: number;
  readonly score: number;
  /** Place in the list of its leg, from 1; none where the list is no leg's. */
  readonly rank?: number;
}

/** Chunks to look at closely, by reader and chunk in ascending order. */
export interface Candidates {
  readonly length: number;
  readonly readers: Int32Array;
  readonly chunks: Int32Array;
  /** Places in the lists of the legs, from 1; 0 for what is not in there. */
  readonly keywordRanks: Int32Array;
  readonly vectorRanks: Int32Array;
}

/** The chunks of both lists, each once. */
export function mergeLists(keyword: readonly ChunkScore[], vector: readonly ChunkScore[]): Candidates {
  const found = new Map<string, { reader: number; chunk: number; ranks: [number, number] }>();
  for (const [list, scored] of [keyword, vector].entries()) {
    for (const { reader, chunk, rank = 0 } of scored) {
      const name = `${reader}:${chunk}`;
      let entry = found.get(name);
      if (entry === undefined) found.set(name, entry = { reader, chunk, ranks: [0, 0] });
      entry.ranks[list] = rank;
    }
  }
  const sorted = [...found.values()].sort((a, b) => a.reader - b.reader || a.chunk - b.chunk);
  return {
    length: sorted.length,
    readers: Int32Array.from(sorted, ({ reader }) => reader),
    chunks: Int32Array.from(sorted, ({ chunk }) => chunk),
    keywordRanks: Int32Array.from(sorted, ({ ranks }) => ranks[0]),
    vectorRanks: Int32Array.from(sorted, ({ ranks }) => ranks[1]),
  };
}

/** Calls `score` with the chunks of each reader; what it gives, in the order of the candidates. */
export function byReader(
  { readers, chunks }: Pick<Candidates, "readers" | "chunks">,
  score: (reader: number, chunks: Int32Array) => ArrayLike<number>,
): Float64Array {
  const scores = new Float64Array(chunks.length);
  for (let from = 0; from < chunks.length;) {
    let to = from;
    while (to < chunks.length && readers[to] === readers[from]) to++;
    scores.set(score(readers[from]!, chunks.subarray(from, to)), from);
    from = to;
  }
  return scores;
}

/** The `limit` best chunks by BM25, that of the question and of its translation added up. */
export function bestByWords(
  { lists, groups, translated, foreignFactor, request: { collection, searcher = collection } }: Question,
  limit: number,
  filter: Filter | undefined,
): ChunkScore[] {
  const numbers = new Map(collection.readers.map((reader, r) => [reader, r]));
  const own = searcher.searchLists(lists, limit, filter)
    .map(({ reader, chunk, score }) => ({ reader: numbers.get(reader)!, chunk, score }));
  if (groups === undefined) return own;
  // a chunk that is not among the best of either cannot be far up in their sum
  const foreign = groups.flatMap(({ scores }, reader) =>
    topChunks(scores, limit, filter?.(collection.readers[reader]!)).map((chunk) => ({
      reader,
      chunk,
      score: 0,
    }))
  );
  const both = mergeLists(own, foreign);
  const scores = byReader(both, (reader, chunks) => collection.score(lists, reader, chunks).scores);
  return Array.from(both.chunks, (chunk, i) => {
    const reader = both.readers[i]!;
    const foreign = collection.readers[reader]!.chunks.languages[chunk] === translated!.language;
    return {
      reader,
      chunk,
      score: (scores[i]! + groups[reader]!.scores[chunk]!) * (foreign ? foreignFactor : 1),
    };
  }).sort((a, b) => b.score - a.score || a.reader - b.reader || a.chunk - b.chunk).slice(0, limit);
}

/** The `limit` chunks of the greatest score above 0, in ascending order; more of them where the last are equal. */
function topChunks(scores: Float64Array, limit: number, allowed: Uint8Array | undefined): number[] {
  const top = new TopScores(limit);
  let threshold = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! <= threshold || allowed !== undefined && allowed[chunk] === 0) continue;
    threshold = top.offer(scores[chunk]!);
  }
  const chunks: number[] = [];
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! === 0 || scores[chunk]! < threshold) continue;
    if (allowed === undefined || allowed[chunk] === 1) chunks.push(chunk);
  }
  return chunks;
}

/** The `limit` chunks whose vectors are nearest to the question's, best first. */
export function nearestChunks(question: Question, limit: number, filter: Filter | undefined): ChunkScore[] {
  const { vector, request: { collection, searcher = collection, model } } = question;
  if (vector === undefined) return [];
  const numbers = new Map(collection.readers.map((reader, r) => [reader, r]));
  return searcher.searchVectors(vector, model, limit, filter)
    .map(({ reader, chunk, score }) => ({ reader: numbers.get(reader)!, chunk, score }));
}
