/**
 * Updates of an index and of the vectors of models, with their progress, for every command that needs them.
 */
import type { LazyTable, NeuralModels } from "#models/embedding/mod.ts";
import { ingest, makeNeuralVectors, type NeuralProgress, type NeuralSummary } from "#library/ingest/mod.ts";
import type { IngestOptions, IngestSummary } from "#library/ingest/types.ts";
import { present } from "#foundation/present.ts";
import type { Facts, Span } from "#foundation/span.ts";
import { message, printable } from "#foundation/messages/mod.ts";
import { MODEL_THREADS, warnText } from "./context.ts";
import { barOf, formatDuration, showProgress, startProgress } from "./progress.ts";
import type { Session } from "./request.ts";
import { UserError } from "#foundation/errors.ts";
import { openStore } from "#library/store/mod.ts";
import { note, printableMessage } from "./say.ts";
import { cutToWidth } from "./terminal_text.ts";

interface UpdateOptions extends Omit<IngestOptions, "signal"> {
  readonly quiet?: boolean;
  /** The step after the run: before a search, progress is shown on a terminal only, and not for a short run. */
  readonly before?: "summary" | "search";
  /** The built-in table of word vectors, where it is shared with a search. */
  readonly table?: LazyTable;
  /** The person or program that asked for it, for the trace. */
  readonly principal?: string | undefined;
}

/**
 * Does the work of an ingestion with the span of its trace. The trace is recorded if the work fails, or if `isWorthIt`: a look at
 * a folder that finds nothing is no ingestion.
 */
export async function traced<T>(
  session: Pick<Session, "traces">,
  root: string,
  facts: Facts,
  work: (span: Span | undefined) => Promise<T>,
  isWorthIt: (result: T) => boolean = () => true,
): Promise<T> {
  const span = (await session.traces())?.begin("ingestion", facts, { texts: { path: root } });
  try {
    const result = await work(span);
    if (isWorthIt(result)) span?.end();
    return result;
  } catch (error) {
    if (!isLeft(error)) span?.end(error);
    throw error;
  }
}

/** Whether work was left to another process that does it, or to a later time. */
function isLeft(error: unknown): boolean {
  if (error instanceof UserError) return error.key === "index_busy" || error.key === "vectors_busy";
  return error instanceof DOMException && error.name === "AbortError";
}

/** Builds or updates the index of `root` and shows the progress. Without a span of the caller, a run that changes it gets a trace. */
export async function updateIndex(
  session: Session,
  root: string,
  options: UpdateOptions = {},
): Promise<IngestSummary> {
  const { before = "summary", principal } = options;
  const summary = options.span === undefined
    ? await traced(
      session,
      root,
      present({ cause: before === "search" ? "search" : "update", principal }),
      (span) => withProgress(session, root, { ...options, span }),
      ({ written }) => written,
    )
    : await withProgress(session, root, options);
  for (const text of summary.warnings ?? []) warnText(session, printable(text));
  return summary;
}

async function withProgress(
  session: Session,
  root: string,
  { before = "summary", quiet = false, table, onProgress, principal: _, ...options }: UpdateOptions,
): Promise<IngestSummary> {
  using progress = quiet
    ? undefined
    : await startProgress(session, root, { beforeAnswer: before === "search" });
  const context = table === undefined ? session : { ...session, table };
  return await ingest(root, session.config, context, {
    // A forgotten -c must not throw away an index that took hours.
    keepsSettings: true,
    ...options,
    onProgress: (state) => {
      progress?.update(state);
      onProgress?.(state);
    },
    signal: session.signal,
  });
}

/** The vectors that a folder has. */
export type MadeVectors = Pick<NeuralSummary, "done" | "total"> & Partial<Pick<NeuralSummary, "refused">>;

/** Tokens a second that a thread gives a local model, until measured: 2,400 to 5,700 on a machine with two cores, busy and quiet. */
const TOKENS_A_SECOND = 3000;
/** Seconds after which the measured speed counts. */
const MEASURED_S = 3;

/** Returns the time that local models need for so many tokens, as people read it. `threads`: threads of each model. */
export function estimatedTime(tokens: number, threads: number): string {
  return formatDuration(Math.ceil(tokens / (TOKENS_A_SECOND * threads)));
}

/**
 * The speed of a run. The time left goes by tokens, since short texts come first. `threads`: threads of a local model, or 0 for a
 * server, whose speed is unknown at first.
 */
class Pace {
  readonly #threads: number;
  #began: { readonly at: number; readonly state: NeuralProgress } | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  of(state: NeuralProgress): { readonly rate: number; readonly left: string } {
    const { at, state: first } = this.#began ??= { at: performance.now(), state };
    const seconds = (performance.now() - at) / 1000;
    const rate = seconds > 0 ? (state.done - first.done) / seconds : 0;
    const tokens = first.tokensLeft - state.tokensLeft;
    if (seconds >= MEASURED_S && tokens > 0) {
      return { rate, left: formatDuration(Math.ceil(state.tokensLeft * seconds / tokens)) };
    }
    return { rate, left: this.#threads === 0 ? "?" : estimatedTime(state.tokensLeft, this.#threads) };
  }
}

/** Most runs in a row over an index that other processes replace meanwhile. */
const MOST_RUNS = 5;

/**
 * Makes the vectors of neural models that the index of `root` lacks, or with `fresh` all, and shows the progress. Waits for
 * another process that makes them. Returns `undefined` where no model can be used. Throws as `makeNeuralVectors` does.
 */
export async function makeVectors(
  session: Session,
  root: string,
  { fresh = false, beforeAnswer = false, span }: {
    readonly fresh?: boolean;
    readonly beforeAnswer?: boolean;
    /** The trace that the work belongs to. */
    readonly span?: Span | undefined;
  } = {},
): Promise<NeuralSummary | undefined> {
  const models = await session.models();
  if (models === undefined) return undefined;
  const stage = span?.child("embed", modelFacts(models, session));
  const { language, signal } = session;
  const pace = new Pace(models.server === undefined ? MODEL_THREADS : 0);
  let step: string | undefined;
  using progress = await showProgress<NeuralProgress>(session, {
    line: (state, columns) => {
      const { done, total } = state;
      const { rate, left } = pace.of(state);
      const text = message(language, "cli_bar_models", {
        bar: barOf(total === 0 ? 1 : done / total),
        percent: total === 0 ? 100 : Math.floor(100 * done / total),
        done,
        total,
        left,
        rate: rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate),
      });
      return cutToWidth(text, columns);
    },
    step: (state) => {
      const { left } = pace.of(state);
      const count = state.total - state.done;
      if (count === 0 && step === undefined) return undefined;
      const key = models.server === undefined ? "cli_step_models_estimate" : "cli_step_models";
      return step ??= printableMessage(language, key, { count, dir: root, left });
    },
  }, { beforeAnswer });
  let isTold = false;
  const onBusy = ({ params }: UserError) => {
    if (!isTold) note(session, "cli_vectors_busy", params);
    isTold = true;
  };
  const options = { signal, onBusy, onProgress: progress.update };
  const store = openStore(session.config, root, session);
  let summary = await makeNeuralVectors(store, models, { ...options, fresh });
  for (let runs = 1; summary.isStale && runs < MOST_RUNS; runs++) {
    const { embedded, refused } = summary;
    const next = await makeNeuralVectors(store, models, options);
    summary = { ...next, embedded: embedded + next.embedded, refused: refused + next.refused };
  }
  const { embedded, done, total, refused } = summary;
  stage?.add({ counts: { embedded, done, total, refused } });
  stage?.end();
  return summary;
}

/** The facts of a stage that makes vectors by neural models. */
export function modelFacts(
  { server, providers }: NeuralModels,
  { config: { embedding } }: Pick<Session, "config">,
): Facts {
  const ids = [...providers.values()].map(({ id }) => id);
  return {
    method: "model",
    provider: embedding.provider,
    model: server === undefined ? ids.join(", ") : embedding.model,
  };
}

/** The summary as it is reported to people. */
export function vectorsText(
  { done, total, refused = 0 }: MadeVectors,
  language: Session["language"],
): string {
  return `${message(language, "cli_vectors_made", { done, total })}${
    refused > 0 ? message(language, "cli_vectors_refused", { count: refused }) : ""
  }\n`;
}

/** The summary as a part of the data that `--json` prints. */
export function vectorsData(summary: Partial<MadeVectors & NeuralSummary> | undefined): object {
  if (summary === undefined) return {};
  const { isStale: _, ...counts } = summary;
  return { vectors: counts };
}
