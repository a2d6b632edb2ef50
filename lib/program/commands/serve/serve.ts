/**
 * The command `serve`: the MCP server on stdin and stdout or over HTTP, and what it says about itself.
 */
import { type LimitedToken, serveHttp, serveMcp } from "#server/mod.ts";
import { EXIT } from "../../context.ts";
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
  const { io, config, flags, language, log, roots, version, signal, http, answered } = session;
  // A client connects a pipe. At a terminal, a person may have started the server by mistake.
  if (io.terminal.stdin && http === undefined) {
    (await import("../../say.ts")).note(session, "cli_serve_at_terminal", { count: roots.length });
  }
  await using library = new ServedLibrary(session);
  library.openSoon();
  const parts = {
    library,
    language,
    log,
    version,
    signal,
    // An update and its messages tell of documents that clients may not know of.
    upkeep: flags.noWatch || library.isLimited ? undefined : library,
    answering: config.llm.provider === "none" ? undefined : (await answering()).answeringOf(session),
    config: config.mcp,
    notes: library.isLimited ? undefined : library.notes,
    changes: library.documents.bus,
  };
  if (http === undefined) {
    await serveMcp({ ...parts, input: io.input(), output: Deno.stdout.writable, answered });
  } else {
    const { limitedParts, servedTokens } = await import("./served_people.ts");
    const partsOf = (token: LimitedToken) => limitedParts(token, library, session);
    const people = await servedTokens(session);
    const pages = flags.ui
      ? await (await import("./served_pages.ts")).servedPages(session, library, { people, partsOf })
      : undefined;
    const announce = await announcement(session, http);
    await serveHttp({
      ...parts,
      address: http,
      limitedParts: partsOf,
      people,
      pages: pages?.make,
      onListening: (url) => {
        announce(url);
        pages?.tell(url);
      },
    });
  }
  signal.throwIfAborted();
  return EXIT.done;
}

const answering = () => import("./answering.ts");
/** The texts, which a start does without. */
const say = () => import("../../say.ts");

/** A function that says on stderr where a server over HTTP listens, and how a client connects to it. */
async function announcement(session: Session, http: HttpPlan): Promise<(listening: string) => void> {
  const { note, printableMessage, warn } = await say();
  const { isLoopbackAddress } = await import("#foundation/boundary/http_listener.ts");
  return (listening) => {
    const urls = http.addresses.map((address) => withAddress(listening, address));
    const url = urls[0] ?? listening;
    const header = http.newToken === undefined ? "" : ` --header "Authorization: Bearer TOKEN"`;
    // A shell would expand the variable, so that the client's file would hold the token.
    const command = http.tokenEnv === undefined
      ? `claude mcp add --transport http muxue_rag ${url}${header}`
      : `muxue_rag setup claude-code --url ${url} --token-env ${http.tokenEnv} --write`;
    note(session, "cli_serve_http", { url: urls.join(", "), count: session.roots.length, command });
    // Without it, nobody could use the server.
    if (http.newToken !== undefined) {
      const text = printableMessage(session.language, "cli_serve_http_token", { token: http.newToken });
      session.io.err(`${text}\n`);
    }
    if (http.tls === null && !isLoopbackAddress(http.host)) warn(session, "cli_serve_http_plain", { url });
  };
}

function withAddress(url: string, address: string): string {
  const changed = new URL(url);
  changed.hostname = address.includes(":") ? `[${address}]` : address;
  return changed.href;
}
