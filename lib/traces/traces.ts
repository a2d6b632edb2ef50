/**
 * The recorder of traces. A finished query stays in memory with its texts; every finished trace becomes a line of a file, with
 * the texts only if the user wants that. Recording never throws and never delays an answer: lines are written a moment later.
 */
import { UserError } from "#foundation/errors.ts";
import { secretRemover } from "#foundation/log_lines.ts";
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
  readonly #withoutSecrets: (text: string) => string;
  readonly #recent: TraceRecord[] = [];
  /** Traces that have ended and are not recorded. */
  readonly #finished: OpenTrace[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: TracesOptions) {
    const { dir, maxMb, keep, secrets = [] } = options;
    this.#options = options;
    this.#files = dir === null ? undefined : new TraceFiles(dir, { maxBytes: maxMb * 1e6, keep });
    this.#withoutSecrets = secretRemover(secrets);
  }

  begin(kind: TraceKind, facts: Facts = {}, { texts, parent }: Beginning = {}): Span {
    const { detail, program } = this.#options;
    const about = { program, pid: PROCESS_ID, ...(parent !== undefined && { parent }) };
    const trace = new OpenTrace(kind, about, detail, () => {
      this.#finished.push(trace);
      if (this.#timer !== undefined) return;
      this.#timer = setTimeout(() => void this.flush(), DELAY_MS);
      unrefTimer(this.#timer);
    });
    const root = trace.begin(facts);
    if (texts !== undefined) root.add({}, texts);
    return root;
  }

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
      for (const trace of this.#finished.splice(0)) this.#record(await trace.record());
    });
  }

  /** Records the traces that have ended, and closes the file. */
  async close(): Promise<void> {
    await this.flush();
    this.#files?.[Symbol.dispose]();
  }

  #record(record: TraceRecord): void {
    if (record.kind === "query" && this.#recent.push(record) > RECENT) this.#recent.shift();
    const kept = this.#options.traces === "text" ? record : withoutTexts(record);
    this.#options.onTrace?.(kept);
    this.#files?.append(this.#withoutSecrets(lineOf(kept)));
  }
}

/** The line of a record without its end. A trace with values that are no JSON keeps neither its facts nor its texts. */
function lineOf(record: TraceRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, facts: { unwritable: true }, texts: undefined, spans: [] });
  }
}

/** A record without texts and without the paths of candidates. */
export function withoutTexts({ texts: _texts, ...record }: TraceRecord): TraceRecord {
  return {
    ...record,
    spans: record.spans.map(({ texts: _texts, ...span }) => {
      const { candidates } = span.facts;
      if (!Array.isArray(candidates)) return span;
      const withoutPaths = candidates.map(({ path: _path, ...candidate }: Candidate) => candidate);
      return { ...span, facts: { ...span.facts, candidates: withoutPaths } };
    }),
  };
}

/** The part that a trace and a stage have in common. */
type Told = Pick<SpanRecord, "facts" | "texts" | "error">;

/** A trace until it is recorded. */
class OpenTrace {
  readonly id = hexOf(16);
  readonly detail: Detail;
  readonly #kind: TraceKind;
  readonly #about: Pick<TraceRecord, "program" | "pid" | "parent">;
  readonly #onEnd: () => void;
  readonly #began = performance.now();
  readonly #started = new Date().toISOString();
  /** The first half of the ids of its stages. */
  readonly #prefix = this.id.slice(8, 16);
  readonly #stages: OpenSpan[] = [];
  readonly #works: (() => void | Promise<void>)[] = [];
  #root: OpenSpan | undefined;
  #ms: number | undefined;
  #dropped = 0;
  /** Nothing can be added any more. */
  isRecorded = false;

  constructor(
    kind: TraceKind,
    about: Pick<TraceRecord, "program" | "pid" | "parent">,
    detail: Detail,
    onEnd: () => void,
  ) {
    this.#kind = kind;
    this.#about = about;
    this.detail = detail;
    this.#onEnd = onEnd;
  }

  begin(facts: Facts): OpenSpan {
    return this.#root = new OpenSpan(this, undefined, this.#kind, facts);
  }

  /** Milliseconds since the trace began. */
  now(): number {
    return performance.now() - this.#began;
  }

  /** The id of a new stage; `undefined` if the trace is over or has too many, or lacks the one that it is in. */
  admit(stage: OpenSpan, parent: string | undefined): string | undefined {
    if (this.#ms !== undefined || this.#stages.length >= MAX_SPANS || parent === undefined) {
      this.#dropped++;
      return undefined;
    }
    this.#stages.push(stage);
    return this.#prefix + this.#stages.length.toString(16).padStart(8, "0");
  }

  after(work: () => void | Promise<void>): void {
    if (this.isRecorded) void done(work);
    else this.#works.push(work);
  }

  end(): void {
    this.#ms = this.now();
    this.#onEnd();
  }

  async record(): Promise<TraceRecord> {
    for (const work of this.#works) await done(work);
    this.isRecorded = true;
    return {
      id: this.id,
      kind: this.#kind,
      started: this.#started,
      ms: rounded(this.#ms!),
      ...this.#about,
      ...this.#root!.told(),
      spans: this.#stages.map((stage) => stage.record()),
      ...(this.#dropped > 0 && { dropped: this.#dropped }),
    };
  }
}

/** Does work whose failure changes nothing but the facts that it would add. */
async function done(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // An index was closed or damaged meanwhile: its chunks have no names.
  }
}

/** The facts of a stage of which nothing was told yet. */
const NO_FACTS: Facts = Object.freeze({});

/** A stage of a trace until it is recorded. */
class OpenSpan implements Span {
  readonly #trace: OpenTrace;
  /** Empty for the first stage, which is the trace; `undefined` for one that is not recorded. */
  readonly #id: string | undefined;
  readonly #parent: OpenSpan | undefined;
  readonly #stage: Stage;
  readonly #from: number;
  #until: number | undefined;
  #facts: Facts;
  #texts: Facts | undefined;
  #error: string | undefined;
  /** The stages inside it that are open. */
  #open: Set<OpenSpan> | undefined;

  constructor(trace: OpenTrace, parent: OpenSpan | undefined, stage: Stage, facts: Facts) {
    this.#trace = trace;
    this.#parent = parent;
    this.#stage = stage;
    this.#from = trace.now();
    this.#facts = facts;
    this.#id = parent === undefined ? "" : trace.admit(this, parent.#id);
  }

  get trace(): string {
    return this.#trace.id;
  }

  get detail(): Detail {
    return this.#trace.detail;
  }

  child(stage: Stage, facts: Facts = NO_FACTS): Span {
    const child = new OpenSpan(this.#trace, this, stage, facts);
    if (this.#until === undefined) (this.#open ??= new Set()).add(child);
    return child;
  }

  add(facts: Facts, texts?: Facts): void {
    if (this.#trace.isRecorded) return;
    if (texts !== undefined) this.#texts = this.#texts === undefined ? texts : { ...this.#texts, ...texts };
    // Ten thousand files of an ingestion tell all at once.
    if (this.#facts === NO_FACTS) {
      this.#facts = facts;
      return;
    }
    const counts = this.#facts.counts === undefined || facts.counts === undefined
      ? {}
      : { counts: { ...this.#facts.counts, ...facts.counts } };
    this.#facts = { ...this.#facts, ...facts, ...counts };
  }

  end(error?: unknown): void {
    if (this.#until !== undefined) return;
    for (const child of this.#open ?? []) child.end();
    if (error !== undefined) {
      const { name, message } = errorTexts(error);
      this.add({}, { error: message });
      this.#error = name;
    }
    this.#until = this.#trace.now();
    if (this.#parent === undefined) this.#trace.end();
    else this.#parent.#open?.delete(this);
  }

  after(work: () => void | Promise<void>): void {
    this.#trace.after(work);
  }

  /** The finished stage. */
  record(): SpanRecord {
    const parent = this.#parent!.#id;
    return {
      id: this.#id!,
      ...(parent && { parent }),
      stage: this.#stage,
      from: rounded(this.#from),
      ms: rounded((this.#until ?? this.#trace.now()) - this.#from),
      ...this.told(),
    };
  }

  told(): Told {
    return {
      facts: bounded(this.#facts, LISTED[this.detail]),
      ...(this.#texts !== undefined && { texts: this.#texts }),
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }
}

/** Facts with at most `limit` candidates. */
function bounded(facts: Facts, limit: number): Facts {
  const { candidates, ...rest } = facts;
  if (!Array.isArray(candidates) || candidates.length <= limit && limit > 0) return facts;
  return limit === 0 ? rest : { ...rest, candidates: candidates.slice(0, limit) };
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

/** Random bytes in hexadecimal digits. */
function hexOf(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
