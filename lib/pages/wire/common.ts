/** The types that all pages share with the server: their names, errors, and the facts of a session. Nothing here imports anything else. */

/** Names of the pages, in the order of the navigation; `/NAME` is the address of a page. */
export const PAGE_NAMES = [
  "search",
  "why-not",
  "overview",
  "documents",
  "ingestion",
  "ingestion-traces",
  "query-traces",
  "evaluation",
] as const;

export type PageName = typeof PAGE_NAMES[number];

/** The answer to a call that failed, with a status of 400 or more; in a stream of lines, its last line. */
export interface ErrorAnswer {
  readonly error: {
    /** Key of the message, which does not change with the language. */
    readonly key: string;
    readonly message: string;
  };
}

/**
 * `POST /api/session/open`: exchanges a code of an opened address for a token of the pages, which lives as long as the program. Without a
 * code it needs a token of the server.
 */
export interface OpenCall {
  readonly code?: string;
}
export interface OpenAnswer {
  readonly token: string;
}

/** `POST /api/session/info`: what the browser needs to know before the first page. */
export interface SessionInfo {
  readonly version: string;
  readonly language: "zh" | "en";
  readonly collections: readonly {
    readonly name: string;
    readonly root: string;
  }[];
  /** Which parts there are: with limits of access only searching and reading. */
  readonly can: {
    /** A language model answers questions. */
    readonly ask: boolean;
    /** Indexes are updated. */
    readonly ingest: boolean;
    /** Files are shown in the file manager of this machine. */
    readonly reveal: boolean;
  };
}

/** `POST /api/session/reveal`: shows a file in the file manager. The answer is `{}`. */
export interface RevealCall {
  /** Its full path. */
  readonly path: string;
}
