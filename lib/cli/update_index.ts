import { ingest } from "../ingest/mod.ts";
import type { IngestSummary } from "../ingest/types.ts";
import { warnText } from "./context.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./session.ts";

/** Builds or updates the index of `root` and shows how it goes on. `before`: what the run is for. */
export async function updateIndex(
  session: Session,
  root: string,
  { full = false, before = "summary" }: { full?: boolean; before?: "summary" | "search" } = {},
): Promise<IngestSummary> {
  const summary = await withProgress(session, root, full, before);
  for (const text of summary.warnings ?? []) warnText(session, text);
  return summary;
}

async function withProgress(
  session: Session,
  root: string,
  full: boolean,
  before: "summary" | "search",
): Promise<IngestSummary> {
  using progress = await startProgress(session, root, { onTerminalOnly: before === "search" });
  return await ingest(root, session.config, session, {
    full,
    onProgress: progress.update,
    signal: session.signal,
  });
}
