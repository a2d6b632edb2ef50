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

/** An error of `node:fs` as `Deno`'s functions throw it; any other as it is. Its `code` stays. */
export function asDenoError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  const Class = typeof code === "string" ? CLASSES[code] : undefined;
  if (!(error instanceof Error) || Class === undefined) return error;
  return Object.assign(new Class(error.message, { cause: error }), { code });
}
