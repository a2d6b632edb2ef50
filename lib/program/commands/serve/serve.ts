/**
 * The command `serve`: the MCP server on stdin and stdout or over HTTP.
 */
import { serveHttp, serveMcp } from "#server/mod.ts";
import { isLoopbackAddress } from "#foundation/boundary/mod.ts";
import { EXIT, note, printableMessage, warn } from "../../context.ts";
import type { HttpPlan } from "../../http_plan.ts";
import type { Session } from "../../request.ts";
import { ServedLibrary } from "./served_library.ts";

/**
 * `serve`: the MCP server on stdin and stdout, until stdin ends; with `--http` the server for HTTP clients, until Ctrl-C.
 * Folders that are indexed while it runs are not served, since its permissions are fixed at the start; if it serves all
 * indexed folders, its answers name them. Meanwhile it keeps the indexes of its folders current, unless `--no-watch` or
 * `index.watch: false` says otherwise.
 */
export async function serve(session: Session): Promise<number> {
  const { io, config, flags, language, log, roots, version, signal, http } = session;
  // A client connects a pipe. At a terminal, a person may have started the server by mistake.
  if (io.terminal.stdin && http === undefined) {
    note(session, "cli_serve_at_terminal", { count: roots.length });
  }
  await using library = new ServedLibrary(session);
  library.openSoon();
  const parts = {
    ...{ library, language, log, version, signal },
    upkeep: flags.noWatch ? undefined : library,
    config: config.mcp,
    notes: library.notes,
    changes: library.documents.bus,
  };
  if (http === undefined) {
    await serveMcp({ ...parts, input: io.input(), output: Deno.stdout.writable });
  } else {
    await serveHttp({ ...parts, address: http, onListening: (url) => announce(session, http, url) });
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
