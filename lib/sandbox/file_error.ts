import { reasonOf, UserError } from "../errors.ts";

/**
 * The problem with a file as an error for people: `file_not_found`, `no_permission`, or
 * `file_unreadable` with the system's own words. Each has `path`. A `UserError` stays what it is.
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

/** Whether the system says that there is nothing of this name, be it that a part of the path is a file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether an error is one of the system, such as a disk that cannot be read, and none of the program. */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) || /\(os error \d+\)/.test(error.message);
}
