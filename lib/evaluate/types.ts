import type { Config } from "../config/mod.ts";
import type { IndexKey } from "../index/mod.ts";
import type { IngestProgress } from "../ingest/types.ts";
import type { SearchMode } from "../search/types.ts";

/** The metrics, in the order they are shown; every value lies between 0 and 1. */
export const METRICS = ["ndcg", "recall", "mrr", "hit"] as const;

/** The name of a metric. */
export type Metric = typeof METRICS[number];

/** One value for each metric. */
export type Scores = Readonly<Record<Metric, number>>;

/** Something a query should find: a document, or some of its lines. */
export interface Target {
  /** The document's id in its collection, or its path relative to the folder, `/` between the parts. */
  readonly document: string;
  /** How relevant it is; 0 and less: judged, and not relevant. */
  readonly gain: number;
  /** First and last line, counted from 1; without them any part of the document will do. */
  readonly lines?: { readonly first: number; readonly last: number };
  /** First and last page on which a hit may begin, counted from 1. */
  readonly pages?: { readonly first: number; readonly last: number };
  /** Words of a heading that must be among those that lead to a hit. */
  readonly section?: string;
}

/** A query and what is known of its answers. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  readonly targets: readonly Target[];
}

/** A document of a collection. */
export interface CollectionDocument {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  readonly text: string;
}

/** Judged queries. What a ranking counts are files (each once) or passages (several may be of one file). */
export interface QuerySet {
  readonly name: string;
  readonly unit: "file" | "passage";
  /** At least one. */
  readonly queries: readonly JudgedQuery[];
}

/** A test collection: queries with the documents they are about. */
export interface Collection extends QuerySet {
  readonly documents: readonly CollectionDocument[];
}

/** One way to search. */
export interface System {
  readonly name: string;
  readonly config: Config;
  /** Default: `search.mode` of the configuration. */
  readonly mode?: SearchMode;
}

/** A folder that queries are put to. Disposing of it removes what was made for the evaluation. */
export interface Corpus extends AsyncDisposable {
  /** Real path. */
  readonly root: string;
  /** The key that its index is sealed with. */
  readonly key: IndexKey;
  /** How many documents it holds. */
  readonly documents: number;
  /**
   * Makes its index what `config` wants, and gives the seconds that building this index took; `undefined` where it
   * was there before. Throws what `ingest` throws.
   */
  index(
    config: Config,
    options: { onProgress?: (progress: IngestProgress) => void; signal?: AbortSignal },
  ): Promise<number | undefined>;
  /** The document that a file of the folder is, by the name it has in a {@linkcode Target}. */
  documentOf(filePath: string): string;
  /** A document's name for people. */
  labelOf(document: string): string;
  /** The documents of {@linkcode Target}s that it does not hold, each once: nothing can find them. */
  missing(set: QuerySet): string[];
}

/** A mean over queries with its 95 % confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Figures of one system on one set of queries. */
export interface SystemResult {
  readonly name: string;
  /** At the depth of the {@linkcode EvaluationResult}. */
  readonly scores: Readonly<Record<Metric, Estimate>>;
  /**
   * This system less the first, query by query; the first has none. An interval without 0 is significant (p < .05).
   */
  readonly difference?: Readonly<Record<Metric, Estimate>>;
  /** Means at depth 1, 2, … */
  readonly byDepth: Readonly<Record<Metric, readonly number[]>>;
  /** Wall-clock milliseconds of a query: nearest-rank percentiles. */
  readonly milliseconds: { readonly mean: number; readonly p50: number; readonly p95: number };
  /** Seconds to build the index it used, perhaps for another system; absent where the index was there before. */
  readonly indexSeconds?: number;
  /** Notices of the search, in the user's language, each once: the first few. */
  readonly notices: readonly string[];
}

/** A query that went badly. */
export interface WorstQuery {
  readonly id: string;
  readonly query: string;
  readonly scores: Scores;
  /** The expected documents and those found first, by their names for people; the best first. */
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** Result of an evaluation. */
export interface EvaluationResult {
  readonly name: string;
  readonly documents: number;
  readonly queries: number;
  /** How many hits count. */
  readonly k: number;
  /** In the order asked for. */
  readonly systems: readonly SystemResult[];
  /** Queries on which the last system failed or did badly by nDCG, the worst first. */
  readonly worst: readonly WorstQuery[];
  readonly perQuery: readonly {
    readonly id: string;
    readonly query: string;
    readonly scores: Readonly<Record<string, Scores>>;
  }[];
}

/** How an evaluation goes on. */
export type EvaluationProgress =
  | { readonly step: "write"; readonly done: number; readonly total: number }
  | { readonly step: "index"; readonly ingest: IngestProgress }
  | { readonly step: "query"; readonly system: string; readonly done: number; readonly total: number };
