import type { IndexReader, QueryTerm } from "../index/mod.ts";
import { chunkId } from "./chunk_id.ts";
import type { Passage } from "./passages.ts";
import type { LegName, LegShare, RankedChunk, WordPair } from "./rank/mod.ts";
import type { FoundChunk, SelectedChunk } from "./select.ts";
import type { SearchMode } from "./search_mode.ts";

/** Outcome of a chunk that was looked at. */
export type Outcome =
  /** It is in the answer. */
  | "shown"
  /** It is in the answer as part of a better chunk that it touches. */
  | "joined"
  /** Its file had as many chunks in the answer as `search.per_doc_limit` allows. */
  | "file_limit"
  /** It is the same chunk of a folder that is served twice. */
  | "twice"
  /** It says the same as a chunk of another file that is in the answer. */
  | "same_text"
  /** It has no word in common with the question, nor one like any of its words. */
  | "unlike"
  /** Better ones filled the answer. */
  | "below_top_k"
  /** The answer's characters (`search.max_chars`) were used up. */
  | "char_cap";

/** A chunk that was looked at, and why it is where it is. */
export interface ExplainedChunk {
  /** Place in the ranking, from 1. */
  readonly rank: number;
  readonly filePath: string;
  readonly chunkId: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: readonly string[];
  readonly score: number;
  /** Contribution of each leg: its own value, its share of the score, and the chunk's rank in its list. */
  readonly legs: Readonly<Partial<Record<LegName, LegShare>>>;
  /** Which list brought it in. */
  readonly foundBy: "keyword" | "vector" | "both";
  readonly outcome: Outcome;
  /** Of chunks in the answer, where the built-in table tells. */
  readonly pairs?: readonly WordPair[];
}

/** How an answer came about. */
export interface Explanation {
  readonly mode: SearchMode;
  readonly fusion: "weighted" | "rrf";
  /** The model of the vectors; nothing where none took part. */
  readonly model?: string;
  /** The terms searched by keywords. */
  readonly terms: readonly QueryTerm[];
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  /** The weight of each leg. */
  readonly weights: Readonly<Partial<Record<LegName, number>>>;
  /** Every chunk that was looked at, best first. */
  readonly chunks: readonly ExplainedChunk[];
}

/** The groups that {@linkcode explainChunks} tells apart. */
export interface Explained {
  /** All that were looked at, best first. */
  readonly considered: readonly FoundChunk[];
  /** Those chosen from them. */
  readonly selected: readonly SelectedChunk[];
  readonly perFile: number;
  readonly isLike: (hit: RankedChunk) => boolean;
  readonly passages: readonly Passage[];
  /** How many of the passages are in the answer. */
  readonly shown: number;
  /** Word pairs of a chunk in the answer. */
  readonly pairsOf: (hit: RankedChunk) => readonly WordPair[];
}

/** Tells of every chunk that was looked at why it is where it is. */
export function explainChunks(explained: Explained): ExplainedChunk[] {
  const { considered, selected, perFile, isLike, passages, shown, pairsOf } = explained;
  const outcomes = new Map<FoundChunk["hit"], Outcome>();
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  for (const { hit, filePath, also } of selected) {
    const at = passages.findIndex(({ best, chunks }) =>
      best.hit.reader === hit.reader && chunks.includes(hit.chunk)
    );
    const best = passages[at]?.best.hit;
    outcomes.set(hit, at >= shown ? "char_cap" : best?.chunk === hit.chunk ? "shown" : "joined");
    for (const same of also) outcomes.set(same.hit, "same_text");
    places.add(placeOf(hit, filePath));
    ofFile.set(filePath, (ofFile.get(filePath) ?? 0) + 1);
  }
  return considered.map(({ hit, filePath }, i) => {
    const { reader, chunk, score, legs } = hit;
    const outcome = outcomes.get(hit) ?? (!isLike(hit) ? "unlike" : undefined) ??
      (places.has(placeOf(hit, filePath))
        ? "twice"
        : (ofFile.get(filePath) ?? 0) >= perFile
        ? "file_limit"
        : "below_top_k");
    const pairs = outcome === "shown" ? pairsOf(hit) : [];
    const { startLine, endLine, section } = reader.chunk(chunk);
    return {
      rank: i + 1,
      filePath,
      chunkId: chunkId(reader, chunk),
      startLine,
      endLine,
      section,
      score,
      legs,
      foundBy: foundBy(legs),
      outcome,
      ...(pairs.length > 0 ? { pairs } : {}),
    };
  });
}

function placeOf({ reader, chunk }: { reader: IndexReader; chunk: number }, filePath: string): string {
  return `${filePath}\u0000${reader.chunks.row(chunk).start}`;
}

function foundBy({ keyword, vector }: RankedChunk["legs"]): ExplainedChunk["foundBy"] {
  if (keyword?.rank !== undefined) return vector?.rank === undefined ? "keyword" : "both";
  return "vector";
}
