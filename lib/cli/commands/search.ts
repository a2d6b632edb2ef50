import { UsageError, UserError } from "../../errors.ts";
import { hasIndex } from "../../ingest/mod.ts";
import { queryProperties } from "../../log/mod.ts";
import { message } from "../../messages.ts";
import { openLibrary } from "../../search/mod.ts";
import type { SearchRequest } from "../../search/types.ts";
import { abortable, note, warn } from "../context.ts";
import { answerText } from "../output.ts";
import type { Session } from "../session.ts";
import { styleFor } from "../style.ts";
import { manyTargets } from "../targets.ts";
import { updateIndex } from "../update_index.ts";

/** `search QUERY...`: brings the indexes up to date, then answers. Finding nothing is no failure. */
export async function search(session: Session): Promise<number> {
  const { io, flags, operands, config, language, log, signal } = session;
  const roots = await manyTargets(session);
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  if (flags.update !== false) { for (const root of roots) await update(session, root); }

  const library = openLibrary(roots, config);
  try {
    const request: SearchRequest = {
      query: operands.join(" "),
      ...(flags.topK === undefined ? {} : { topK: flags.topK }),
      ...(flags.mode === undefined ? {} : { mode: flags.mode }),
    };
    const answer = await abortable(library.search(request, signal), signal);
    log.info("search", {
      ...queryProperties(log, request.query),
      hits: answer.hits.length,
      seconds: answer.seconds,
    });
    if (flags.json) {
      const { searchResult } = await import("../../mcp/mod.ts");
      await io.out(`${JSON.stringify(searchResult(answer, language), null, 2)}\n`);
      return 0;
    }
    for (const text of answer.notices) note(session, "cli_warning", { text });
    const found = answer.hits.length > 0;
    await io.out(
      found ? answerText(answer, language, styleFor(io, "stdout")) : `${message(language, "no_match")}\n`,
    );
    return 0;
  } finally {
    library.close();
  }
}

/** An index that cannot be updated (another writer, a folder that is read-only) still answers. */
async function update(session: Session, root: string): Promise<void> {
  const { language, signal } = session;
  try {
    const summary = await updateIndex(session, root, { before: "search" });
    if (summary.written) {
      note(session, "cli_updated", {
        dir: root,
        new: summary.new,
        changed: summary.changed,
        renamed: summary.renamed,
        removed: summary.removed,
      });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(await hasIndex(root))) throw error;
    session.log.warning("search.update_failed", { root, error: String(error) });
    const text = error instanceof UserError ? message(language, error.key, error.params) : String(error);
    warn(session, "cli_update_failed", { dir: root, text });
  }
}
