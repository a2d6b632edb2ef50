/** A new file in a folder of the user, which the user puts there through a page: under a plain name, and never over another file. */
import { join } from "node:path";
import { CONFIG_FILES } from "#foundation/constants.ts";
import { UserError } from "#foundation/errors.ts";
import { OwnFolder } from "./own_folder.ts";
import { unwritable, writeAll } from "./open_file.ts";
import { isHostilePath, isTaken } from "./paths.ts";

/** Bytes of a name. Systems allow 255, and some programs add an ending. */
const MOST_BYTES = 200;

/** Characters that some system does not allow, that separate folders, or that nobody sees. */
const FORBIDDEN = /[\\/:*?"<>|]|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}/u;

/**
 * Adds a file to the folder `root`, a real path. Returns its name, in NFC. Links are not followed, and nothing that exists is replaced.
 * Throws `UserError` `upload_bad_name`, `upload_taken`, `data_folder_unsafe`, `disk_full` or `data_folder_unwritable`.
 */
export async function addUserFile(
  root: string,
  wanted: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = wanted.normalize("NFC");
  const size = new TextEncoder().encode(name).length;
  const isHostile = /^$|^[. ]|[. ]$/.test(name) || FORBIDDEN.test(name) || isHostilePath(name, "windows");
  // A command in this folder would take its settings from there.
  const isConfig = CONFIG_FILES.includes(name.toLowerCase());
  if (isHostile || isConfig || size > MOST_BYTES) {
    throw new UserError("upload_bad_name", { name: wanted, limit: MOST_BYTES });
  }
  try {
    await new OwnFolder(root).add(name, (file) => writeAll(file, bytes));
    return name;
  } catch (error) {
    if (isTaken(error)) throw new UserError("upload_taken", { name, folder: root }, { cause: error });
    throw error instanceof UserError ? error : unwritable(error, join(root, name));
  }
}
