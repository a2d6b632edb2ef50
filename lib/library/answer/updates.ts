/** Answers about updates of an index. */
import * as z from "zod";
import type { IngestSummary } from "#library/ingest/types.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { TextAnswer } from "./shape.ts";
import { listedAnswer, quotedAnswer, untrusted } from "./quoted.ts";

/** Files that each list of a summary names. */
const MOST_FILES = 20;

/** Shape of `data` in the answer of `ingest_now`: for each folder the summary that `index --json` prints. */
export const INGESTED_DATA = z.looseObject({ collections: z.array(z.unknown()) });

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
          new: added,
          changed: changed + renamed,
          removed,
          files,
          chunks,
          failed: failed.length,
        })
      ),
    text: [...failed.map(failedLine), ...warnings].join("\n") || undefined,
  }, language);
  return { ...answer, message: message(language, "cli_done") };
}

/** A line about a file that could not be read. Most reasons name it. */
function failedLine({ path, reason }: IngestSummary["failed"][number]): string {
  return reason.includes(path) ? reason : `${path}: ${reason}`;
}

function shortened({ failed, emptyPages, unsettled, ...rest }: IngestSummary) {
  return present({
    ...rest,
    failed: failed.slice(0, MOST_FILES),
    failedCount: failed.length > MOST_FILES ? failed.length : undefined,
    emptyPages: emptyPages?.slice(0, MOST_FILES),
    unsettled: unsettled?.slice(0, MOST_FILES),
  });
}

/** Shape of `data` in the answer of `reembed_document`. */
export const REEMBEDDED_DATA = z.looseObject({
  file_path: z.string(),
  chunks: z.int(),
  models: z.array(z.string()),
  refused: z.int(),
});

/** The answer with the number of new vectors of a document. */
export function reembeddedAnswer(
  path: string,
  { chunks, models, refused, warnings = [] }: {
    readonly chunks: number;
    readonly models: readonly string[];
    readonly refused: number;
    readonly warnings?: readonly string[];
  },
  language: Language,
): TextAnswer<z.output<typeof REEMBEDDED_DATA>> {
  return {
    code: 200,
    message: message(language, "cli_done"),
    data: untrusted({
      file_path: path,
      chunks,
      models: [...models],
      refused,
      ...(warnings.length > 0 && { warnings }),
    }, language),
    text: quotedAnswer((quotes) =>
      [
        message(language, "reembedded_summary", {
          path: quotes.name(path),
          chunks,
          models: models.join(", "),
          refused: refused === 0 ? "" : message(language, "reembedded_refused", { count: refused }),
        }),
        ...warnings,
      ].join("\n")
    ),
  };
}
