/**
 * Stages of work as they are traced. A tracer that is off is `undefined`, so that `span?.child(…)` costs nothing. The house
 * `lib/traces` records them; this file needs no other, so that every house can name its stages.
 */

/** Stages of a trace, named for what they do. */
export type Stage =
  | "query"
  | "query_processing"
  | "keyword"
  | "translation"
  | "vector"
  | "neural"
  | "rewrite"
  | "fusion"
  | "rerank"
  | "selection"
  | "passages"
  | "freshness"
  | "answer"
  | "check"
  | "ingestion"
  | "walk"
  | "file"
  | "load"
  | "split"
  | "transform"
  | "embed"
  | "store"
  | "recognise"
  | "generate";

/** Facts about a stage: JSON values. */
export type Facts = Readonly<Record<string, unknown>>;

/** Values of `observability.detail`. */
export type Detail = "minimal" | "standard" | "verbose";

/** Most candidates that a stage lists, by the detail of its trace. */
export const LISTED: Readonly<Record<Detail, number>> = { minimal: 0, standard: 20, verbose: 200 };

/** A candidate of a stage, in the fact `candidates`. */
export interface Candidate {
  /** The id of the chunk, as in a hit. */
  readonly chunk: string;
  /** Full path of the file. It is a text: the recorder keeps it only where texts are kept. */
  readonly path?: string;
  readonly score: number;
  /** Counted from 1. */
  readonly rank: number;
}

/**
 * A stage of work while it runs. Its facts hold no text of questions or documents, no messages and, but for
 * {@linkcode Candidate}, no paths. Its `texts` do, and are kept only where the user allows it. Well-known facts: `method`,
 * `provider`, `counts` (`{name: n}`), `candidates` ({@linkcode Candidate}), `fallback` and `reason`.
 */
export interface Span {
  /** Id of the trace: 32 hexadecimal digits. */
  readonly trace: string;
  readonly detail: Detail;
  /** Begins a stage inside this one. */
  child(stage: Stage, facts?: Facts): Span;
  /** Adds facts, which replace those of the same name, but for `counts`, which are joined. */
  add(facts: Facts, texts?: Facts): void;
  /** Ends the stage, once, and those inside it that are open. The end of a trace's first stage ends the trace. */
  end(error?: unknown): void;
  /**
   * Has work done a moment after the end of the trace, when an answer has left: facts that cost time to find out. It may
   * still `add` them. The works of a trace are done one after the other, each once, and what they throw is ignored.
   */
  after(work: () => void | Promise<void>): void;
}
