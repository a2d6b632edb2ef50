import { dirname } from "node:path";
import { reasonOf, UserError } from "../errors.ts";

/** Why the file or folder at `path` could not be written, for people: `disk_full` or `data_folder_unwritable`. */
export function unwritable(error: unknown, path: string): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  const reason = reasonOf(error);
  return new UserError("data_folder_unwritable", { path, error: reason }, { cause: error });
}

/** Whether there is no room: on the disk, in the user's share of it, or for a file of this size. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG" ||
    error instanceof Error && /os error (27|28|112|122)\b/.test(error.message);
}
