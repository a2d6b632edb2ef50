/**
 * Makes the vectors of models on request, with progress at a terminal.
 * Below it: the models of a configuration, opened once.
 */
import { makeNeuralVectors, type NeuralProgress, type NeuralSummary } from "#library/ingest/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { message } from "#foundation/messages/mod.ts";
import { openStore } from "#library/store/mod.ts";
import { note, printableMessage } from "./context.ts";
import { cutToWidth } from "./terminal_text.ts";
import { barOf, formatDuration, showProgress } from "./progress.ts";
import type { Request, Session } from "./request.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { LocalModels, NeuralModels } from "#models/embedding/mod.ts";

/** The vectors that a folder has. */
export type MadeVectors = Pick<NeuralSummary, "done" | "total"> & Partial<Pick<NeuralSummary, "refused">>;

/**
 * Estimated tokens a second that a thread gives a local model, until they are measured: 500 to 1,450 with the small models of
 * `model install` on a machine with two busy cores.
 */
const TOKENS_A_SECOND = 1000;
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

  /** Vectors a second, and the time left as people read it. */
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
 * Makes the vectors of neural models that the index of `root` lacks, and shows the progress. `fresh`: makes all of them
 * again. While another process makes them, it waits. Returns `undefined` where no local model is set or can be used. Throws as `makeNeuralVectors` does.
 */
export async function makeVectors(
  session: Session,
  root: string,
  { fresh = false, beforeAnswer = false } = {},
): Promise<NeuralSummary | undefined> {
  const models = await session.models();
  if (models === undefined) return undefined;
  const { language, signal } = session;
  const pace = new Pace(models.server === undefined ? WORKERS_OF_RUNS : 0);
  let step: string | undefined;
  using progress = await showProgress<NeuralProgress>(session, {
    line: (state, columns) => {
      const { done, total } = state;
      const { rate, left } = pace.of(state);
      const text = message(language, "cli_bar_models", {
        bar: barOf(total === 0 ? 1 : done / total),
        percent: total === 0 ? 100 : Math.floor(100 * done / total),
        ...{ done, total, left },
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
  return summary;
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

/**
 * Threads that run each model. A second one does not help where the program itself needs a core, and takes its memory again.
 */
const WORKERS = 1;
/** Threads of a command that does nothing else. */
export const WORKERS_OF_RUNS = Math.max(1, Math.min(2, navigator.hardwareConcurrency));

/** Commands that answer questions while vectors are made. */
const ANSWERING: ReadonlySet<string> = new Set(["serve", "search"]);

/** The neural models of a session, each pair of local ones opened once. Disposing of it ends their threads. */
export class OpenModels implements Disposable {
  readonly #request: Request;
  readonly #warn: (text: string) => void;
  readonly #opened = new Map<string, Promise<LocalModels | undefined>>();

  /** `warn` is told in the user's language why models cannot be used. */
  constructor(request: Request, warn: (text: string) => void) {
    this.#request = request;
    this.#warn = warn;
  }

  /**
   * Opens the models that a configuration names: those in this program, or the one on a server. Returns `undefined` where it
   * names none or they cannot be used.
   */
  async of({ embedding }: Config = this.#request.config): Promise<NeuralModels | undefined> {
    if (embedding.provider === "builtin" || embedding.provider === "none") return undefined;
    if (embedding.provider !== "local") {
      return (await import("#models/embedding/mod.ts")).serverModels(embedding);
    }
    const name = JSON.stringify(embedding.local);
    let opened = this.#opened.get(name);
    if (opened === undefined) this.#opened.set(name, opened = this.#open(embedding.local));
    return await opened;
  }

  async #open(settings: Config["embedding"]["local"]): Promise<LocalModels | undefined> {
    const { command, language, modelsDir } = this.#request;
    try {
      const { LocalModels } = await import("#models/embedding/mod.ts");
      const workers = ANSWERING.has(command) ? WORKERS : WORKERS_OF_RUNS;
      const onProblem = ({ key, params }: UserError) => this.#warn(printableMessage(language, key, params));
      return await LocalModels.open(settings, { modelsDir, workers, onProblem });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#warn(printableMessage(language, error.key, error.params));
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    for (const opened of this.#opened.values()) opened.then((models) => models?.close(), () => {});
    this.#opened.clear();
  }
}
