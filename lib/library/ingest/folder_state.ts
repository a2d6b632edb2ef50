import { isIgnoreFile, PathTree, type SkipReason } from "#library/corpus/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";

/** Entries of a folder that are not in its index, as a run found them. */
export interface WalkedEntries {
  /** Relative paths of the folders that were listed, `""` for the root. */
  readonly folders: ReadonlySet<string>;
  /** Files and folders that are skipped by name, place, kind or size. */
  readonly skipped: ReadonlyMap<string, SkipReason>;
  /** Changed files that were left as they were, because they may still be written. */
  readonly unsettled: ReadonlySet<string>;
  /** Whether an ignore file is a link: its rules may change without an event in the folder. */
  readonly hasLinkedRules: boolean;
}

/** A folder as a run found it, and the index that agrees with it. */
export interface FolderState extends WalkedEntries {
  /** When that index was made, see `IndexMeta`. */
  readonly indexedAt: string;
}

/** The paths that have changed in a folder since a run. */
export interface FolderChanges {
  readonly since: FolderState;
  /** Relative paths of files and folders, `""` for the root. */
  readonly paths: ReadonlySet<string>;
}

/**
 * The paths that a run has to look at: those that have changed, and those that the last run could not settle. `undefined`:
 * all. `previous`: files of the index.
 */
export function pathsToLookAt(
  { since, paths }: FolderChanges,
  previous: readonly StoredFile[],
): PathTree | undefined {
  if (since.hasLinkedRules) return undefined;
  const tree = new PathTree();
  for (const path of [...paths, ...since.unsettled]) tree.add(extentOf(path, since.folders));
  for (const file of previous) if (isFailure(file)) tree.add(extentOf(file.path, since.folders));
  return tree.isWhole ? undefined : tree;
}

/** Every run tries failed files again. Some of them have the text of an earlier run. */
function isFailure({ status, reason }: StoredFile): boolean {
  return status === "failed" || status === "indexed" && reason !== undefined;
}

/** The file or the folder in which something may differ if there was a change at `path`. */
function extentOf(path: string, folders: ReadonlySet<string>): string {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    if (!folders.has(folder)) return extentInFolder(folder);
  }
  return extentInFolder(path);
}

/** Names that are not UTF-8 are listed under other names: the folder is looked at for them. */
function extentInFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  return isIgnoreFile(name) || path.includes("\ufffd") ? path.slice(0, Math.max(0, slash)) : path;
}
