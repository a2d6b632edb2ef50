/** Tokens: how one is made, named and ended, and how it is kept. A kept token that is not understood grants nothing. */
import { createHash, randomBytes } from "node:crypto";
import { UsageError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { type Grant, type Principal, RIGHTS } from "./principal.ts";

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

/** Returns a token that was kept as JSON; `undefined` unless every part of it is as this program writes it, since an unknown part may be a limit. */
export function recordOf(value: unknown): TokenRecord | undefined {
  if (!hasOnly(value, ["name", "hash", "grants", "access", "made", "expires", "revoked"])) return undefined;
  const { name, hash, grants, access, made, expires, revoked } = value;
  if (typeof name !== "string" || typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  if (!Array.isArray(grants) || !grants.every(isGrant)) return undefined;
  const levels = access === undefined ? undefined : levelsOf(access);
  if (access !== undefined && levels === undefined) return undefined;
  const times = [made, expires, revoked].map((time) => time === undefined ? undefined : timeOf(time));
  if (times.includes(null)) return undefined;
  const [madeAt, ends, ended] = times as (Date | undefined)[];
  if (madeAt === undefined) return undefined;
  return present({
    name,
    hash,
    grants: grants.map(({ collection, right }) => ({ collection, right })),
    access: levels && { levels },
    made: madeAt,
    expires: ends,
    revoked: ended,
  });
}

/** Returns a revoked token that nobody has. It stands for one that is not understood, so that the server still asks for tokens. */
export function damaged(name: string): TokenRecord {
  const made = new Date(0);
  return { name, hash: tokenHash(name), grants: [], made, revoked: made };
}

function isGrant(value: unknown): value is Grant {
  if (!hasOnly(value, ["collection", "right"])) return false;
  const { collection, right } = value;
  return typeof collection === "string" && RIGHTS.some((one) => one === right);
}

function levelsOf(access: unknown): readonly string[] | undefined {
  if (!hasOnly(access, ["levels"])) return undefined;
  const { levels } = access;
  return Array.isArray(levels) && levels.every((level) => typeof level === "string") ? levels : undefined;
}

/** Whether a value is an object with no other keys than these. */
function hasOnly<Key extends string>(
  value: unknown,
  keys: readonly Key[],
): value is Partial<Record<Key, unknown>> {
  return typeof value === "object" && value !== null &&
    Object.keys(value).every((key) => keys.some((known) => known === key));
}

/** Returns a time; null for a value that is not a time. */
function timeOf(value: unknown): Date | null {
  const time = new Date(typeof value === "string" ? value : NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
