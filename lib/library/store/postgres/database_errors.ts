/** Errors of a database as texts that say what to do, and which of them a second try may cure. */
import type { DatabaseAddress } from "#foundation/configuration/database_address.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";

/** The names of a connection, for messages. */
export interface ConnectionNames {
  /** `HOST:PORT/DATABASE`. */
  readonly address: string;
  readonly user: string;
  readonly schema: string;
}

export function connectionNames(
  { hostname, port, database, user }: DatabaseAddress,
  schema: string,
): ConnectionNames {
  return { address: `${hostname}:${port}/${database}`, user, schema };
}

/** The messages of errors by SQLSTATE, or by its class of two characters. */
const BY_STATE: Readonly<Record<string, MessageKey>> = {
  "08": "store_unavailable",
  "25006": "store_read_only",
  "28": "store_login_refused",
  "28P01": "store_password_wrong",
  "3D000": "store_database_missing",
  "3F000": "store_schema_missing",
  "42P01": "store_schema_missing",
  "42703": "store_schema_missing",
  "42501": "store_permission_denied",
  "53": "store_unavailable",
  "53100": "store_disk_full",
  "53300": "store_too_many_connections",
  "57P": "store_unavailable",
  "58": "store_unavailable",
};

/** Errors of the system when a server cannot be reached. */
const UNREACHABLE = [
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
];

/** The texts of the client for a connection that was lost or took too long. */
const LOST = /^(?:Connection terminated|Client has encountered|timeout e|Client was closed)/;

/** The texts of pgbouncer, which gives a state of its own to every refusal. */
const BY_POOLER = [
  [/authentication failed|no such user/, "store_password_wrong"],
  [/no such database/, "store_database_missing"],
] as const satisfies readonly (readonly [RegExp, MessageKey])[];

/** The texts of the client, of TLS and of certificates, from this runtime and from Node. */
const NO_TLS = /does not support SSL/;
const NOT_VERIFIED =
  /certificate|UnknownIssuer|self[- ]signed|NotValidForName|CertNotValid|establishing an SSL|handshake|altname/i;

/**
 * Returns the error of a database for the user; the error itself where it is none that a user can act on, such as a mistake in a
 * statement.
 */
export function explained(error: unknown, names: ConnectionNames): unknown {
  if (error instanceof UserError) return error;
  const key = keyOf(error);
  return key === undefined
    ? error
    : new UserError(key, { ...names, reason: reasonOf(error) }, { cause: error });
}

function keyOf(error: unknown): MessageKey | undefined {
  const code = codeOf(error);
  const text = reasonOf(error);
  const refusal = code === "08P01" ? BY_POOLER.find(([words]) => words.test(text)) : undefined;
  if (refusal !== undefined) return refusal[1];
  const key = [code, code.slice(0, 3), code.slice(0, 2)].map((part) => BY_STATE[part])
    .find((found) => found !== undefined);
  // Two-character classes must not match the codes of the system, such as ENOTFOUND.
  if (key !== undefined && isState(code)) return key;
  if (NO_TLS.test(text)) return "store_tls_missing";
  if (UNREACHABLE.includes(code) || LOST.test(text)) return "store_unavailable";
  return NOT_VERIFIED.test(text) ? "store_tls_not_verified" : undefined;
}

/**
 * Whether the same work may succeed on a new connection: the connection was lost, or the server ended it, or it could not put
 * transactions in an order.
 */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (isState(code)) return /^(?:08|57P0[12]|40001|40P01)/.test(code);
  return ["ECONNRESET", "ECONNABORTED", "EPIPE"].includes(code) ||
    /^(?:Connection terminated|Client has encountered)/.test(reasonOf(error));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether a code is an SQLSTATE. */
function isState(code: string): boolean {
  return /^[0-9][0-9A-Z]{4}$/.test(code);
}
