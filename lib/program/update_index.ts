import type { LazyTable } from "#models/embedding/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import type { IngestOptions, IngestSummary } from "#library/ingest/types.ts";
import { printable } from "#foundation/messages/mod.ts";
import { warnText } from "./context.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./request.ts";

/** Options of {@linkcode updateIndex}. */
interface UpdateOptions extends Omit<IngestOptions, "signal"> {
  /** Whether no progress is shown. */
  readonly quiet?: boolean;
  /** The step after the run: before a search, progress is shown on a terminal only, and not for a short run. */
  readonly before?: "summary" | "search";
  /** The built-in table of word vectors, where it is shared with a search. */
  readonly table?: LazyTable;
}

/** Builds or updates the index of `root` and shows the progress. */
export async function updateIndex(
  session: Session,
  root: string,
  options: UpdateOptions = {},
): Promise<IngestSummary> {
  const summary = await withProgress(session, root, options);
  for (const text of summary.warnings ?? []) warnText(session, printable(text));
  return summary;
}

async function withProgress(
  session: Session,
  root: string,
  { before = "summary", quiet = false, table, onProgress, ...options }: UpdateOptions,
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
