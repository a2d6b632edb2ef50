import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { readKeyFile, readOrCreateKeyFile } from "./encryption/key_file.ts";

/** Where the key of this installation's indexes lies: in the user's state folder. `lib/index/blob/seal.ts` says what it is for. */
export function indexKeyPath(stateDir: string): string {
  return join(stateDir, "index.key");
}

/**
 * The key of this installation's indexes, from `index.key` in the state folder; `create`: makes the file where it is missing.
 * Without the file and `create` a key that nothing was written with: no index is believed. Throws `UsageError` for a file that
 * cannot be the key, see {@linkcode readKeyFile}.
 */
export async function indexKeyIn(
  stateDir: string,
  { create }: { readonly create: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const path = indexKeyPath(stateDir);
  if (create) return (await readOrCreateKeyFile(path)).bytes;
  try {
    return await readKeyFile(path);
  } catch (error) {
    if (!(error instanceof UsageError) || error.key !== "config_key_file_missing") throw error;
    return crypto.getRandomValues(new Uint8Array(32));
  }
}
