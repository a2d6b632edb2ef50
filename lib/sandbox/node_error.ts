/** Names of the system's errors, and the runtime's classes of them. */
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
 * An error of `node:fs` as `Deno`'s functions throw it, with the `path` that it is about; any other as it is. Its `code`
 * stays.
 */
export function asDenoError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (!(error instanceof Error) || typeof code !== "string") return error;
  const message = error.message.includes(path) ? error.message : `${error.message} '${path}'`;
  return Object.assign(new (CLASSES[code] ?? Error)(message, { cause: error }), { code });
}
