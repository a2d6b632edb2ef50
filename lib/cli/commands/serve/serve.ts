import { serveMcp } from "../../../mcp/mod.ts";
import { warn } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printableErrorText } from "../../report.ts";
import { ENDING } from "./ending.ts";
import { foldersSince } from "./folders_since.ts";
import { LateLibrary } from "./late_library.ts";
import { openServed } from "./open_served.ts";
import type { Session } from "../../session.ts";

/** By then a client has been told what it asks first; it is a while before a model asks something. */
const OPEN_AFTER_MS = 100;

/**
 * `serve`: the MCP server on stdin and stdout, until stdin ends. Folders that are processed while it runs are not served:
 * what it may read was settled when it started. Without `--dir` it says which they are. With `--update` the indexes of its
 * folders are brought up to date meanwhile.
 */
export async function serve(session: Session): Promise<number> {
  const { io, config, flags, language, log, roots, version, signal } = session;
  await using resources = new AsyncDisposableStack();
  const added = flags.dir.length > 0 ? undefined : foldersSince(session);
  const library = new LateLibrary(roots, () => openServed(session, resources, added));
  const opening = setTimeout(
    () => library.open().catch((error) => tellOfFailure(session, error)),
    OPEN_AFTER_MS,
  );
  try {
    await serveMcp({
      library,
      language,
      log,
      version,
      config: config.mcp,
      signal,
      input: io.input(),
      output: Deno.stdout.writable,
      graceMs: ENDING.answers,
    });
  } finally {
    clearTimeout(opening);
    library.close();
  }
  signal.throwIfAborted();
  return EXIT.done;
}

/** Nobody has asked for the library yet: it is opened again when somebody does. */
function tellOfFailure(session: Session, error: unknown): void {
  const { language, log } = session;
  log.error("serve.open_failed", { error: error instanceof Error ? error.stack : String(error) });
  warn(session, "cli_serve_not_open", {
    text: printableErrorText(error, language, log.problem === undefined),
  });
}
