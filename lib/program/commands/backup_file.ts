/**
 * Where a backup is written. The launcher asks for the paths before the command runs, because the locked worker gets its
 * permissions when it starts.
 */
import { basename, dirname, join, resolve } from "node:path";
import type { BackupFile } from "#library/ingest/mod.ts";
import {
  isNamedFolder,
  lookAt,
  realPlaceNamed,
  removeAbandoned,
  temporaryBeside,
} from "#foundation/boundary/mod.ts";
import type { NamedPathsInput } from "../command.ts";

const BACKUP_END = ".muxue_rag", EXPORT_END = ".muxue_export";

/** Like {@linkcode backupPaths}, for `export --to`. */
export async function exportPaths({ roots: [root], flags, cwd }: NamedPathsInput): Promise<string[]> {
  if (root === undefined || flags.to === "-") return [];
  const { path, temporary, folder } = await backupFile(root, flags.to, cwd, EXPORT_END);
  return folder === undefined ? [path, temporary] : [path, temporary, folder];
}

/**
 * Returns the paths of a backup: the file, the temporary file that is renamed to it, and its folder if it must be created.
 */
export async function backupPaths({ roots: [root], flags, cwd }: NamedPathsInput): Promise<string[]> {
  if (root === undefined) return [];
  const { path, temporary, folder } = await backupFile(root, flags.backupPath, cwd);
  return folder === undefined ? [path, temporary] : [path, temporary, folder];
}

/** Returns the backup file for the paths that {@linkcode backupPaths} returned. */
export function backupFileOf([path = "", temporary = "", folder]: readonly string[]): BackupFile {
  return { path, temporary, ...(folder === undefined ? {} : { folder }) };
}

/**
 * The file of a backup of `root`. `named` is the path of the command line, relative to `cwd`; the default is the folder that
 * contains `root`. An existing folder, or a path with a separator at its end, gets a file `NAME-YYYYMMDD-HHMMSS` and `end`
 * (UTC). Removes temporary files that killed backups of `root` have left there.
 */
export async function backupFile(
  root: string,
  named: string | undefined,
  cwd: string,
  end = BACKUP_END,
): Promise<BackupFile> {
  const full = named === undefined ? dirname(root) : resolve(cwd, named);
  const isFolder = named === undefined || /[\\/]$/.test(named) || isNamedFolder(full);
  const folder = await realPlaceNamed(isFolder ? full : dirname(full));
  const path = join(folder, isFolder ? nameOf(root) + end : basename(full));
  const isBackup = (name: string) =>
    name.startsWith(startOf(root)) && name.endsWith(end) &&
    /^\d{8}-\d{6}$/.test(name.slice(startOf(root).length, -end.length));
  await removeAbandoned(folder, (name) => name === basename(path) || isBackup(name));
  const isThere = await lookAt(folder).then((info) => info !== undefined, () => true);
  return { path, temporary: temporaryBeside(path), ...(isThere ? {} : { folder }) };
}

function nameOf(root: string): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${startOf(root)}${time}`;
}

function startOf(root: string): string {
  return `${basename(root) || "index"}-`;
}
