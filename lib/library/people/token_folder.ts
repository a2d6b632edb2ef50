/** Tokens in the user's state folder: a small file for each, so that commands at the same time do not write the same file. */
import { createHash } from "node:crypto";
import { tokensDir, tokensUsedDir } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import {
  fileError,
  fill,
  isMissing,
  lookAt,
  OwnFolder,
  unwritable,
  writeAll,
} from "#foundation/boundary/mod.ts";
import { present } from "#foundation/present.ts";
import { type Grant, isValid, RIGHTS, type TokenRecord, type TokenStore } from "./principal.ts";

/** Greatest size of a file in bytes. */
const MAX_ENTRY = 262_144;

/** Whether a file of one of these folders is the program's. */
export function isTokenFile(name: string): boolean {
  return /^[0-9a-f]{32}\.json$/.test(name);
}

function entryName(text: string): string {
  return `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`;
}

/** The tokens in a state folder. */
export class TokenFolder implements TokenStore {
  readonly #tokens: OwnFolder;
  readonly #used: OwnFolder;

  constructor(stateDir: string) {
    this.#tokens = new OwnFolder(tokensDir(stateDir), { named: true });
    this.#used = new OwnFolder(tokensUsedDir(stateDir), { named: true });
  }

  /** A damaged file is a token that nobody has, so that it closes a server as well. Throws `data_folder_unsafe`, `no_permission` and `file_unreadable`. */
  async list(): Promise<readonly TokenRecord[]> {
    const records: TokenRecord[] = [];
    for (const name of namesIn(this.#tokens)) {
      if (!isTokenFile(name)) continue;
      const record = recordOf(await readJson(this.#tokens, name)) ?? damaged(name);
      const used = await lookAt(this.#used.at(entryName(record.hash))).catch(() => undefined);
      records.push(present({ ...record, used: used?.mtime ?? undefined }));
    }
    return records.sort((a, b) => a.name < b.name ? -1 : 1);
  }

  async add(token: TokenRecord): Promise<void> {
    const known = recordOf(await readJson(this.#tokens, entryName(token.name)));
    if (known !== undefined && isValid(known, new Date())) {
      throw new UserError("token_name_taken", { name: token.name });
    }
    await this.#write(token);
  }

  async revoke(name: string): Promise<boolean> {
    const known = recordOf(await readJson(this.#tokens, entryName(name)));
    if (known === undefined || !isValid(known, new Date())) return false;
    await this.#write({ ...known, revoked: new Date() });
    return true;
  }

  /** The time of a file is that of the last use. Without the right to write there, nothing is noted. */
  async noteUse(hashes: readonly string[]): Promise<void> {
    this.#used.make();
    for (const hash of hashes) {
      await this.#used.replace(entryName(hash), (file) => writeAll(file, new TextEncoder().encode("{}\n")));
    }
  }

  async #write({ used: _used, ...token }: TokenRecord): Promise<void> {
    const name = entryName(token.name);
    try {
      this.#tokens.make();
      await this.#tokens.replace(
        name,
        (file) => writeAll(file, new TextEncoder().encode(`${JSON.stringify(token)}\n`)),
      );
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(error, this.#tokens.at(name));
    }
  }
}

function namesIn(folder: OwnFolder): string[] {
  try {
    return folder.names();
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileError(error, folder.path);
  }
}

async function readJson(folder: OwnFolder, name: string): Promise<unknown> {
  try {
    using file = folder.open(name, "read");
    const buffer = new Uint8Array(MAX_ENTRY);
    return JSON.parse(new TextDecoder().decode(buffer.subarray(0, await fill(file, buffer))));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error instanceof UserError ? error : fileError(error, folder.at(name));
  }
}

/** The token in a file; `undefined` unless every part of it is as this program writes it: a limit that is not understood grants nothing. */
function recordOf(value: unknown): TokenRecord | undefined {
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

function damaged(name: string): TokenRecord {
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

/** A time; null for what is none. */
function timeOf(value: unknown): Date | null {
  const time = new Date(typeof value === "string" ? value : NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
