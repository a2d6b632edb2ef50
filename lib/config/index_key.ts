import { join } from "node:path";
import { UsageError } from "../errors.ts";
import type { MessageKey } from "../messages.ts";
import { readKeyFile, readOrCreateKeyFile } from "./encryption/key_file.ts";

/** The message about this key where the advice for the key of encrypted settings would be wrong. */
const PROBLEMS: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["config_key_file_size", "index_key_damaged"],
  ["config_key_file_unreadable", "index_key_unreadable"],
  ["config_key_file_unwritable", "index_key_unwritable"],
]);

/** Path of the key of this installation's indexes, in the user's state folder. `lib/index/blob/seal.ts` explains its use. */
export function indexKeyPath(stateDir: string): string {
  return join(stateDir, "index.key");
}

/**
 * The key of this installation's indexes, from `index.key` in the state folder; `create`: makes the file where it is missing.
 * Without the file and `create` a key that nothing was written with: no index is believed. Throws `UsageError` for a file that
 * cannot be the key: `index_key_damaged`, `index_key_unreadable`, `index_key_unwritable`, `config_key_file_link`,
 * `config_key_file_not_regular`, `config_key_file_loose`, each with its `path`.
 */
export async function indexKeyIn(
  stateDir: string,
  { create }: { readonly create: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const path = indexKeyPath(stateDir);
  try {
    return create ? (await readOrCreateKeyFile(path)).bytes : await readKeyFile(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.key === "config_key_file_missing" && !create) return crypto.getRandomValues(new Uint8Array(32));
    throw new UsageError(PROBLEMS.get(error.key) ?? error.key, error.params, { cause: error });
  }
}
