/** The calls of the pages of traces. Nothing here imports anything but types of this folder. */
import type { WireHit, WireRanking } from "./search.ts";

export type TraceKind = "query" | "ingestion";

/** `POST /api/traces/list`: the newest traces first. */
export interface TraceListCall {
  readonly kind: TraceKind;
  /** Part of the question, or of the folder's path, as far as texts are kept. */
  readonly text?: string;
  /** Only traces that took at least so many milliseconds. */
  readonly minMs?: number;
  /** Only traces with an error; only those in which a stage fell back on another way. */
  readonly failed?: boolean;
  readonly fallback?: boolean;
  /** Only traces that began at this moment or later, and before this one; ISO 8601. */
  readonly after?: string;
  readonly before?: string;
}

export interface TraceListAnswer {
  /** At most {@linkcode MOST_TRACES}. */
  readonly traces: readonly WireTraceSummary[];
  /** There are older ones. */
  readonly more: boolean;
  /** Lines of the files that are no traces, such as one that was being written when the machine stopped. */
  readonly torn: number;
  /** Nothing is traced: `observability.traces` is `off`. */
  readonly isOff: boolean;
}

/** Traces that a list has at most. */
export const MOST_TRACES = 1000;

/** A trace without its stages. */
export interface WireTraceSummary {
  readonly id: string;
  readonly kind: TraceKind;
  /** ISO 8601. */
  readonly started: string;
  /** Elapsed milliseconds. */
  readonly ms: number;
  readonly stages: number;
  /** The question, or the folder. Absent where no texts are kept. */
  readonly text?: string;
  readonly method?: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Name of the error. */
  readonly error?: string;
}

/** `POST /api/traces/show`. */
export interface TraceCall {
  readonly id: string;
}

export interface TraceAnswer extends WireTraceSummary {
  readonly program: string;
  readonly pid: number;
  readonly facts: Facts;
  readonly texts?: Facts;
  /** In the order in which they began. */
  readonly spans: readonly WireSpan[];
  /** Stages that were not recorded, since there were too many. */
  readonly dropped?: number;
  /** The question is known, so that it can be asked again. */
  readonly canReplay: boolean;
}

export type Facts = Readonly<Record<string, unknown>>;

/** A stage. Its names come from `stage`, `method` and `provider`, so that a new component needs no change of the page. */
export interface WireSpan {
  readonly id: string;
  /** Id of the stage that it is in. Absent directly below the trace. */
  readonly parent?: string;
  readonly stage: string;
  /** Milliseconds after the trace began, and that it took. */
  readonly from: number;
  readonly ms: number;
  readonly facts: Facts;
  readonly texts?: Facts;
  readonly error?: string;
}

/** A candidate in the fact `candidates` of a stage. */
export interface WireCandidate {
  readonly chunk: string;
  readonly path?: string;
  readonly score: number;
  /** Counted from 1. */
  readonly rank: number;
}

/** `POST /api/traces/replay`: asks the question of a trace again, as it was asked and with other settings. Nothing is stored. */
export interface ReplayCall {
  readonly id: string;
  readonly settings: ReplaySettings;
}

/** The settings that a request may set. */
export interface ReplaySettings {
  readonly mode?: "keyword" | "semantic" | "hybrid";
  readonly topK?: number;
  readonly minDegree?: "high" | "medium" | "low";
  readonly ranking?: WireRanking;
}

export interface ReplayAnswer {
  /** The hits as the trace's request finds them now, and with the settings. */
  readonly before: readonly WireHit[];
  readonly after: readonly WireHit[];
  readonly ms: readonly [before: number, after: number];
}
