/**
 * The trace of an indexing run: its stages, and a span for each file that was read. Files are read ahead and their stages overlap, so the
 * spans of stages begin with the first file and end with the last one. The fact `work` is the time that all files took together.
 */
import { UserError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import type { Facts, Span, Stage } from "#foundation/span.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { present } from "#foundation/present.ts";
import type { IngestSettings } from "./settings.ts";
import type { FileOutcome, IngestSummary } from "./types.ts";

/** The stages that files pass. */
const FILE_STAGES = ["load", "recognise", "transform", "split", "embed"] as const;

/** The facts about the work in each stage that is used. */
type StageMethods = Partial<Record<typeof FILE_STAGES[number], Facts>>;

/** One of them, or waiting for the files before it, which the trace leaves out. */
type Passed = typeof FILE_STAGES[number] | "waiting";

/** Files that have a span of their own. All others are counted by kind and outcome. */
const MOST_FILES = 40_000;

/** Milliseconds in each stage. */
type Times = Record<Passed, number>;

const noTimes = (): Times => ({ load: 0, recognise: 0, transform: 0, split: 0, embed: 0, waiting: 0 });

/** A file on its way through the stages. Ten thousand files are traced in 40 ms, so this has no object that can be spared. */
export class FileTrace {
  readonly ms: Times = noTimes();
  readonly span: Span | undefined;
  /** Of those that were read, in the order in which reading began. */
  readonly number: number;
  #at = performance.now();

  constructor(span: Span | undefined, number: number) {
    this.span = span;
    this.number = number;
  }

  /** Counts the time since the last call for a stage. */
  passed(stage: Passed): void {
    const now = performance.now();
    this.ms[stage] += now - this.#at;
    this.#at = now;
  }
}

/** Traces a run. `span`: that of the whole run, which the caller ends. */
export class IngestTrace {
  readonly #span: Span;
  readonly #stages = new Map<Stage, Span>();
  readonly #work = noTimes();
  readonly #formats = new Map<string, number>();
  /** The files without a span of their own, by `KIND OUTCOME`. */
  readonly #others = new Map<string, number>();
  readonly #underWay = new Map<string, FileTrace>();
  #files = 0;
  #bytes = 0;
  #chunks = 0;

  constructor(span: Span) {
    this.#span = span;
  }

  /** Begins a stage. */
  begin(stage: Stage, facts?: Facts): void {
    this.#stages.set(stage, this.#span.child(stage, facts));
  }

  /** Adds to a stage that has begun. */
  add(stage: Stage, facts: Facts): void {
    this.#stages.get(stage)?.add(facts);
  }

  /** Ends a stage, if it has begun. */
  end(stage: Stage, facts: Facts = {}): void {
    const span = this.#stages.get(stage);
    span?.add(facts);
    span?.end();
    this.#stages.delete(stage);
  }

  /** Begins the stages that files pass. `methods`: those of each stage that is used. */
  beginFiles(methods: StageMethods): void {
    for (const stage of FILE_STAGES) if (methods[stage] !== undefined) this.begin(stage, methods[stage]);
  }

  /** Begins to read a file. Its path is a text. */
  beginFile(path: string): FileTrace {
    const number = ++this.#files;
    const file = new FileTrace(number <= MOST_FILES ? this.#span.child("file") : undefined, number);
    this.#underWay.set(path, file);
    return file;
  }

  /** A file that is being read, or one that is left out before that. */
  fileAt(path: string): FileTrace {
    return this.#underWay.get(path) ?? this.beginFile(path);
  }

  /** Ends a file. `old`: its record in the previous index, if it has one. */
  endFile(path: string, { record, same, chunks = 0 }: FileOutcome, old: StoredFile | undefined): void {
    const { span, number, ms } = this.fileAt(path);
    this.#underWay.delete(path);
    const { format = "text", reason, detail = {}, size, pages, status } = record ?? old!;
    const isIndexed = status === "indexed";
    const outcome = !isIndexed ? status : same ? "unchanged" : old?.status === "indexed" ? "changed" : "new";
    const times: Partial<Times> = {};
    for (const stage of FILE_STAGES) {
      if (ms[stage] === 0) continue;
      this.#work[stage] += ms[stage];
      times[stage] = rounded(ms[stage]);
    }
    this.#formats.set(format, (this.#formats.get(format) ?? 0) + 1);
    this.#bytes += size;
    this.#chunks += chunks;
    if (span === undefined) {
      const kind = `${format} ${outcome}`;
      this.#others.set(kind, (this.#others.get(kind) ?? 0) + 1);
      return;
    }
    const counts: Record<string, number> = { bytes: size, chunks };
    if (pages !== undefined) counts["pages"] = pages;
    const facts: Record<string, unknown> = { number, outcome, format, counts, ms: times };
    if (reason !== undefined) facts["reason"] = reason;
    // The text of an earlier run stays where the file cannot be read now.
    if (status === "failed" && same) facts["fallback"] = "earlier_text";
    span.add(facts, { path });
    span.end(outcome === "failed" ? new UserError(reason as MessageKey, detail) : undefined);
  }

  /** Ends the stages that files pass, but `embed`: the last vectors may be under way. */
  endFiles(): void {
    const counts = { files: this.#files, bytes: this.#bytes };
    const work = (stage: Passed) => ({ work: rounded(this.#work[stage]) });
    this.end("load", { ...work("load"), counts, formats: Object.fromEntries(this.#formats) });
    this.end("recognise", work("recognise"));
    this.end("transform", work("transform"));
    this.end("split", { ...work("split"), counts: { chunks: this.#chunks } });
    this.add("embed", { ...work("embed"), counts: { chunks: this.#chunks } });
    if (this.#others.size > 0) {
      const files = this.#files - MOST_FILES;
      this.#span.add({ dropped: { files, kinds: Object.fromEntries(this.#others) } });
    }
  }
}

/** Milliseconds with two decimals. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** The methods of the stages that files pass. */
export function methodsOf(
  { captions, chunking, model }: IngestSettings,
  { recognises, refines }: { readonly recognises: boolean; readonly refines: boolean },
): StageMethods {
  return {
    load: { method: "extractors" },
    ...(recognises && { recognise: { provider: "tesseract" } }),
    transform: { method: ["context", ...captions ? ["captions"] : [], ...refines ? ["refine"] : []] },
    split: { method: chunking.strategy },
    embed: model === undefined
      ? { method: ["terms"] }
      : { method: ["terms", "vectors"], provider: "builtin", model },
  };
}

/** The facts about a whole run. `files`: number of those in the index. `reason`: why all of it was built again. */
export function factsOfRun(
  { written, full, ...summary }: IngestSummary,
  files: number,
  reason: string | undefined,
): Facts {
  const { new: added, changed, renamed, removed, unchanged, chunks } = summary;
  const skipped = Object.values(summary.skipped).reduce((sum, count) => sum + count, 0);
  const counts = {
    ...{ files, chunks, new: added, changed, renamed, removed, unchanged },
    ...{ skipped, failed: summary.failed.length },
  };
  return present({ method: full ? "full" : "update", reason, written, counts });
}
