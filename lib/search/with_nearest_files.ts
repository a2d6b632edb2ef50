import { UserError } from "../errors.ts";
import { nearestFiles } from "./nearest_files.ts";
import { SearchedFolders } from "./searched_folders.ts";
import type { ServedFiles } from "./served_files.ts";
import type { ServedFolder } from "./served_folder.ts";

/**
 * Adds to the error for a wrong path the served files with a similar name, as `nearest`. For a path outside of the folders, only
 * files with the same name are added. Other errors are returned as they are. The names come from the indexes.
 */
export async function withNearestFiles(
  error: unknown,
  path: string,
  folders: readonly ServedFolder[],
  files: Pick<ServedFiles, "isServed">,
): Promise<unknown> {
  if (!(error instanceof UserError)) return error;
  const isOutside = error.key === "no_permission" && error.params.reason === undefined;
  if (error.key !== "file_not_found" && !isOutside) return error;
  using searched = await SearchedFolders.open(folders);
  const paths = searched.indexed.flatMap(({ folder, index }) =>
    index.files.map((file) => folder.pathOf(file.path))
  );
  const nearest = await nearestFiles(path, paths, {
    sameName: isOutside,
    isServed: (path) => files.isServed(path),
  });
  if (nearest.length === 0) return error;
  return new UserError(error.key, { ...error.params, nearest: nearest.join("\0") }, { cause: error });
}
