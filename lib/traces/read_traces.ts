/**
 * Reads the files of traces, the newest trace first. They are read from their ends, so a list of the last traces needs only
 * the last blocks. A line that was written in part, or that is no trace, is skipped and counted.
 */
import { fill, isMissing, LogFolder, type ReadableFile } from "#foundation/boundary/mod.ts";
import { traceFileName, traceNumbers } from "./trace_files.ts";
import { KINDS, type SpanRecord, type TraceKind, type TraceRecord } from "./types.ts";

/** Bytes that are read at once. */
const BLOCK = 256 * 1024;

/** Bytes of the longest line that is read: a trace with the most stages, with texts. */
const MAX_LINE = 64 * 1024 * 1024;

/** Which traces are listed. */
export interface TraceFilter {
  readonly kind?: TraceKind | undefined;
  /** Most traces. Default: all. */
  readonly limit?: number | undefined;
  /** Only traces with an error. */
  readonly failed?: boolean | undefined;
  /** Only traces that took at least so many milliseconds. */
  readonly minMs?: number | undefined;
  /** Only traces in which a stage fell back on another way. */
  readonly fallback?: boolean | undefined;
  /** Part of the question or of the folder's path, as far as texts were kept. */
  readonly text?: string | undefined;
  /** Only traces that began at this moment or later, and before this one; ISO 8601. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** A trace without its stages. */
export type TraceSummary = Omit<TraceRecord, "spans"> & {
  /** How many stages it has. */
  readonly stages: number;
};

/** Traces of a folder. */
export interface ReadTraces {
  /** The newest first. */
  readonly records: readonly TraceSummary[];
  /** Lines that were skipped because they are no traces. */
  readonly torn: number;
}

/** Lists the traces in the log folder `dir`, a real path. Throws `UserError` `log_unsafe` and the errors of the system. */
export async function readTraces(dir: string, filter: TraceFilter = {}): Promise<ReadTraces> {
  const { limit = Infinity } = filter;
  const records: TraceSummary[] = [];
  let torn = 0;
  for await (const line of linesOf(dir)) {
    if (records.length >= limit) break;
    const record = traceOf(line);
    if (record === undefined) torn++;
    else if (passes(record, filter)) records.push(summaryOf(record));
  }
  return { records, torn };
}

/** Returns the trace with an id, or the only one whose id begins with it; `undefined` if there are no such traces or several. */
export async function readTrace(dir: string, id: string): Promise<TraceRecord | undefined> {
  const wanted = id.toLowerCase();
  if (!/^[0-9a-f]{4,32}$/.test(wanted)) return undefined;
  const found: TraceRecord[] = [];
  for await (const line of linesOf(dir)) {
    // A line is parsed only if it has the id where the writer puts it.
    if (!line.startsWith(`{"id":"${wanted}`)) continue;
    const record = traceOf(line);
    if (record?.id === wanted) return record;
    if (record !== undefined) found.push(record);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** Returns those of the ids whose traces are in the log folder `dir`. The files are read once. */
export async function keptTraces(dir: string, ids: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  if (ids.size === 0) return found;
  for await (const line of linesOf(dir)) {
    const [, id] = LINE_START.exec(line) ?? [];
    if (id === undefined || !ids.has(id) || traceOf(line)?.id !== id) continue;
    found.add(id);
    if (found.size === ids.size) break;
  }
  return found;
}

/** The id where the writer puts it. */
const LINE_START = /^\{"id":"([0-9a-f]{32})"/;

/** A trace without its stages. */
export function summaryOf({ spans, ...rest }: TraceRecord): TraceSummary {
  return { ...rest, stages: spans.length };
}

/** Whether a filter lets a trace through. */
export function passes(record: TraceRecord, filter: TraceFilter): boolean {
  const { kind, failed, minMs, fallback, text, after, before } = filter;
  const { spans, texts } = record;
  const began = Date.parse(record.started);
  return (kind === undefined || record.kind === kind) &&
    (minMs === undefined || record.ms >= minMs) &&
    (after === undefined || began >= Date.parse(after)) &&
    (before === undefined || began < Date.parse(before)) &&
    (failed !== true || record.error !== undefined || spans.some(({ error }) => error !== undefined)) &&
    (fallback !== true || spans.some(({ facts }) => facts.fallback !== undefined)) &&
    (text === undefined || [texts?.question, texts?.root, texts?.path].some((value) => hasPart(value, text)));
}

function hasPart(value: unknown, part: string): boolean {
  return typeof value === "string" && value.toLowerCase().includes(part.trim().toLowerCase());
}

/** The trace of a line; `undefined` for anything else. */
function traceOf(line: string): TraceRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isTrace(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTrace(value: unknown): value is TraceRecord {
  if (!isObject(value)) return false;
  const { id, kind, started, ms, program, pid, facts, spans } = value;
  return isId(id, 32) && KINDS.some((known) => known === kind) && typeof started === "string" &&
    !Number.isNaN(Date.parse(started)) && isTime(ms) && typeof program === "string" &&
    typeof pid === "number" && isObject(facts) && hasTexts(value) && Array.isArray(spans) &&
    spans.every(isSpan);
}

function isSpan(value: unknown): value is SpanRecord {
  if (!isObject(value)) return false;
  const { id, parent, stage, from, ms, facts } = value;
  return isId(id, 16) && (parent === undefined || isId(parent, 16)) && typeof stage === "string" &&
    isTime(from) && isTime(ms) && isObject(facts) && hasTexts(value);
}

/** Whether the properties that may be absent have their types. */
function hasTexts({ texts, error }: Record<string, unknown>): boolean {
  return (texts === undefined || isObject(texts)) && (error === undefined || typeof error === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown, digits: number): boolean {
  return typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

/** The lines of all files, the newest first. A folder that does not exist has none. */
async function* linesOf(dir: string): AsyncGenerator<string> {
  const folder = new LogFolder(dir);
  if (!folder.exists()) return;
  for (const number of traceNumbers(folder.names())) {
    let file: ReadableFile;
    try {
      file = folder.open(traceFileName(number), "read");
    } catch (error) {
      // Another process deleted it.
      if (isMissing(error)) continue;
      throw error;
    }
    using _closed = file;
    yield* linesBackwards(file);
  }
}

/** The lines of a file, the last first, without their ends. A line that is too long is given as its end alone. */
async function* linesBackwards(file: ReadableFile): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  /** Parts of the line whose beginning was not found yet, the last first. */
  let parts: Uint8Array[] = [];
  let length = 0;
  const taken = () => decoder.decode(joined(parts, length));
  for (let end = file.statSync().size; end > 0;) {
    const start = Math.max(0, end - BLOCK);
    const block = await readAt(file, start, end - start);
    let rest = block;
    for (let at; (at = rest.lastIndexOf(LINE_END)) >= 0; rest = rest.subarray(0, at)) {
      const tail = rest.subarray(at + 1);
      parts.push(tail);
      length += tail.length;
      if (length > 0) yield taken();
      [parts, length] = [[], 0];
    }
    if (length + rest.length <= MAX_LINE) {
      parts.push(rest);
      length += rest.length;
    }
    end = start;
  }
  if (length > 0) yield taken();
}

const LINE_END = "\n".charCodeAt(0);

/** Bytes of a file from a place on; fewer at its end. */
async function readAt(file: ReadableFile, start: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  file.seekSync(start, 0);
  return bytes.subarray(0, await fill(file, bytes));
}

/** Parts in reverse order as one. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts.toReversed()) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
