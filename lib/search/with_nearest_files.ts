import { dirname } from "node:path";
import { UserError } from "../errors.ts";
import { nearestFiles, type NearestOptions } from "./nearest_files.ts";
import { SearchedFolders } from "./searched_folders.ts";
import type { ServedFiles } from "./served_files.ts";
import type { ServedFolder } from "./served_folder.ts";

/**
 * Adds to the error for the wrong path of a file the served files with a similar name, as `nearest`. For a path outside of
 * the folders, only files with the same name are added. Other errors are returned as they are. The names come from the
 * indexes.
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
  const isServed = (path: string) => files.isServed(path);
  return await withNearest(error, path, await indexedPaths(folders), { sameName: isOutside, isServed });
}

/** {@linkcode withNearestFiles} for the wrong path of a folder: adds folders that contain a served file. */
export async function withNearestFolders(
  error: unknown,
  path: string | undefined,
  folders: readonly ServedFolder[],
  files: Pick<ServedFiles, "isServed">,
): Promise<unknown> {
  if (!(error instanceof UserError) || error.key !== "directory_not_found" || path === undefined) {
    return error;
  }
  const fileIn = new Map((await indexedPaths(folders)).map((file) => [dirname(file), file]));
  const isServed = (folder: string) => files.isServed(fileIn.get(folder)!);
  return await withNearest(error, path, fileIn.keys(), { sameName: false, isServed });
}

async function indexedPaths(folders: readonly ServedFolder[]): Promise<string[]> {
  using searched = await SearchedFolders.open(folders);
  return searched.indexed.flatMap(({ folder, index }) => index.files.map((file) => folder.pathOf(file.path)));
}

async function withNearest(
  error: UserError,
  path: string,
  paths: Iterable<string>,
  options: NearestOptions,
): Promise<UserError> {
  const nearest = await nearestFiles(path, paths, options);
  if (nearest.length === 0) return error;
  return new UserError(error.key, { ...error.params, nearest: nearest.join("\0") }, { cause: error });
}
