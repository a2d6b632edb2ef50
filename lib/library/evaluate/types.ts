/** The judged questions of an evaluation, the systems that answer them, and their scores. */
import type { MatchDegree } from "#library/search/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import type { NeuralProgress } from "#library/ingest/mod.ts";
import type { IngestProgress } from "#library/ingest/types.ts";
import type { SearchMode } from "#library/search/types.ts";
import type { IndexDirs } from "#library/store/mod.ts";

/** The metrics in the order in which they are shown. All values are between 0 and 1. */
export const METRICS = ["ndcg", "recall", "mrr", "hit"] as const;

export type Metric = typeof METRICS[number];

/** One value for each metric. */
export type Scores = Readonly<Record<Metric, number>>;

interface Range {
  readonly first: number;
  readonly last: number;
}

/** A document, or a part of one, that a query should find. */
export interface Target {
  /** The document's id in its collection, or its path relative to the folder with `/` between its parts. */
  readonly document: string;
  /** How relevant it is. 0 or less means judged and not relevant. */
  readonly gain: number;
  /** First and last line, counted from 1. Default: the whole document. */
  readonly lines?: Range;
  /** First and last page on which a hit may begin, counted from 1. Default: all pages. */
  readonly pages?: Range;
  /** Words that a heading above the hit must contain. */
  readonly section?: string;
}

/** A query with its relevance judgements. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  readonly targets: readonly Target[];
}

/** A document of a test collection. */
export interface TestDocument {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  readonly text: string;
}

/** Judged queries. A ranking counts files, each once, or passages, of which a file may have several. */
export interface QuerySet {
  readonly name: string;
  readonly unit: "file" | "passage";
  /** At least one. */
  readonly queries: readonly JudgedQuery[];
}

/** A question with what is needed to measure its answer. */
export interface AnsweredQuestion {
  readonly id: string;
  readonly question: string;
  readonly answer?: string;
  /** A right answer. */
  readonly reference?: string;
  /** The texts that the answer was made of, best first. */
  readonly passages?: readonly string[];
  /** The same as the ids of chunks. */
  readonly chunkIds?: readonly string[];
}

/** Questions whose answers are measured. */
export interface AnswerSet {
  readonly name: string;
  /** At least one. Each has an answer or a reference. */
  readonly questions: readonly AnsweredQuestion[];
}

/** A test collection: documents and judged queries about them. */
export interface TestCollection extends QuerySet {
  readonly documents: readonly TestDocument[];
}

/** A search mode with a configuration: one of the things that an evaluation compares. */
export interface System {
  readonly name: string;
  readonly config: Config;
  /** Default: `search.mode` of the configuration. */
  readonly mode?: SearchMode;
}

/** A folder that is searched. Disposing of it removes the files made for the evaluation. */
export interface Corpus extends AsyncDisposable {
  /** Real path. */
  readonly root: string;
  /** The key of its index. */
  readonly key: IndexKey;
  /** Data folders that are not `DIR/.muxue_rag`. */
  readonly indexDirs?: IndexDirs | undefined;
  /** Number of documents. */
  readonly documents: number;
  /**
   * Builds the index that `config` describes, unless it is up to date. Returns the seconds that it took to build, or
   * `undefined` for an index that existed before the evaluation. Throws the errors of `ingest`.
   */
  index(config: Config, options: IndexingOptions): Promise<number | undefined>;
  /** Returns a configuration with the rules that its documents were selected by. */
  rules(config: Config): Config;
  /** Opens the local models that a configuration names; `undefined` if it names none or they cannot be used. */
  readonly models: ModelsOf;
  /** Returns the document of a file as {@linkcode Target.document} names it. */
  documentOf(filePath: string): string;
  /** Returns the name of a document to show to the user. */
  labelOf(document: string): string;
  /** Returns the relevant documents of a set that are not in the folder, each once. */
  missing(set: QuerySet): string[];
}

/** Opens the local models of a configuration. */
export type ModelsOf = (config: Config) => Promise<NeuralModels | undefined>;

/** Options of {@linkcode Corpus.index}. */
export interface IndexingOptions {
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Called with the number of vectors of local models made so far, and of all. */
  readonly onVectors?: (progress: NeuralProgress) => void;
  readonly signal?: AbortSignal;
}

/** A mean over queries with its 95 % confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Results of one system on one set of queries. */
export interface SystemResult {
  readonly name: string;
  /** At the depth of the {@linkcode EvaluationResult}. */
  readonly scores: Readonly<Record<Metric, Estimate>>;
  /**
   * Mean of the differences to the first system, query by query; absent for the first. If the interval does not contain 0,
   * the difference is significant (p < .05).
   */
  readonly difference?: Readonly<Record<Metric, Estimate>>;
  /** Means at depths 1, 2, … */
  readonly byDepth: Readonly<Record<Metric, readonly number[]>>;
  /** How many hits of each degree are right, for each pair of languages that has hits. */
  readonly degrees: readonly DegreePrecision[];
  /** Wall-clock milliseconds of a query. The percentiles are nearest-rank. */
  readonly milliseconds: { readonly mean: number; readonly p50: number; readonly p95: number };
  /** Seconds to build the index, which systems may share. Absent if the index existed before. */
  readonly indexSeconds?: number;
  /** The first few distinct notices of the search, in the user's language. */
  readonly notices: readonly string[];
}

/** A query with a bad ranking. */
export interface WorstQuery {
  readonly id: string;
  readonly query: string;
  readonly scores: Scores;
  /** Names of the most relevant documents and of the first hits. */
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

export interface EvaluationResult {
  readonly name: string;
  readonly documents: number;
  readonly queries: number;
  /** Number of hits that count. */
  readonly k: number;
  /** In the order of the call. */
  readonly systems: readonly SystemResult[];
  /** Queries with the lowest nDCG of the last system, lowest first. */
  readonly worst: readonly WorstQuery[];
  readonly perQuery: readonly PerQuery[];
}

/** A query with its scores by the names of the systems. */
export interface PerQuery {
  readonly id: string;
  readonly query: string;
  readonly scores: Readonly<Record<string, Scores>>;
  /** Ids of the traces, for those that were traced. */
  readonly traces?: Readonly<Record<string, string>>;
}

/** Progress of an evaluation. */
export type EvaluationProgress =
  | { readonly step: "write"; readonly done: number; readonly total: number }
  | { readonly step: "index"; readonly ingest: IngestProgress }
  | { readonly step: "vectors"; readonly done: number; readonly total: number }
  | { readonly step: "query"; readonly system: string; readonly done: number; readonly total: number };

/** A hit with its degree and whether it finds a relevant target. */
export type DegreeOfHit = Readonly<{ query: string; text: string; degree: MatchDegree; right: boolean }>;

/** How many hits of each degree are right, for queries in one language and hits in one language. */
export interface DegreePrecision {
  /** Codes of the languages by their scripts: `en`, `zh`, `ja`, `ko` or `other`. */
  readonly query: string;
  readonly text: string;
  readonly degrees: Readonly<Record<MatchDegree, { readonly hits: number; readonly right: number }>>;
}
