import { UserError } from "../errors.ts";
import { type IndexKey, StoredVectors } from "../index/mod.ts";
import { openIndexFile } from "../store/mod.ts";

/**
 * The exact vectors in the index of `root`, see {@linkcode StoredVectors.open}; nothing where there is no index, or one that
 * cannot be opened: no run may depend on the index that it replaces. A link in its place is not followed: throws
 * `data_folder_unsafe`.
 */
export function openStoredVectors(
  root: string,
  key: IndexKey,
  wanted: Parameters<typeof StoredVectors.open>[2],
  verified = false,
): StoredVectors | undefined {
  try {
    return StoredVectors.open(openIndexFile(root), key, wanted, verified);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return undefined;
  }
}
