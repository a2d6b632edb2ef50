import type { LazyTable } from "../embedding/mod.ts";
import { ingest } from "../ingest/mod.ts";
import type { IngestProgress, IngestSummary } from "../ingest/types.ts";
import { printable } from "../messages.ts";
import { warnText } from "./context.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./session.ts";

/** Options of {@linkcode updateIndex}. */
interface UpdateOptions {
  readonly full?: boolean;
  /** Whether all vectors are computed again, those that are known as well. */
  readonly fresh?: boolean;
  /** Called with the progress of the run. */
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Longest time that the run computes without yielding to other tasks, in milliseconds. */
  readonly spellMs?: number;
  /** The step after the run: before a search, progress is shown on a terminal only. */
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
  { full = false, fresh = false, before = "summary", table, onProgress, spellMs }: UpdateOptions,
): Promise<IngestSummary> {
  using progress = await startProgress(session, root, { onTerminalOnly: before === "search" });
  const context = table === undefined ? session : { ...session, table };
  return await ingest(root, session.config, context, {
    full,
    fresh,
    onProgress: (state) => {
      progress.update(state);
      onProgress?.(state);
    },
    signal: session.signal,
    ...(spellMs === undefined ? {} : { spellMs }),
  });
}
