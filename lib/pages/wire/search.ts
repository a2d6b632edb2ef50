/** `POST /api/search/query`: one search, with the hits in the order of the tools of MCP. */

export interface SearchCall {
  readonly query: string;
  readonly mode?: "hybrid" | "keyword" | "semantic";
  readonly topK?: number;
  /** Hits to skip, and `topK` of the first answer of this list. */
  readonly offset?: number;
  readonly firstTopK?: number;
  /** Names of collections or paths of folders, separated by commas. */
  readonly collections?: string;
  readonly filters?: {
    readonly path?: string;
    /** Extensions, separated by commas. */
    readonly type?: string;
    readonly lang?: string;
    readonly after?: string;
    readonly before?: string;
    readonly tags?: readonly string[];
  };
  readonly minDegree?: Degree;
}

export type Degree = "high" | "medium" | "low";

/** A stretch of a text, in UTF-16 units. */
export interface WireMark {
  readonly start: number;
  readonly end: number;
}

export interface WirePlace {
  /** Full path, as the operating system writes it. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Page, counted from 1, and its name where it has one. */
  readonly page?: number;
  readonly pageUnit?: string;
  readonly pageLabel?: string;
}

export interface WireHit extends WirePlace {
  readonly chunkId: string;
  /** Path relative to the folder of its collection, with `/`. */
  readonly shownPath: string;
  readonly collection: string;
  readonly score: number;
  readonly degree: Degree;
  readonly content: string;
  /** The line that names the hit in the answers of the tools, without quotation marks. */
  readonly citation: string;
  readonly marks: readonly WireMark[];
  readonly section: readonly string[];
  readonly sectionMarks: readonly (readonly WireMark[])[];
  /** First and last page of the passage. */
  readonly pages?: readonly [first: number, last: number];
  readonly rows?: readonly [first: number, last: number];
  readonly recognised?: boolean;
  readonly outdated?: boolean;
  readonly images?: readonly number[];
  /** Texts of a language model about the chunk. */
  readonly generated?: { readonly title?: string; readonly summary?: string };
  readonly also: readonly WirePlace[];
}

export interface SearchResult {
  readonly hits: readonly WireHit[];
  readonly seconds: number;
  readonly notices: readonly string[];
  readonly freshness?: {
    readonly state: string;
    readonly indexedAt: string;
    readonly newerFiles?: number;
  };
  readonly leftOut: readonly {
    readonly path: string;
    readonly passages: number;
  }[];
  readonly lowerDegree: number;
  readonly suggestions: readonly {
    readonly word: string;
    readonly suggestion: string;
  }[];
  readonly filterCounts: readonly {
    readonly condition: string;
    readonly documents: number;
  }[];
  /** There may be further hits. */
  readonly more: boolean;
}

/**
 * `POST /api/search/ask`: a {@linkcode SearchCall} as a question to the language model. The answer is lines: `asking` when the passages are
 * found, a `sentence` as soon as it is compared with them, and `end`.
 */
export type AskLine = AskingLine | AskedLine | AskEndLine;

export interface AskingLine {
  readonly kind: "asking";
  readonly model: string;
  readonly passages: number;
}

/** A sentence, with the spaces and line ends around it. */
export interface AskedLine {
  readonly kind: "sentence";
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** The result of the comparison. Absent for a sentence that states nothing. */
  readonly verdict?: "supported" | "conflicting" | "not_found";
  /** Why it is not supported, in the language of the question. Empty otherwise. */
  readonly mark: string;
  /** Numbers of passages, from 1. */
  readonly citations: readonly number[];
}

export interface AskEndLine {
  readonly kind: "end";
  readonly status: "answered" | "not_in_documents" | "failed";
  /** One sentence about the answer, and remarks: what was removed or left out. */
  readonly summary: string;
  readonly remarks: readonly string[];
  /** The passages that the model got, in the order of their numbers. */
  readonly hits: readonly WireHit[];
  readonly model?: string;
  readonly seconds: number;
}

/** Settings of the ranking that are tried for one call. */
export interface WireRanking {
  readonly alpha?: number | null;
  readonly "fts_topn"?: number;
  readonly "vec_topn"?: number;
  readonly "per_doc_limit"?: number;
}
