/** The address of a database: `postgres://USER@HOST:PORT/DATABASE`. A password is never part of it. */
import { isHost, isLoopbackHost } from "./user_environment.ts";

/** The parts of a database's address. */
export interface DatabaseAddress {
  /** In lower case, an IPv6 address in brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Whether it is on this machine, where TLS is not needed. */
  readonly isLocal: boolean;
}

/** Parameters that other programs write into an address. TLS is decided by the host and `store.tls`. */
const IGNORED = ["sslmode"];

/**
 * Returns the parts of an address; `undefined` if it is not one, names no user or database, or has a password or other parameters
 * than `sslmode`.
 *
 * ```ts
 * import { databaseAddress } from "./database_address.ts";
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * deepEqual(databaseAddress("postgres://reader@DB.example.com/notes"), {
 *   hostname: "db.example.com",
 *   port: 5432,
 *   user: "reader",
 *   database: "notes",
 *   isLocal: false,
 * });
 * equal(databaseAddress("postgres://reader:secret@db.example.com/notes"), undefined);
 * ```
 */
export function databaseAddress(url: string): DatabaseAddress | undefined {
  const parsed = /^postgres(?:ql)?:\/\//i.test(url) ? URL.parse(url) : null;
  if (parsed === null) return undefined;
  const hostname = parsed.hostname.toLowerCase();
  const user = decoded(parsed.username);
  const database = decoded(parsed.pathname.slice(1));
  const isComplete = isHost(hostname) && user && database && !database.includes("/");
  const isPlain = parsed.password === "" && parsed.hash === "" &&
    [...parsed.searchParams.keys()].every((name) => IGNORED.includes(name));
  if (!isComplete || !isPlain) return undefined;
  const port = parsed.port === "" ? 5432 : Number(parsed.port);
  return { hostname, port, user, database, isLocal: isLoopbackHost(hostname) };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    // A zero would end the text in the protocol of the server.
    return plain === "" || plain.includes("\0") ? undefined : plain;
  } catch {
    return undefined;
  }
}
