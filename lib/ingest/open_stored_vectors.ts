import { StoredVectors } from "../index/mod.ts";
import { indexPath } from "../store/mod.ts";

/**
 * The exact vectors in the index of `root`, see {@linkcode StoredVectors.open}; nothing where there is no index. A link in its
 * place is not followed. Throws what keeps the file from being looked at: what was paid for must not be taken for nothing.
 */
export async function openStoredVectors(
  root: string,
  wanted: Parameters<typeof StoredVectors.open>[1],
  verified = false,
): Promise<StoredVectors | undefined> {
  const path = indexPath(root);
  try {
    return (await Deno.lstat(path)).isFile ? StoredVectors.open(path, wanted, verified) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
