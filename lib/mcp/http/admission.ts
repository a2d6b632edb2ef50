import { createHash, timingSafeEqual } from "node:crypto";
import { type HttpRequest, isLoopback } from "../../sandbox/mod.ts";

/** Names of this machine that no server elsewhere can take. */
const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Conditions that a request must meet. */
export interface Admission {
  /** The IP address that the server listens on. */
  readonly host: string;
  /** Further names that clients call the server by, such as that of a proxy. */
  readonly names: readonly string[];
  /** SHA-256 of the token that requests need; null without one. */
  readonly tokenHash: Uint8Array | null;
}

/** A refusal of a request, before its body is read. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Why a request is refused because of its headers; `undefined` if it is not.
 *
 * A web page can send requests to a name that it made point at this machine (DNS rebinding), and its `Host` and `Origin` are then
 * that name. So both must be names that belong to the server. An IP address cannot be rebound: a server that listens on more than
 * loopback accepts all of them, since it does not know by which it is reached.
 */
export function refusalOf(
  { headers }: Pick<HttpRequest, "headers">,
  admission: Admission,
): Refusal | undefined {
  const { host, origin, authorization } = headers;
  const name = host === undefined ? undefined : hostnameOf(`http://${host}`);
  if (name === undefined || !isOurs(name, admission)) {
    return {
      status: 403,
      message: `Forbidden: the Host header names another server. Allowed: ${allowed(admission)}`,
    };
  }
  if (origin !== undefined) {
    const from = hostnameOf(origin);
    if (from === undefined || !isOurs(from, admission)) {
      return { status: 403, message: "Forbidden: the Origin header names a web page of another server" };
    }
  }
  return tokenRefusal(authorization, admission);
}

function tokenRefusal(authorization: string | undefined, { tokenHash }: Admission): Refusal | undefined {
  if (tokenHash === null) return undefined;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  // Hashes have the same length, so that the comparison says nothing about the token's.
  if (token !== undefined && timingSafeEqual(createHash("sha256").update(token).digest(), tokenHash)) {
    return undefined;
  }
  const [detail, message] = token === undefined
    ? ["", "Unauthorized: send the header Authorization: Bearer TOKEN, with the token of this server"]
    : [', error="invalid_token"', "Unauthorized: the token that was sent is not the token of this server"];
  return { status: 401, message, headers: { "WWW-Authenticate": `Bearer realm="muxue_rag"${detail}` } };
}

/** The name in an address, without the port; `undefined` where it is no address. */
function hostnameOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, pathname } = new URL(address);
  const isPlain = username === "" && password === "" && pathname === "/";
  return /^https?:$/.test(protocol) && isPlain ? hostname.replace(/\.$/, "").toLowerCase() : undefined;
}

function isOurs(name: string, { host, names }: Admission): boolean {
  if (LOOPBACK_NAMES.includes(name) || names.some((own) => own.toLowerCase() === name)) return true;
  if (isLoopback(host)) return name === host;
  // The parser of addresses writes every form of an IPv4 address as four numbers.
  return /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(name);
}

function allowed({ host, names }: Admission): string {
  return [...LOOPBACK_NAMES, ...(isLoopback(host) ? [] : ["IP addresses"]), ...names].join(", ");
}
