import { dirname } from "node:path";
import { UserError } from "../errors.ts";
import { isDiskFull, unwritable } from "../sandbox/mod.ts";

/** A download that failed so that another source may still succeed. */
export class SourceFailure extends UserError {}

/** The error for a failed write at `path`: `model_disk_full` or `data_folder_unwritable`. */
export function cannotWrite(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error;
  if (isDiskFull(error)) return new UserError("model_disk_full", { path: dirname(path) }, { cause: error });
  return unwritable(error, path);
}
