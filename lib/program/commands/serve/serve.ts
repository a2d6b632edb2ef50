/**
 * The command `serve`: the MCP server on stdin and stdout or over HTTP,
 * and the folders that were indexed since its start.
 */
import { servedCollections } from "#library/search/types.ts";
import { DocumentChanges, Notes, serveHttp, serveMcp } from "#server/mod.ts";
import { isLoopbackAddress } from "#foundation/boundary/mod.ts";
import { EXIT, note, printableMessage, warn } from "../../context.ts";
import type { HttpPlan } from "../../http_plan.ts";
import { printableErrorText } from "../../report.ts";
import type { Session } from "../../request.ts";
import { LateLibrary } from "./lazy_library.ts";
import { LateUpkeep, openServed } from "./served_library.ts";
import { registeredPaths } from "#foundation/registry.ts";

/** Delay before the indexes are opened: the answers to the first requests of a client come before. */
const OPEN_AFTER_MS = 100;

/**
 * `serve`: the MCP server on stdin and stdout, until stdin ends; with `--http` the server for HTTP clients, until Ctrl-C.
 * Folders that are indexed while it runs are not served, since its permissions are fixed at the start; if it serves all
 * indexed folders, its answers name them. Meanwhile it keeps the indexes of its folders current, unless `--no-watch` or `index.watch: false` says
 * otherwise.
 */
export async function serve(session: Session): Promise<number> {
  const { io, config, flags, language, log, roots, choice, version, signal, http } = session;
  // A client connects a pipe. At a terminal, a person may have started the server by mistake.
  if (io.terminal.stdin && http === undefined) {
    note(session, "cli_serve_at_terminal", { count: roots.length });
  }
  await using resources = new AsyncDisposableStack();
  const added = choice.by === "all" ? foldersSince(session) : undefined;
  const upkeep = flags.noWatch ? undefined : new LateUpkeep(() => library.open());
  const notes = new Notes();
  const onWarning = (text: string) => notes.publish({ level: "warning", text });
  const library: LateLibrary = new LateLibrary(servedCollections(roots, config), async () => {
    const opened = await openServed(
      { ...session, onWarning },
      resources,
      added,
      (updates) => upkeep?.set(updates),
    );
    documents.start();
    return opened;
  });
  using documents = new DocumentChanges(library, {
    onChange: ({ root: dir, ...counts }) =>
      notes.publish({ level: "info", text: printableMessage(language, "index_changed", { dir, ...counts }) }),
    onError: (error) => log.debug("serve.look_failed", { error: String(error) }),
  });
  const opening = setTimeout(
    () => library.open().catch((error) => warnNotOpen(session, error)),
    OPEN_AFTER_MS,
  );
  try {
    const parts = {
      library,
      upkeep,
      language,
      log,
      version,
      config: config.mcp,
      signal,
      notes,
      changes: documents.bus,
    };
    if (http === undefined) {
      await serveMcp({ ...parts, input: io.input(), output: Deno.stdout.writable });
    } else {
      await serveHttp({ ...parts, address: http, onListening: (url) => announce(session, http, url) });
    }
  } finally {
    clearTimeout(opening);
    library.close();
  }
  signal.throwIfAborted();
  return EXIT.done;
}

/** Says where the server listens, and how a client connects to it. */
function announce(session: Session, http: HttpPlan, listening: string): void {
  const { io, language, roots } = session;
  const urls = http.addresses.map((address) => withAddress(listening, address));
  const url = urls[0] ?? listening;
  const header = http.newToken === undefined ? "" : ` --header "Authorization: Bearer TOKEN"`;
  // A shell would expand the variable, so that the client's file would hold the token.
  const command = http.tokenEnv === undefined
    ? `claude mcp add --transport http muxue_rag ${url}${header}`
    : `muxue_rag setup claude-code --url ${url} --token-env ${http.tokenEnv} --write`;
  note(session, "cli_serve_http", { url: urls.join(", "), count: roots.length, command });
  // Without it, nobody could use the server.
  if (http.newToken !== undefined) {
    io.err(`${printableMessage(language, "cli_serve_http_token", { token: http.newToken })}\n`);
  }
  if (http.tls === null && !isLoopbackAddress(http.host)) warn(session, "cli_serve_http_plain", { url });
}

function withAddress(url: string, address: string): string {
  const changed = new URL(url);
  changed.hostname = address.includes(":") ? `[${address}]` : address;
  return changed.href;
}

/** Warns that the indexes could not be opened. The next request opens them again. */
function warnNotOpen(session: Session, error: unknown): void {
  const { language, log } = session;
  log.error("serve.open_failed", { error: error instanceof Error ? error.stack : String(error) });
  warn(session, "cli_serve_not_open", {
    text: printableErrorText(error, language, log.problem === undefined),
  });
}

/**
 * Returns a function that returns the folders indexed on this machine since this call. The server does not serve them. If
 * the list of folders cannot be read, the function returns an empty array and writes to the log.
 */
export function foldersSince({ stateDir, log }: Pick<Session, "stateDir" | "log">): () => Promise<string[]> {
  const listed = async (): Promise<string[] | undefined> => {
    try {
      return await registeredPaths(stateDir);
    } catch (error) {
      log.warning("serve.registry_unreadable", { error: String(error) });
      return undefined;
    }
  };
  const before = listed();
  return async () => {
    const [then, now = []] = await Promise.all([before, listed()]);
    return then === undefined ? [] : now.filter((path) => !then.includes(path));
  };
}
