/**
 * The recorder of traces. A finished query stays in memory with its texts; every finished trace becomes a line of a file, with
 * the texts only if the user wants that. Recording never throws and never delays an answer: lines are written a moment later.
 */
import { UserError } from "#foundation/errors.ts";
import { PROCESS_ID, unrefTimer } from "#foundation/runtime.ts";
import { type Candidate, type Detail, type Facts, LISTED, type Span, type Stage } from "#foundation/span.ts";
import { TraceFiles } from "./trace_files.ts";
import type { Beginning, SpanRecord, TraceKind, Tracer, TraceRecord, TracesOptions } from "./types.ts";

/** Queries that are kept in memory. */
const RECENT = 200;

/** Most stages of a trace. A span takes 300 bytes of memory and 200 of its line. */
const MAX_SPANS = 50_000;

/** Milliseconds until finished traces are written. The answer has left the program by then. */
const DELAY_MS = 30;

/** Records traces. */
export class Traces implements Tracer {
  readonly #options: TracesOptions;
  readonly #files: TraceFiles | undefined;
  /** Loaded with the first trace that is recorded: the answer does not wait for it. */
  #withoutSecrets: ((text: string) => string) | undefined;
  readonly #recent: TraceRecord[] = [];
  /** Traces that have ended and are not recorded. */
  readonly #finished: OpenTrace[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTimerWanted = false;
  /** The id of the next trace, made in advance so that no search waits for it. */
  #nextId: string | undefined = randomId();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: TracesOptions) {
    const { dir, maxMb, keep } = options;
    this.#options = options;
    this.#files = dir === null ? undefined : new TraceFiles(dir, { maxBytes: maxMb * 1e6, keep });
  }

  begin(kind: TraceKind, facts: Facts = {}, { texts, parent }: Beginning = {}): Span {
    const trace = new OpenTrace(kind, this.#nextId ?? randomId(), this.#options, parent, this.#onEnd);
    this.#nextId = undefined;
    const root = trace.begin(facts);
    if (texts !== undefined) root.add(NO_FACTS, texts);
    return root;
  }

  readonly #onEnd = (trace: OpenTrace): void => {
    this.#finished.push(trace);
    if (this.#timer !== undefined || this.#isTimerWanted) return;
    this.#isTimerWanted = true;
    // A timer takes as long as two stages, so the answer leaves first.
    setImmediate(() => {
      this.#isTimerWanted = false;
      if (this.#finished.length === 0) return;
      this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS);
      unrefTimer(this.#timer);
    });
  };

  /** The last queries, the newest first, with their texts. Those that ended just now are there after {@linkcode flush}. */
  recent(): readonly TraceRecord[] {
    return this.#recent.toReversed();
  }

  /** A query of {@linkcode recent}. */
  find(id: string): TraceRecord | undefined {
    return this.#recent.find((record) => record.id === id);
  }

  /** Finds out whether traces could be written, which {@linkcode problem} then says. */
  try(): void {
    this.#files?.try();
  }

  /** Why the last trace could not be written; absent while all is well. */
  get problem(): UserError | undefined {
    return this.#files === undefined ? new UserError("log_no_folder") : this.#files.problem;
  }

  /** Records the traces that have ended by now. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#turn = this.#turn.then(async () => {
      if (this.#finished.length > 0 && this.#withoutSecrets === undefined) {
        const { secretRemover } = await import("#foundation/log_lines.ts");
        this.#withoutSecrets = secretRemover(this.#options.secrets ?? []);
      }
      for (const trace of this.#finished.splice(0)) this.#record(await trace.record(), this.#withoutSecrets!);
      this.#nextId ??= randomId();
    });
  }

  /** Records the traces that have ended, and closes the file. */
  async close(): Promise<void> {
    await this.flush();
    this.#files?.[Symbol.dispose]();
  }

  #record(record: TraceRecord, withoutSecrets: (text: string) => string): void {
    if (record.kind === "query" && this.#recent.push(record) > RECENT) this.#recent.shift();
    const kept = this.#options.traces === "text" ? record : withoutTexts(record);
    this.#options.onTrace?.(kept);
    this.#files?.append(withoutSecrets(lineOf(kept)));
  }
}

/** Returns the line of a record without its line break. A trace with values that JSON cannot hold keeps neither its facts nor its texts. */
function lineOf(record: TraceRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, facts: { unwritable: true }, texts: undefined, spans: [] });
  }
}

/** A record without texts and without the paths of candidates. */
function withoutTexts({ texts: _texts, ...record }: TraceRecord): TraceRecord {
  return { ...record, spans: record.spans.map(spanWithoutTexts) };
}

function spanWithoutTexts({ id, parent, stage, from, ms, facts, error }: SpanRecord): SpanRecord {
  const { candidates } = facts;
  const kept = !Array.isArray(candidates) ? facts : {
    ...facts,
    candidates: candidates.map(({ path: _path, ...candidate }: Candidate) => candidate),
  };
  return spanRecord({ id, parent, stage, from, ms, facts: kept, texts: undefined, error });
}

/** Returns the record of a stage, without absent values. It spreads no objects: for an ingestion with many files that takes longer than writing. */
function spanRecord(
  { id, parent, stage, from, ms, facts, texts, error }:
    & { [Name in keyof SpanRecord]-?: SpanRecord[Name] | undefined }
    & Pick<SpanRecord, "id" | "stage" | "from" | "ms" | "facts">,
): SpanRecord {
  const record: { -readonly [Name in keyof SpanRecord]: SpanRecord[Name] } = parent === undefined
    ? { id, stage, from, ms, facts }
    : { id, parent, stage, from, ms, facts };
  if (texts !== undefined) record.texts = texts;
  if (error !== undefined) record.error = error;
  return record;
}

/** A trace until it is recorded. */
class OpenTrace {
  readonly id: string;
  readonly detail: Detail;
  readonly #kind: TraceKind;
  readonly #program: string;
  readonly #parent: string | undefined;
  readonly #onEnd: (trace: OpenTrace) => void;
  readonly #began = performance.now();
  readonly #started = Date.now();
  readonly #stages: OpenSpan[] = [];
  readonly #works: (() => void | Promise<void>)[] = [];
  #root: OpenSpan | undefined;
  #ms: number | undefined;
  #dropped = 0;
  /** Nothing can be added any more. */
  isRecorded = false;

  constructor(
    kind: TraceKind,
    id: string,
    { detail, program }: Pick<TracesOptions, "detail" | "program">,
    parent: string | undefined,
    onEnd: (trace: OpenTrace) => void,
  ) {
    this.#kind = kind;
    this.id = id;
    this.detail = detail;
    this.#program = program;
    this.#parent = parent;
    this.#onEnd = onEnd;
  }

  begin(facts: Facts): OpenSpan {
    return this.#root = new OpenSpan(this, undefined, this.#kind, facts);
  }

  /** Milliseconds since the trace began. */
  now(): number {
    return performance.now() - this.#began;
  }

  /** The number of a new stage; `undefined` if the trace is over or has too many, or lacks the one that it is in. */
  admit(stage: OpenSpan, parent: OpenSpan): number | undefined {
    if (this.#ms !== undefined || this.#stages.length >= MAX_SPANS || parent.number === undefined) {
      this.#dropped++;
      return undefined;
    }
    return this.#stages.push(stage);
  }

  /** Ends the stages inside one that are open. They began after it. */
  endInside(parent: OpenSpan): void {
    for (let i = parent.number!; i < this.#stages.length; i++) this.#stages[i]!.endWith(parent);
  }

  after(work: () => void | Promise<void>): void {
    if (this.isRecorded) void done(work);
    else this.#works.push(work);
  }

  end(ms: number): void {
    this.#ms = ms;
    this.#onEnd(this);
  }

  async record(): Promise<TraceRecord> {
    for (const work of this.#works) await done(work);
    this.isRecorded = true;
    const prefix = this.id.slice(8, 16);
    return {
      id: this.id,
      kind: this.#kind,
      started: new Date(this.#started).toISOString(),
      ms: rounded(this.#ms!),
      program: this.#program,
      pid: PROCESS_ID,
      ...(this.#parent !== undefined && { parent: this.#parent }),
      ...this.#root!.told(),
      spans: this.#stages.map((stage) => stage.record(prefix)),
      ...(this.#dropped > 0 && { dropped: this.#dropped }),
    };
  }
}

/** Does work whose failure changes nothing but the facts that it would add. */
async function done(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // An index was closed or damaged meanwhile, so the candidates stay without names.
  }
}

/** The facts of a stage without facts. */
const NO_FACTS: Facts = Object.freeze({});

/** A stage of a trace until it is recorded. Facts are only noted, and put together after the answer. */
class OpenSpan implements Span {
  /** Counted from 1; 0 for the first stage, which is the trace; `undefined` for one that is not recorded. */
  readonly number: number | undefined;
  readonly #trace: OpenTrace;
  readonly #parent: OpenSpan | undefined;
  readonly #stage: Stage;
  readonly #from: number;
  #until: number | undefined;
  #facts: Facts;
  /** Facts that were added to others. */
  #more: Facts[] | undefined;
  #texts: Facts | undefined;
  #error: string | undefined;
  #hasStages = false;

  constructor(trace: OpenTrace, parent: OpenSpan | undefined, stage: Stage, facts: Facts) {
    this.#trace = trace;
    this.#parent = parent;
    this.#stage = stage;
    this.#from = trace.now();
    this.#facts = facts;
    this.number = parent === undefined ? 0 : trace.admit(this, parent);
  }

  get trace(): string {
    return this.#trace.id;
  }

  get detail(): Detail {
    return this.#trace.detail;
  }

  child(stage: Stage, facts: Facts = NO_FACTS): Span {
    this.#hasStages = true;
    return new OpenSpan(this.#trace, this, stage, facts);
  }

  add(facts: Facts, texts?: Facts): void {
    if (this.#trace.isRecorded) return;
    if (texts !== undefined) this.#texts = this.#texts === undefined ? texts : { ...this.#texts, ...texts };
    if (facts === NO_FACTS) return;
    // Ten thousand files of an ingestion tell all at once.
    if (this.#facts === NO_FACTS) this.#facts = facts;
    else if (this.#more === undefined) this.#more = [facts];
    else this.#more.push(facts);
  }

  end(error?: unknown): void {
    if (this.#until !== undefined) return;
    if (this.#hasStages && this.number !== undefined) this.#trace.endInside(this);
    if (error !== undefined) {
      const { name, message } = errorTexts(error);
      this.add(NO_FACTS, { error: message });
      this.#error = name;
    }
    this.#until = this.#trace.now();
    if (this.#parent === undefined) this.#trace.end(this.#until);
  }

  /** Ends the stage if it is in this one. */
  endWith(parent: OpenSpan): void {
    if (this.#parent === parent) this.end();
  }

  after(work: () => void | Promise<void>): void {
    this.#trace.after(work);
  }

  /** The finished stage. `prefix`: the first half of the ids of all stages. */
  record(prefix: string): SpanRecord {
    return spanRecord({
      id: idOf(prefix, this.number!),
      parent: this.#parent!.number === 0 ? undefined : idOf(prefix, this.#parent!.number!),
      stage: this.#stage,
      from: rounded(this.#from),
      ms: rounded((this.#until ?? this.#trace.now()) - this.#from),
      facts: this.#boundedFacts(),
      texts: this.#texts,
      error: this.#error,
    });
  }

  /** The facts, texts and error of a trace, which its first stage was told. */
  told(): Pick<TraceRecord, "facts" | "texts" | "error"> {
    return {
      facts: this.#boundedFacts(),
      ...(this.#texts !== undefined && { texts: this.#texts }),
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }

  #boundedFacts(): Facts {
    let facts = this.#facts;
    for (const more of this.#more ?? []) facts = joined(facts, more);
    return bounded(facts, LISTED[this.detail]);
  }
}

/** Facts and those that were added to them. */
function joined(facts: Facts, more: Facts): Facts {
  if (facts.counts === undefined || more.counts === undefined) return { ...facts, ...more };
  return { ...facts, ...more, counts: { ...facts.counts, ...more.counts } };
}

/** Facts with at most `limit` candidates. */
function bounded(facts: Facts, limit: number): Facts {
  if (!Array.isArray(facts.candidates) || facts.candidates.length <= limit && limit > 0) return facts;
  const { candidates, ...rest } = facts;
  return limit === 0 ? rest : { ...rest, candidates: (candidates as unknown[]).slice(0, limit) };
}

/** The id of a stage. */
function idOf(prefix: string, number: number): string {
  return prefix + number.toString(16).padStart(8, "0");
}

/** The key or the name of an error, which holds no text of a document, and its message, which may. */
function errorTexts(error: unknown): { readonly name: string; readonly message: string } {
  if (error instanceof UserError) {
    const params = Object.keys(error.params).length > 0 ? ` ${JSON.stringify(error.params)}` : "";
    return { name: error.key, message: `${error.key}${params}` };
  }
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: "Error", message: String(error) };
}

/** Milliseconds with three decimals. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** A new id of a trace. */
function randomId(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}
