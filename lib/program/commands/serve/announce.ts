/** Says on stderr where a server over HTTP listens. A server on stdin and stdout does without it. */
import { isLoopbackAddress } from "#foundation/boundary/http_listener.ts";
import type { HttpPlan } from "../../http_plan.ts";
import type { Session } from "../../request.ts";
import { note, printableMessage, warn } from "../../say.ts";

/** Says where the server listens, and how a client connects to it. */
export function announce(session: Session, http: HttpPlan, listening: string): void {
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
