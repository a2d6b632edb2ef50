import { dirname } from "node:path";
import { reasonOf, UserError } from "../errors.ts";

/** The `UserError` for a failed write at `path`: `disk_full` or the one of `key`. */
export function unwritable(
  error: unknown,
  path: string,
  key: "data_folder_unwritable" | "index_folder_unwritable" = "data_folder_unwritable",
): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  const reason = reasonOf(error);
  return new UserError(key, { path, error: reason }, { cause: error });
}

/** Whether the disk or the user's quota is full, or the file is too large for the file system. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG" ||
    error instanceof Error && /os error (27|28|112|122)\b/.test(error.message);
}
