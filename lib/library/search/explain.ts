/** The reasons for an answer: what became of every chunk that was considered, and what its score was computed from. */
import type { QueryTerm, StoredChunk } from "#engine/index/mod.ts";
import type { LegName, RankedChunk, Ranking, SearchMode, WordPair } from "#engine/rank/mod.ts";
import { chunkId, type Segments } from "#engine/segments.ts";
import { present } from "#foundation/present.ts";
import type { Added } from "./added_words.ts";
import type { Passage, SelectedChunk } from "./passages.ts";

/** Outcome of a chunk that was considered. */
export type Outcome =
  /** It is in the answer. */
  | "shown"
  /** It is in the answer as part of a better chunk that it touches. */
  | "joined"
  /** Its file had as many chunks in the answer as `search.per_doc_limit` allows. */
  | "file_limit"
  /** It is the same chunk of a folder that is served twice. */
  | "twice"
  /** It has the same text as a chunk of another file in the answer. */
  | "same_text"
  /** A newer document with the same text stands in its place. */
  | "older_text"
  /** It shares no word with the question, nor has it a similar one. */
  | "unlike"
  /** Better ones filled the answer. */
  | "below_top_k"
  /** The answer's characters (`search.max_chars`) were used up. */
  | "char_cap";

/** A chunk that was considered, with its place in the file, what its score was computed from, and the reasons for its rank. */
export interface ExplainedChunk extends
  Pick<StoredChunk, "startLine" | "endLine" | "section" | "page">,
  Pick<
    RankedChunk,
    "filePath" | "score" | "legs" | "chance" | "signs" | "generated" | "evidence" | "rerank" | "recency"
  > {
  /** Counted from 1. */
  readonly rank: number;
  readonly chunkId: string;
  /** The list that proposed it. */
  readonly foundBy: "keyword" | "vector" | "both";
  readonly outcome: Outcome;
  /** Only for chunks in the answer, and only with the built-in table. */
  readonly pairs?: readonly WordPair[];
}

/** Explanation of an answer. */
export interface Explanation {
  readonly mode: SearchMode;
  readonly fusion: "weighted" | "rrf";
  /** The model of the vectors; absent if no vectors were used. */
  readonly model?: string;
  /** The reranker that judged the best candidates, and the number of these. Absent without one, or if it failed. */
  readonly reranker?: { readonly id: string; readonly count: number };
  /** The terms searched by keywords. */
  readonly terms: readonly QueryTerm[];
  /** Words beside those of the question. Their terms are among those above, with low weights. */
  readonly added?: Added;
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  /** How a boolean query was understood, with every AND. */
  readonly understood?: string;
  /** The weight of each leg. */
  readonly weights: Readonly<Partial<Record<LegName, number>>>;
  /** Every chunk that was considered, best first. */
  readonly chunks: readonly ExplainedChunk[];
}

/** Input of {@linkcode explainChunks}. */
interface Explained {
  readonly segments: Segments;
  readonly ranking: Ranking;
  /** All chunks that were considered, best first. */
  readonly considered: readonly RankedChunk[];
  readonly selected: readonly SelectedChunk[];
  readonly perFile: number;
  readonly isLike: (chunk: RankedChunk) => boolean;
  readonly passages: readonly Passage[];
  /** Number of passages in the answer. */
  readonly shown: number;
}

/** Returns every chunk that was considered with the reasons for its rank. */
export async function explainChunks(explained: Explained): Promise<ExplainedChunk[]> {
  const { segments, ranking, considered } = explained;
  const ascending = considered.toSorted((a, b) => a.id - b.id);
  const ids = Int32Array.from(ascending, ({ id }) => id);
  const [stored, identities] = await Promise.all([segments.chunks(ids), segments.identities(ids)]);
  const read = new Map(ascending.map((chunk, i) => [chunk.id, [stored[i]!, identities[i]!] as const]));
  const outcomeOf = outcomesOf(explained, ({ id, filePath }) => `${filePath}\u0000${read.get(id)![0].start}`);
  const shown = ascending.filter((chunk) => outcomeOf(chunk) === "shown");
  const pairs = await ranking.pairs(shown);
  const pairsOf = new Map(shown.map(({ id }, i) => [id, pairs[i]!]));
  return considered.map((chunk, i) => {
    const { filePath, score, legs, chance, signs, generated, evidence, rerank, recency } = chunk;
    const [stored, identity] = read.get(chunk.id)!;
    const { startLine, endLine, section, page } = stored;
    const pairs = pairsOf.get(chunk.id) ?? [];
    return present({
      rank: i + 1,
      filePath,
      chunkId: chunkId(chunk, stored, identity),
      startLine,
      endLine,
      section,
      page,
      score,
      legs,
      chance,
      signs,
      generated: generated || undefined,
      evidence,
      rerank,
      recency,
      foundBy: foundBy(legs),
      outcome: outcomeOf(chunk),
      pairs: pairs.length > 0 ? pairs : undefined,
    });
  });
}

/** Returns the outcome of each chunk. `placeOf`: the same for a chunk of a folder that is served twice. */
function outcomesOf(
  { considered, selected, perFile, isLike, passages, shown }: Explained,
  placeOf: (chunk: RankedChunk) => string,
): (chunk: RankedChunk) => Outcome {
  const outcomes = new Map<number, Outcome>();
  const rankOf = new Map(considered.map((chunk, i) => [chunk.id, i]));
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  for (const chunk of selected) {
    const { id, filePath, also } = chunk;
    const at = passages.findIndex(({ chunks }) => chunks.some((part) => part.id === id));
    outcomes.set(id, at >= shown ? "char_cap" : passages[at]?.best.id === id ? "shown" : "joined");
    const rank = rankOf.get(id)!;
    for (const same of also) outcomes.set(same.id, rankOf.get(same.id)! < rank ? "older_text" : "same_text");
    places.add(placeOf(chunk));
    ofFile.set(filePath, (ofFile.get(filePath) ?? 0) + 1);
  }
  return (chunk) => {
    const known = outcomes.get(chunk.id);
    if (known !== undefined) return known;
    if (!isLike(chunk)) return "unlike";
    if (places.has(placeOf(chunk))) return "twice";
    return (ofFile.get(chunk.filePath) ?? 0) >= perFile ? "file_limit" : "below_top_k";
  };
}

function foundBy({ keyword, vector, neural }: RankedChunk["legs"]): ExplainedChunk["foundBy"] {
  const isNear = vector?.rank !== undefined || neural?.rank !== undefined;
  if (keyword?.rank !== undefined) return isNear ? "both" : "keyword";
  return "vector";
}
