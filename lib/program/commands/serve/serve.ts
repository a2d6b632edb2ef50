/**
 * The command `serve`: the MCP server on stdin and stdout or over HTTP.
 */
import { serveHttp, serveMcp } from "#server/mod.ts";
import { EXIT } from "../../context.ts";
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
    (await import("../../say.ts")).note(session, "cli_serve_at_terminal", { count: roots.length });
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
    const { announce } = await import("./announce.ts");
    await serveHttp({ ...parts, address: http, onListening: (url) => announce(session, http, url) });
  }
  signal.throwIfAborted();
  return EXIT.done;
}
