import * as z from "zod";
import type { IngestSummary } from "../ingest/types.ts";
import { type Language, message } from "../messages.ts";
import type { TextAnswer } from "./answer.ts";
import { listedAnswer } from "./listed_answer.ts";

/** Files that each list of a summary names. */
const MOST_FILES = 20;

/** Shape of `data` in the answer of `ingest_now`: for each folder the summary that `index --json` prints. */
export const INGESTED_DATA = z.looseObject({
  collections: z.array(z.looseObject({
    root: z.string(),
    files: z.int(),
    chunks: z.int(),
    written: z.boolean(),
  })),
});

/** The answer with the summaries of updates. Long lists of files are cut, and their length is given beside them. */
export function ingestedAnswer(
  summaries: readonly IngestSummary[],
  language: Language,
): TextAnswer<z.output<typeof INGESTED_DATA>> {
  const failed = summaries.flatMap(({ failed }) => failed.slice(0, MOST_FILES));
  const warnings = summaries.flatMap(({ warnings = [] }) => warnings);
  const answer = listedAnswer({
    data: { collections: summaries.map(shortened) },
    head: (quotes) =>
      summaries.map(({ root, new: added, changed, renamed, removed, files, chunks, failed }) =>
        message(language, "ingested_summary", {
          path: quotes.name(root),
          ...{ new: added, changed: changed + renamed, removed, files, chunks, failed: failed.length },
        })
      ),
    text: [...failed.map(({ path, reason }) => `${path}: ${reason}`), ...warnings].join("\n"),
  }, language);
  return { ...answer, message: message(language, "cli_done") };
}

function shortened(summary: IngestSummary): z.output<typeof INGESTED_DATA>["collections"][number] {
  const { failed, emptyPages, unsettled, ...rest } = summary;
  return {
    ...rest,
    failed: failed.slice(0, MOST_FILES),
    ...(failed.length > MOST_FILES && { failedCount: failed.length }),
    ...(emptyPages !== undefined && { emptyPages: emptyPages.slice(0, MOST_FILES) }),
    ...(unsettled !== undefined && { unsettled: unsettled.slice(0, MOST_FILES) }),
  };
}
