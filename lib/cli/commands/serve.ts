import { UserError } from "../../errors.ts";
import { hasIndex } from "../../ingest/mod.ts";
import { serveMcp } from "../../mcp/mod.ts";
import { openLibrary } from "../../search/mod.ts";
import { warn } from "../context.ts";
import { EXIT } from "../exit.ts";
import { say } from "../say.ts";
import type { Session } from "../session.ts";
import { manyTargets, registeredTargets } from "../targets.ts";

/**
 * `serve`: the MCP server on stdin and stdout, until stdin ends. Without `--dir` it also serves the folders that are
 * processed while it runs.
 */
export async function serve(session: Session): Promise<number> {
  const { config, flags, language, log, version, signal } = session;
  const roots = await manyTargets(session);
  for (const root of roots) await warnOfUnusable(session, root);
  const moreRoots = flags.dir.length > 0 ? undefined : () => registeredTargets(session);
  const library = openLibrary(roots, config, {
    table: session.table,
    ...(moreRoots === undefined ? {} : { moreRoots }),
  });
  try {
    await serveMcp({
      library,
      language,
      log,
      version,
      signal,
      input: Deno.stdin.readable,
      output: Deno.stdout.writable,
    });
  } finally {
    library.close();
  }
  signal.throwIfAborted();
  return EXIT.done;
}

/** The folder stays among those served: it may be put right while the server runs. */
async function warnOfUnusable(session: Session, root: string): Promise<void> {
  try {
    await hasIndex(root);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(session, "cli_index_unusable", { dir: root, text: say(session.language, error.key, error.params) });
  }
}
