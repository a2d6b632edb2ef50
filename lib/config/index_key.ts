import { join } from "node:path";
import { UsageError } from "../errors.ts";
import type { MessageKey } from "../messages.ts";
import { readKeyFile, readOrCreateKeyFile } from "./encryption/key_file.ts";

/** Errors about this key that replace those about the key of encrypted settings, whose advice would be wrong. */
const PROBLEMS: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["config_key_file_size", "index_key_damaged"],
  ["config_key_file_unreadable", "index_key_unreadable"],
  ["config_key_file_unwritable", "index_key_unwritable"],
]);

/** Path of the key of this installation's indexes. `lib/index/blob/seal.ts` explains its use. */
export function indexKeyPath(stateDir: string): string {
  return join(stateDir, "index.key");
}

/**
 * The key of this installation's indexes, 32 bytes from `index.key` in the state folder. If the file is missing, it is
 * created with `create`; without, the key is a new random one, so that no index is trusted.
 *
 * Throws `UsageError` with the `path` of an unusable file: `index_key_damaged`, `index_key_unreadable`,
 * `index_key_unwritable`, `config_key_file_link`, `config_key_file_not_regular`, `config_key_file_loose`.
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
