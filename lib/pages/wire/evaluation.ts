/** The calls of the page Evaluation. Nothing here imports anything but types of this folder. */

/** Most characters of a set of questions. */
export const MOST_QUESTIONS_TEXT = 4_000_000;
/** Most questions of a comparison in one answer. */
export const MOST_CHANGES = 1000;

/** The metrics of the search in their order. All values are between 0 and 1. */
export const METRICS = ["ndcg", "recall", "mrr", "hit"] as const;

export type WireMetric = typeof METRICS[number];

/** `POST /api/evaluation/run`: measures the search of a folder in lines: its progress, at the end the result. The run is kept. */
export interface EvaluateCall {
  /** Name of a collection. */
  readonly folder: string;
  /** Names the questions in the history, as the name of their file does for `eval`. */
  readonly name: string;
  /** JSON lines, as `eval` takes them. */
  readonly questions: string;
  /** A name that `eval --compare` knows. Default: each mode that the index supports. */
  readonly system?: string;
  /** Number of hits that count. Default: 10. */
  readonly k?: number;
}
export type EvaluateLine =
  | { readonly progress: { readonly system: string; readonly done: number; readonly total: number } }
  | { readonly result: WireEvaluation };

export interface WireEvaluation {
  /** Its name in the history. Absent if it was not kept. */
  readonly run?: string;
  readonly name: string;
  readonly documents: number;
  readonly queries: number;
  readonly k: number;
  readonly systems: readonly WireSystem[];
  /** The questions with the lowest nDCG of the last system, lowest first. */
  readonly worst: readonly WireWorst[];
  /** Documents that should be found and are not in the index: their number, and some. */
  readonly missing: number;
  readonly missingNames: readonly string[];
  /** Questions of the text that were left out, since nobody has accepted them. */
  readonly unaccepted: number;
  readonly notices: readonly string[];
}

/** A mean with its 95 % interval. */
export interface WireEstimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A mode of search with its figures. */
export interface WireSystem {
  readonly name: string;
  readonly scores: Readonly<Record<WireMetric, WireEstimate>>;
  /** From the first system, question by question. Absent for the first. */
  readonly difference?: Readonly<Record<WireMetric, WireEstimate>>;
  readonly milliseconds: { readonly p50: number; readonly p95: number };
}

export interface WireWorst {
  readonly question: string;
  readonly ndcg: number;
  readonly expected: readonly string[];
  readonly found: readonly string[];
  /** The expected file, as the page Why not takes it. */
  readonly file?: string;
}

/** `POST /api/evaluation/history`: the runs of a folder that are kept, also those of `eval`. */
export interface HistoryCall {
  readonly folder: string;
}
export interface HistoryAnswer {
  /** The oldest first. */
  readonly runs: readonly WireEvalRun[];
}
export interface WireEvalRun {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly version: string;
  readonly results: readonly {
    readonly set: string;
    readonly system: string;
    readonly questions: number;
    /** By metrics such as `ndcg@10`; null where it could not be computed. */
    readonly means: Readonly<Record<string, number | null>>;
  }[];
}

/** `POST /api/evaluation/compare`: two runs of a folder beside each other. */
export interface CompareCall {
  readonly folder: string;
  /** Names of the runs. */
  readonly before: string;
  readonly now: string;
}
export interface CompareAnswer {
  readonly differences: readonly {
    readonly set: string;
    readonly system: string;
    readonly metric: string;
    readonly before: number;
    readonly now: number;
    readonly difference: WireEstimate;
    readonly questions: number;
  }[];
  /** Settings that differ, with their values as JSON. */
  readonly settings: readonly { readonly name: string; readonly before?: string; readonly now?: string }[];
  /** Questions of the search, those that became worst first; at most {@linkcode MOST_CHANGES} of `total`. */
  readonly changes: readonly WireRankChange[];
  readonly total: number;
}
export interface WireRankChange {
  readonly set: string;
  readonly system: string;
  readonly question: string;
  /** Rank of the first right hit. Absent where none of the hits that count was right. */
  readonly before?: number;
  readonly now?: number;
  /** By how much its nDCG is higher than before. */
  readonly difference: number;
  /** Ids of its traces. Absent where they were not recorded or are gone. */
  readonly traceBefore?: string;
  readonly traceNow?: string;
}

/** `POST /api/evaluation/draft`: proposes questions about a folder, in lines: its progress, at the end the questions. Nothing is written. */
export interface DraftCall {
  readonly folder: string;
}
export type DraftLine =
  | { readonly progress: { readonly done: number; readonly total: number } }
  | { readonly drafts: readonly WireDraft[] };

export interface WireDraft {
  readonly question: string;
  readonly spans: readonly {
    readonly file: string;
    readonly "start_line": number;
    readonly "end_line": number;
    readonly page?: number;
  }[];
  /** A sentence that answers it. */
  readonly reference: string;
  /** The text that it was made of. */
  readonly passage: string;
}
