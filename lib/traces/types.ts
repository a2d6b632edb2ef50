/** A trace as it is recorded, written and read. Only types, so that nothing is loaded for them. */
import type { Detail, Facts, Span, Stage } from "#foundation/span.ts";

/** Kinds of traces. */
export const KINDS = ["query", "ingestion"] as const;

/** One of {@linkcode KINDS}. */
export type TraceKind = typeof KINDS[number];

/** A stage of a trace. */
export interface SpanRecord {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Id of the stage that it is in; absent directly below the trace. */
  readonly parent?: string;
  readonly stage: Stage;
  /** Milliseconds after the trace began. */
  readonly from: number;
  /** Milliseconds that it took. */
  readonly ms: number;
  readonly facts: Facts;
  /** Absent on the disk unless `observability.traces` is `text`. */
  readonly texts?: Facts;
  /** The key of the message, or the name of the error. The message is the text `error`. */
  readonly error?: string;
}

/** A trace: a query or an ingestion from its beginning to its end. */
export interface TraceRecord {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly kind: TraceKind;
  /** When it began, in ISO 8601. */
  readonly started: string;
  /** Milliseconds that it took. */
  readonly ms: number;
  /** The program's version. */
  readonly program: string;
  /** The process. */
  readonly pid: number;
  /** The client's `traceparent`. */
  readonly parent?: string;
  readonly facts: Facts;
  readonly texts?: Facts;
  readonly error?: string;
  /** In the order in which they began. */
  readonly spans: readonly SpanRecord[];
  /** Stages that were not recorded, since there were too many. */
  readonly dropped?: number;
}

/** Options of a trace when it begins. */
export interface Beginning {
  readonly texts?: Facts;
  /** The client's `traceparent`. */
  readonly parent?: string | undefined;
}

/** Begins traces. */
export interface Tracer {
  /** Begins a trace. The span is its first stage, `kind`. */
  begin(kind: TraceKind, facts?: Facts, beginning?: Beginning): Span;
}

/** Options of the recorder. */
export interface TracesOptions {
  /** Real path of the log folder; `null` if there is no folder to write to. */
  readonly dir: string | null;
  /** Values of `observability`. `ids`: no texts and no paths on the disk. */
  readonly traces: "ids" | "text";
  readonly detail: Detail;
  /** Size of a file after which the next one begins, in MB of 1,000,000 bytes. */
  readonly maxMb: number;
  /** Files that are kept, the one that is written included. */
  readonly keep: number;
  /** The program's version. */
  readonly program: string;
  /** The configured secrets; they are replaced wherever they occur. */
  readonly secrets?: readonly string[];
  /** Called with each finished trace, as it is written. Never throws. */
  readonly onTrace?: (record: TraceRecord) => void;
}
