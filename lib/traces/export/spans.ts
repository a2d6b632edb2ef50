/** A recorded trace as spans of OTLP: ids, times, and the parent that a client named. */
import type { TraceRecord } from "#traces/types.ts";
import { conventional } from "./conventions.ts";
import { KIND, type OtlpSpan } from "./otlp.ts";

/** The parent of a trace in the process of a client. */
interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the client records its own spans. */
  readonly isSampled: boolean;
}

/** Flags: the trace is recorded, and it is known whether the parent is in another process. */
const SAMPLED = 0x101;
const IS_REMOTE = 0x200;

/**
 * Returns the spans of a trace, the root first. A trace whose client does not record its own spans has no spans, since they would belong
 * to a trace that the collector never gets. `withTexts`: texts and paths are included.
 */
export function* spansOf(record: TraceRecord, withTexts: boolean): Generator<OtlpSpan, void, undefined> {
  const parent = parentOf(record.parent);
  if (parent?.isSampled === false) return;
  const traceId = parent?.traceId ?? record.id;
  // The ids of the stages begin with the same digits and end with their numbers.
  const rootId = `${record.id.slice(8, 16)}ffffffff`;
  const began = Date.parse(record.started);
  const timesOf = (from: number, ms: number) => ({
    start: nanoseconds(began + from),
    end: nanoseconds(began + from + ms),
  });
  const texts = (given: TraceRecord["texts"]) => withTexts ? given ?? {} : undefined;
  const { facts, error, ms, kind, dropped } = record;
  const root = conventional({
    stage: kind,
    facts: { ...facts, ...(dropped !== undefined && { dropped }) },
    texts: texts(record.texts),
    error,
  });
  yield {
    ...root,
    traceId,
    spanId: rootId,
    parentSpanId: parent?.spanId,
    flags: parent === undefined ? SAMPLED : SAMPLED | IS_REMOTE,
    kind: parent === undefined ? KIND.internal : KIND.server,
    ...timesOf(0, ms),
  };
  for (const span of record.spans) {
    yield {
      ...conventional({ stage: span.stage, facts: span.facts, texts: texts(span.texts), error: span.error }),
      traceId,
      spanId: span.id,
      parentSpanId: span.parent ?? rootId,
      flags: SAMPLED,
      ...timesOf(span.from, span.ms),
    };
  }
}

/** Reads a `traceparent` that was checked when it came (`traceparentIn`). */
function parentOf(traceparent: string | undefined): RemoteParent | undefined {
  const [, traceId, spanId, flags] = traceparent?.split("-") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Nanoseconds of a time in milliseconds with fractions; exact to a microsecond. */
function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
