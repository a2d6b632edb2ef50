import { UsageError } from "../../../errors.ts";
import { CLIENTS } from "./clients.ts";
import type { Client, HttpEntry } from "./types.ts";

/**
 * The entry by which `client` connects to a server over HTTP. `tokenEnv`: the environment variable of the client that holds the
 * token; the entry names it, and the file holds no token. Throws `UsageError` for an address that is none, and for a client
 * whose file cannot say that.
 */
export function httpEntry(client: Client, url: string, tokenEnv: string | undefined): HttpEntry {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if (!/^https?:$/.test(protocol) || username || password) throw new UsageError("cli_setup_bad_url", { url });
  if (tokenEnv !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(tokenEnv)) {
    throw new UsageError("cli_setup_bad_variable", { name: tokenEnv });
  }
  if (client.http === undefined) {
    throw new UsageError("cli_setup_no_http", { client: client.name, clients: namesOf(({ http }) => http) });
  }
  const entry = client.http(url, tokenEnv);
  if (entry === undefined) {
    const clients = namesOf(({ http }) => http?.(url, tokenEnv));
    throw new UsageError("cli_setup_no_token_env", { client: client.name, clients });
  }
  return entry;
}

/** The ids of the clients for which `can` returns something. */
function namesOf(can: (client: Client) => unknown): string {
  return CLIENTS.filter((client) => can(client) !== undefined).map(({ id }) => id).join(", ");
}
