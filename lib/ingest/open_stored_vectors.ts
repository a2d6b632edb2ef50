import { StoredVectors } from "../index/mod.ts";
import { openIndexFile } from "../store/mod.ts";

/**
 * The exact vectors in the index of `root`, see {@linkcode StoredVectors.open}; nothing where there is no index. A link in its
 * place is not followed: throws `data_folder_unsafe`. Throws what keeps the file from being looked at: what was paid for must
 * not be taken for nothing.
 */
export function openStoredVectors(
  root: string,
  wanted: Parameters<typeof StoredVectors.open>[1],
  verified = false,
): StoredVectors | undefined {
  try {
    return StoredVectors.open(openIndexFile(root), wanted, verified);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
