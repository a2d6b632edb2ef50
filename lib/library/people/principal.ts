/** The people and programs that a server knows, their tokens, and the collections that each may read or write. */
import { createHash, randomBytes } from "node:crypto";
import { collectionOf, type Config } from "#foundation/configuration/mod.ts";
import { isInside } from "#foundation/boundary/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import type { AccessLimit } from "#library/search/types.ts";

/** The right of a principal to a collection: to search and read it, or also to bring its index up to date. */
export const RIGHTS = ["read", "write"] as const;

/** A right to one collection. */
export interface Grant {
  /** Name of a collection in the configuration, or the real path of a folder. */
  readonly collection: string;
  readonly right: typeof RIGHTS[number];
}

/** A person or program that asks a server. It may know of its collections only. */
export interface Principal {
  readonly name: string;
  readonly grants: readonly Grant[];
  /** The documents of these collections that it may know of. Absent: all. */
  readonly access?: AccessLimit | undefined;
}

/** A token as it is kept. The token itself is shown once and is not kept. */
export interface TokenRecord extends Principal {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly made: Date;
  /** Absent: it does not end by itself. */
  readonly expires?: Date | undefined;
  readonly revoked?: Date | undefined;
  /** When a server last admitted a request with it, to the minute. */
  readonly used?: Date | undefined;
}

/** The place where tokens are kept. */
export interface TokenStore {
  /** All tokens, also ended ones, by name. */
  list(): Promise<readonly TokenRecord[]>;
  /** Keeps a new token, in place of an ended one of the same name. Throws `UserError` `token_name_taken`. */
  add(token: TokenRecord): Promise<void>;
  /** Ends a token. Returns whether there was a valid one of that name. */
  revoke(name: string): Promise<boolean>;
  /** Notes that requests with these tokens, by their hashes, were admitted. */
  noteUse(hashes: readonly string[]): Promise<void>;
}

/** Beginning of every token, by which scanners of published files recognise it. */
const PREFIX = "mxr_";
const TOKEN_BYTES = 32;

/** A new token: 256 random bits. */
export function newToken(): string {
  return PREFIX + randomBytes(TOKEN_BYTES).toString("base64url");
}

/** The hash that a token is kept and looked up by. It needs no salt: nobody can guess 256 random bits. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether a token is valid at a time. */
export function isValid({ revoked, expires }: Pick<TokenRecord, "revoked" | "expires">, now: Date): boolean {
  return revoked === undefined && (expires === undefined || now < expires);
}

/** The folders of a principal among those that are served. */
export interface GrantedFolders {
  /** In the order in which they are served. */
  readonly roots: readonly string[];
  /** Those that it may bring up to date. The result of an update tells of all files in a folder, so folders around a hidden one are left out. */
  readonly writable: readonly string[];
  /** Folders of which it may know nothing, also where they lie inside one of its own. */
  readonly others: readonly string[];
}

/**
 * Returns the folders that a principal may know of. A grant names a collection of the configuration or a path, never a name that was made
 * of a path: that changes with the other folders that are served.
 */
export function grantedFolders(
  { grants }: Pick<Principal, "grants">,
  roots: readonly string[],
  config: Pick<Config, "collections">,
): GrantedFolders {
  const rightTo = (root: string) => {
    const name = collectionOf(config, root)?.name;
    const rights = grants.filter(({ collection }) => collection === root || collection === name);
    return rights.map(({ right }) => right);
  };
  // A collection that is not served has its files in the index of a folder around it as well.
  const known = new Set([...roots, ...Object.values(config.collections).map(({ path }) => path)]);
  const others = [...known].filter((root) => rightTo(root).length === 0);
  const isWhole = (root: string) => !others.some((other) => isInside(other, root));
  return {
    roots: roots.filter((root) => rightTo(root).length > 0),
    writable: roots.filter((root) => rightTo(root).includes("write") && isWhole(root)),
    others,
  };
}

/** Reads `NAME`, `NAME:read` or `NAME:write`. A path of Windows has a colon as well. */
export function grantOf(text: string): Grant {
  const [, collection = text, right = "read"] = /^(.+):(read|write)$/s.exec(text) ?? [];
  return { collection: collection.trim(), right: right as Grant["right"] };
}

/** Longest name of a token, in characters. */
const MAX_NAME = 64;

/** Checks the name of a token: letters, digits, `.`, `_`, `@`, `-` and spaces inside. Throws `UsageError` `token_name_invalid`. */
export function checkName(name: string): string {
  const plain = name.trim().normalize("NFC");
  const isName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@ -]*$/u.test(plain) && [...plain].length <= MAX_NAME;
  if (!isName) throw new UsageError("token_name_invalid", { name, limit: MAX_NAME });
  return plain;
}

const MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Longest life of a token, in days. */
const MAX_DAYS = 3660;

/**
 * The time at which a token ends: `90d`, `12h`, `4w`, a day such as `2027-01-31` (its end in UTC), or `never`. Throws `UsageError`
 * `token_expires_invalid`.
 */
export function endOf(text: string, now: Date): Date | undefined {
  if (text === "never") return undefined;
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T23:59:59.999Z`) : undefined;
  // A day such as 30 February is moved to March by some engines.
  const isDay = day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  const end = count !== undefined
    ? now.getTime() + Number(count) * MS[unit as keyof typeof MS]
    : isDay
    ? day.getTime()
    : NaN;
  if (!(end > now.getTime() && end - now.getTime() <= MAX_DAYS * MS.d)) {
    throw new UsageError("token_expires_invalid", { text, days: MAX_DAYS });
  }
  return new Date(end);
}
