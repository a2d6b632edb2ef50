import { UserError } from "../errors.ts";
import type { MessageKey } from "../messages.ts";

/** The keys of errors for paths outside of the served folders. */
const REFUSALS: ReadonlySet<MessageKey> = new Set(["no_permission", "dir_not_served", "index_not_ready"]);

/**
 * Returns an error, or one that also names the folders that are served after a restart, as `added`, because a path that is
 * refused may lie there. `added` returns those folders.
 */
export async function withRestart(error: unknown, added: () => Promise<readonly string[]>): Promise<unknown> {
  if (!(error instanceof UserError) || !REFUSALS.has(error.key)) return error;
  const folders = await added();
  if (folders.length === 0) return error;
  return new UserError(error.key, { ...error.params, added: folders.join(", ") }, { cause: error });
}
