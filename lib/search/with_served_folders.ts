import { UserError } from "../errors.ts";

/**
 * Returns an error, or, for the path of a file outside of the served folders, one that also has these folders as `served`: the
 * message that the contract fixes speaks of permissions. It is the same whether the file exists or not.
 */
export function withServedFolders(error: unknown, roots: readonly string[]): unknown {
  if (!(error instanceof UserError) || error.key !== "no_permission") return error;
  // A file that the settings leave out has a reason, and one that the system refuses has a cause.
  if (error.params.reason !== undefined || error.cause instanceof Deno.errors.PermissionDenied) return error;
  return new UserError(error.key, { ...error.params, served: roots.join(", ") }, { cause: error });
}
