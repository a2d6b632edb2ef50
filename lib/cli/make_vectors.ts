import { makeNeuralVectors, type NeuralProgress, type NeuralSummary } from "../ingest/mod.ts";
import type { UserError } from "../errors.ts";
import { message } from "../messages.ts";
import { folderStore } from "../store/mod.ts";
import { note } from "./context.ts";
import { cutToWidth } from "./display_width.ts";
import { formatDuration } from "./format.ts";
import { barOf } from "./progress.ts";
import { printableMessage } from "./printable_message.ts";
import type { Session } from "./session.ts";
import { showProgress } from "./show_progress.ts";

/** The vectors that a folder has. */
export type MadeVectors = Pick<NeuralSummary, "done" | "total"> & Partial<Pick<NeuralSummary, "refused">>;

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
  const { language, signal, indexKey: key, indexDirs } = session;
  let began: { readonly at: number; readonly done: number } | undefined;
  using progress = await showProgress<NeuralProgress>(session, {
    line: ({ done, total }, columns) => {
      began ??= { at: performance.now(), done };
      const seconds = (performance.now() - began.at) / 1000;
      const rate = seconds > 0 ? (done - began.done) / seconds : 0;
      const text = message(language, "cli_bar_models", {
        bar: barOf(total === 0 ? 1 : done / total),
        percent: total === 0 ? 100 : Math.floor(100 * done / total),
        done,
        total,
        rate: Math.round(rate),
        left: rate > 0 ? formatDuration(Math.ceil((total - done) / rate)) : "?",
      });
      return cutToWidth(text, columns);
    },
    step: ({ done, total }) => {
      began ??= { at: performance.now(), done };
      const count = total - began.done;
      return count === 0 ? undefined : printableMessage(language, "cli_step_models", { count, dir: root });
    },
  }, { beforeAnswer });
  let isTold = false;
  const onBusy = ({ params }: UserError) => {
    if (!isTold) note(session, "cli_vectors_busy", params);
    isTold = true;
  };
  const options = { key, signal, onBusy, onProgress: progress.update };
  const store = folderStore(root, key, indexDirs);
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
