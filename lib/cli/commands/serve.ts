import { UserError } from "../../errors.ts";
import { serveMcp } from "../../mcp/mod.ts";
import type { Library } from "../../search/types.ts";
import { warn } from "../context.ts";
import { EXIT } from "../exit.ts";
import { say } from "../say.ts";
import { LateLibrary } from "../serve/late_library.ts";
import { updatedLibrary } from "../serve/updated_library.ts";
import type { Session } from "../session.ts";

/** By then a client has been told what it asks first; it is a while before a model asks something. */
const OPEN_AFTER_MS = 100;

/**
 * `serve`: the MCP server on stdin and stdout, until stdin ends. Folders that are processed while it runs are not served:
 * what it may read was settled when it started. Without `--dir` it says which they are. With `--update` the indexes of its
 * folders are brought up to date meanwhile.
 */
export async function serve(session: Session): Promise<number> {
  const { language, log, roots, version, signal } = session;
  await using resources = new AsyncDisposableStack();
  const library = new LateLibrary(roots, () => open(session, resources));
  const opening = setTimeout(
    () => library.open().catch((error) => logFailure(session, error)),
    OPEN_AFTER_MS,
  );
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
    clearTimeout(opening);
    library.close();
  }
  signal.throwIfAborted();
  return EXIT.done;
}

/**
 * Loads what searches, says which of the folders cannot be searched, and with `--update` begins to update them, which ends
 * with `resources`.
 */
async function open(session: Session, resources: AsyncDisposableStack): Promise<Library> {
  const { config, flags, language, roots } = session;
  const { openLibrary } = await import("../../search/mod.ts");
  for (const root of roots) await warnOfUnusable(session, root);
  const added = flags.dir.length > 0 ? {} : { added: await foldersSince(session) };
  if (!flags.update) return openLibrary(roots, config, added);
  const { BackgroundUpdates } = await import("../serve/background_updates.ts");
  const updates = resources.use(new BackgroundUpdates(session));
  return updatedLibrary(openLibrary(roots, config, { ...added, table: updates.table }), updates, language);
}

function logFailure({ log }: Session, error: unknown): void {
  log.error("serve.open_failed", { error: error instanceof Error ? error.stack : String(error) });
}

/** Tells which folders have been processed on this machine since now. */
async function foldersSince({ stateDir }: Session): Promise<() => Promise<string[]>> {
  const { registeredPaths } = await import("../../registry/mod.ts");
  const before = new Set(await registeredPaths(stateDir));
  return async () => (await registeredPaths(stateDir)).filter((path) => !before.has(path));
}

/** The folder stays among those served: it may be put right while the server runs. */
async function warnOfUnusable(session: Session, root: string): Promise<void> {
  const { hasIndex } = await import("../../ingest/mod.ts");
  try {
    await hasIndex(root);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(session, "cli_index_unusable", { dir: root, text: say(session.language, error.key, error.params) });
  }
}
