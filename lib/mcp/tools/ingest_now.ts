import * as z from "zod";
import { INGESTED_DATA, ingestedAnswer } from "../../answer/mod.ts";
import { UserError } from "../../errors.ts";
import type { IngestProgress, IngestSummary } from "../../ingest/types.ts";
import { type Language, message } from "../../messages.ts";
import { argument, defineTool, WAITING_COST } from "../tool.ts";
import { collectionArgument, collectionRoots } from "./_collection.ts";

/** Units of progress for one folder. */
const UNITS = 100;

/** Brings the indexes of the served folders up to date. */
export const ingestNow = defineTool({
  name: "ingest_now",
  cost: WAITING_COST,
  writes: true,
  input: {
    collection: argument(collectionArgument().optional(), "arg_collections"),
    full: argument(z.boolean().optional(), "arg_full"),
  },
  output: INGESTED_DATA,
  async run({ collection, full = false }, { library, language, upkeep, progress }, signal) {
    if (upkeep === undefined) throw new UserError("ingest_not_allowed");
    const roots = await collectionRoots(collection, library.collections);
    const summaries: IngestSummary[] = [];
    for (const [i, root] of roots.entries()) {
      const report = (part: number, text: string) =>
        progress({ done: (i + part) * UNITS, total: roots.length * UNITS, message: text });
      report(0, message(language, "ingest_waiting", { path: root }));
      summaries.push(
        await upkeep.update(root, {
          full,
          signal,
          onProgress: (state) => report(shareOf(state), stepText(root, state, language)),
        }),
      );
      report(1, message(language, "ingest_progress_done", { path: root }));
    }
    return ingestedAnswer(summaries, language);
  },
});

/** The share of the work that is done, 0 to 1. Writing the index is a tenth of it. */
function shareOf({ step, bytesDone, bytesTotal }: IngestProgress): number {
  if (step === "write" || step === "done") return 0.9;
  return step === "read" && bytesTotal > 0 ? Math.min(1, bytesDone / bytesTotal) * 0.9 : 0;
}

function stepText(
  root: string,
  { step, path, filesDone, filesTotal }: IngestProgress,
  language: Language,
): string {
  if (step === "read") {
    return message(language, "ingest_progress_read", {
      ...{ path: root, done: filesDone, total: filesTotal },
      file: path === undefined ? "" : ` (${path})`,
    });
  }
  const key = step === "write" || step === "done" ? "ingest_progress_write" : "ingest_progress_scan";
  return message(language, key, { path: root });
}
