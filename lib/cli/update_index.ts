import { ingest } from "../ingest/mod.ts";
import type { IngestSummary } from "../ingest/types.ts";
import { warnText } from "./context.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./session.ts";

/** How an index is brought up to date. */
interface UpdateOptions {
  readonly full?: boolean;
  /** Whether the model is asked for vectors that are known, too. */
  readonly fresh?: boolean;
  /** What the run is for. */
  readonly before?: "summary" | "search";
}

/** Builds or updates the index of `root` and shows how it goes on. */
export async function updateIndex(
  session: Session,
  root: string,
  options: UpdateOptions = {},
): Promise<IngestSummary> {
  const summary = await withProgress(session, root, options);
  for (const text of summary.warnings ?? []) warnText(session, text);
  return summary;
}

async function withProgress(
  session: Session,
  root: string,
  { full = false, fresh = false, before = "summary" }: UpdateOptions,
): Promise<IngestSummary> {
  using progress = await startProgress(session, root, { onTerminalOnly: before === "search" });
  return await ingest(root, session.config, session, {
    full,
    fresh,
    onProgress: progress.update,
    signal: session.signal,
  });
}
