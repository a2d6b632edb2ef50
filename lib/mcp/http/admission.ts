import { createHash, timingSafeEqual } from "node:crypto";
import { type HttpRequest, isLoopback } from "../../sandbox/mod.ts";

/** Names of this machine that no server elsewhere can take. */
const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Conditions that a request must meet. */
export interface Admission {
  /** The IP address that the server listens on. */
  readonly host: string;
  /** The port that the server listens on, and whether with TLS. */
  readonly port: number;
  readonly isTls: boolean;
  /** Further names that clients call the server by, such as that of a proxy, each perhaps with a port. */
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
 * that name. So both must be names that belong to the server, with its port: a page of another port of this machine is another
 * program's. An IP address cannot be rebound: a server that listens on more than
 * loopback accepts all of them, since it does not know by which it is reached.
 */
export function refusalOf(
  { headers }: Pick<HttpRequest, "headers">,
  admission: Admission,
): Refusal | undefined {
  const { host, origin, authorization } = headers;
  const scheme = admission.isTls ? "https" : "http";
  const own = host === undefined ? undefined : placeIn(`${scheme}://${host}`);
  if (own === undefined || !isOurs(own, admission)) {
    return {
      status: 403,
      message: `Forbidden: the Host header names another server. Allowed: ${allowed(admission)}`,
    };
  }
  if (origin !== undefined) {
    const from = placeIn(origin);
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

/** A name and a port. */
interface Place {
  readonly name: string;
  readonly port: number;
  readonly isDefaultPort: boolean;
}

/** The place in an address; `undefined` where it is no address. */
function placeIn(address: string): Place | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "" || pathname !== "/") return undefined;
  return {
    name: hostname.replace(/\.$/, "").toLowerCase(),
    port: port !== "" ? Number(port) : protocol === "https:" ? 443 : 80,
    isDefaultPort: port === "",
  };
}

function isOurs(place: Place, { host, port, names }: Admission): boolean {
  const { name, isDefaultPort } = place;
  // A proxy passes on its own name, and its port if that is not the one of the protocol.
  const isNamed = names.some((own) => {
    const lower = own.toLowerCase();
    return lower === name ? isDefaultPort || place.port === port : lower === `${name}:${place.port}`;
  });
  if (isNamed) return true;
  if (place.port !== port) return false;
  if (LOOPBACK_NAMES.includes(name)) return true;
  if (isLoopback(host)) return name === host;
  // The parser of addresses writes every form of an IPv4 address as four numbers.
  return /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(name);
}

function allowed({ host, port, names }: Admission): string {
  const own = [...LOOPBACK_NAMES, ...(isLoopback(host) ? [] : ["IP addresses"])];
  return [...own.map((name) => `${name}:${port}`), ...names].join(", ");
}
