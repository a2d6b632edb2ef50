import { LEGS } from "../../config/mod.ts";
import type { QueryTerm } from "../../index/mod.ts";
import type { Collection, CollectionWanted, FoundChunk } from "../collection.ts";
import type { Meaning } from "./meaning.ts";

/** Which legs of the search answer. Where there are no vectors, `hybrid` answers by keywords. */
export type SearchMode = "hybrid" | "keyword" | "semantic";

/** The legs a ranking can stand on; see the folder `legs`. */
export const LEG_NAMES = ["keyword", ...LEGS] as const;

/** One of {@linkcode LEG_NAMES}. */
export type LegName = typeof LEG_NAMES[number];

/** Finds the best chunks of a collection by terms and by vector. */
export type Searcher = Pick<Collection, "byTerms" | "byVector">;

/** One question to a collection. */
export interface RankRequest {
  readonly collection: Collection;
  /** What finds the candidates. Default: the collection itself. */
  readonly searcher?: Searcher;
  /** What the question asks for, stop words gone. */
  readonly terms: readonly QueryTerm[];
  /** The question in plain words. */
  readonly text: string;
  readonly mode: SearchMode;
  readonly fusion: "weighted" | "rrf";
  /** Share of the vector leg where vectors of an outside model are fused: 0 to 1. */
  readonly alpha: number;
  /** Legs that a hybrid ranking stands on; others cost nothing. Default: all. */
  readonly legs?: ReadonlySet<LegName>;
  /** Candidates that the keyword and the vector leg propose. */
  readonly ftsTopn: number;
  readonly vecTopn: number;
  /** The question's vector, of length 1. Without one, {@linkcode meaning} makes it. */
  readonly queryVector?: Float32Array;
  /** Id of what the question's vector is of: it is compared with no other's. Default: with any of as many numbers. */
  readonly model?: string;
  /** Given where the indexes' vectors and words are those of the built-in table. */
  readonly meaning?: Meaning;
}

/** What a leg says of a chunk. */
export interface LegShare {
  /** As the leg's formula gives it. */
  readonly raw: number;
  /** What it adds to the chunk's score. */
  readonly share: number;
  /** Place of the chunk in the leg's own list, from 1: the keyword and the vector leg's, if it is in there. */
  readonly rank?: number;
}

/** A chunk found, and why. Scores of one {@linkcode Ranking} compare with each other only. */
export interface RankedChunk extends FoundChunk {
  /** The legs that had something to say. */
  readonly legs: Readonly<Partial<Record<LegName, LegShare>>>;
}

/** What {@linkcode Ranking.best} looks for: nothing that an earlier call for the same question left out. */
export type RankWanted = CollectionWanted;
