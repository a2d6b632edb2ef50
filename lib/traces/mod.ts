/**
 * The public face of the house. It is imported when something is traced or read, never by a start.
 * @module
 */
export { isTraceFile } from "./trace_files.ts";
export { keptTraces, passes, readTrace, readTraces, summaryOf } from "./read_traces.ts";
export type { ReadTraces, TraceFilter, TraceSummary } from "./read_traces.ts";
export { Traces } from "./traces.ts";
export * from "./types.ts";
