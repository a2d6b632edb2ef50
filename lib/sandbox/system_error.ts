// Apart from `file_error.ts`, which needs the messages: the thread that watches folders does without these 140 kB.

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
