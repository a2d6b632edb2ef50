import { reasonOf, UserError } from "../errors.ts";

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

/** Whether the error says that nothing exists at the path. That includes a path through a file instead of a folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether the error comes from the operating system (an unreadable disk, for example) and not from the program. */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) || /\(os error \d+\)/.test(error.message);
}

/** Error classes of the runtime by the error codes of `node:fs`. */
const CLASSES: Readonly<Record<string, new (message: string, options?: ErrorOptions) => Error>> = {
  EACCES: Deno.errors.PermissionDenied,
  EEXIST: Deno.errors.AlreadyExists,
  EISDIR: Deno.errors.IsADirectory,
  ELOOP: Deno.errors.FilesystemLoop,
  ENOENT: Deno.errors.NotFound,
  ENOTDIR: Deno.errors.NotADirectory,
  EPERM: Deno.errors.PermissionDenied,
};

/**
 * An error of `node:fs` as the class that `Deno`'s functions throw, with `path` in its message and the same `code`. Other
 * errors are returned as they are.
 */
export function asDenoError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (!(error instanceof Error) || typeof code !== "string") return error;
  const message = error.message.includes(path) ? error.message : `${error.message} '${path}'`;
  return Object.assign(new (CLASSES[code] ?? Error)(message, { cause: error }), { code });
}
