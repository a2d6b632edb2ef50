import { reasonOf, UserError } from "../errors.ts";
import { isMissing } from "./system_error.ts";

/**
 * A system error about the file at `path` as a `UserError`: `file_not_found`, `no_permission`, or `file_unreadable` with the
 * system's message in `error`. Each has `path`. A `UserError` is returned as it is.
 */
export function fileError(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error;
  if (isMissing(error)) {
    return new UserError("file_not_found", { path }, { cause: error });
  }
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return new UserError("no_permission", { path }, { cause: error });
  }
  const text = reasonOf(error);
  return new UserError("file_unreadable", { path, error: text }, { cause: error });
}
