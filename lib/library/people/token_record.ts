/** Reads tokens that were kept. A token that is not understood grants nothing. */
import { createHash } from "node:crypto";
import { present } from "#foundation/present.ts";
import { type Grant, RIGHTS, type TokenRecord } from "./principal.ts";

/** Returns a token that was kept as JSON; `undefined` unless every part of it is as this program writes it, since an unknown part may be a limit. */
export function recordOf(value: unknown): TokenRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, hash, grants, access, made, expires, revoked } = value as Record<string, unknown>;
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
  return { name, hash: createHash("sha256").update(name).digest("hex"), grants: [], made, revoked: made };
}

function isGrant(value: unknown): value is Grant {
  if (typeof value !== "object" || value === null) return false;
  const { collection, right } = value as Partial<Grant>;
  return typeof collection === "string" && RIGHTS.some((one) => one === right);
}

function levelsOf(access: unknown): readonly string[] | undefined {
  const { levels } = (access ?? {}) as { levels?: unknown };
  return Array.isArray(levels) && levels.every((level) => typeof level === "string") ? levels : undefined;
}

/** Returns a time; null for a value that is not a time. */
function timeOf(value: unknown): Date | null {
  const time = new Date(typeof value === "string" ? value : NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
