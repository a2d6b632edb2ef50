/**
 * Tokens in the user's state folder, a small file for each, so that commands at the same time do not write the same file. It also chooses
 * between the folder and a database.
 */
import { createHash } from "node:crypto";
import { type Config, storeUrls, tokensDir, tokensUsedDir } from "#foundation/configuration/mod.ts";
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
import { damaged, isValid, recordOf, type TokenRecord, type TokenStore } from "./token_record.ts";

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

  /**
   * For a damaged file the list has a token that nobody has, so that the server still asks for tokens. Throws `data_folder_unsafe`,
   * `no_permission` and `file_unreadable`.
   */
  async list(): Promise<readonly TokenRecord[]> {
    const records: TokenRecord[] = [];
    for (const name of this.#tokens.namesIfAny()) {
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

  /** The modification time of a file is the time of the last use. Without the right to write there, nothing is noted. */
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

async function readJson(folder: OwnFolder, name: string): Promise<unknown> {
  try {
    using file = folder.open(name, "read");
    const buffer = new Uint8Array(MAX_ENTRY);
    return JSON.parse(new TextDecoder().decode(buffer.subarray(0, await fill(file, buffer))));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw fileError(error, folder.at(name));
  }
}

/** Opens the place of the tokens. The code for databases is loaded where there is one. */
export async function tokenStore(config: Config, stateDir: string): Promise<TokenStore> {
  // A collection may have another store; tokens are in that of all. With several databases the first one has them.
  const [url] = storeUrls({ ...config, collections: {} }, "");
  if (url === undefined) return new TokenFolder(stateDir);
  const { TokenTable } = await import("./token_table.ts");
  return new TokenTable({ ...config.store, url });
}
