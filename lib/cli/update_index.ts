import type { LazyTable } from "../embedding/mod.ts";
import { ingest } from "../ingest/mod.ts";
import type { IngestProgress, IngestSummary } from "../ingest/types.ts";
import { printable } from "../messages.ts";
import { warnText } from "./context.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./session.ts";

/** How an index is brought up to date. */
interface UpdateOptions {
  readonly full?: boolean;
  /** Whether the model is asked for vectors that are known, too. */
  readonly fresh?: boolean;
  /** Told now and then how far the run is. */
  readonly onProgress?: (progress: IngestProgress) => void;
  /** How long the run may compute without letting others have a turn, in milliseconds. */
  readonly spellMs?: number;
  /** Purpose of the run. */
  readonly before?: "summary" | "search";
  /** The built-in table, where it is used for more than this. */
  readonly table?: LazyTable;
}

/** Builds or updates the index of `root` and shows how it goes on. */
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
