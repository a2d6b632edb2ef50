import { basename, dirname, join, resolve } from "node:path";
import type { BackupFile } from "../ingest/mod.ts";
import { isNamedFolder, lookAt, realPlaceNamed, temporaryBeside } from "../sandbox/mod.ts";

/**
 * The file that a backup of `root` becomes. `named`: what the command line says, relative to `cwd`; a folder, which one is
 * that ends in a separator or is there, gets `NAME-YYYYMMDD-HHMMSS.muxue_rag` (UTC). Default: the folder that `root` lies in.
 */
export async function backupFile(root: string, named: string | undefined, cwd: string): Promise<BackupFile> {
  const full = named === undefined ? dirname(root) : resolve(cwd, named);
  const isFolder = named === undefined || /[\\/]$/.test(named) || isNamedFolder(full);
  const folder = await realPlaceNamed(isFolder ? full : dirname(full));
  const path = join(folder, isFolder ? nameOf(root) : basename(full));
  const isThere = await lookAt(folder).then((info) => info !== undefined, () => true);
  return { path, temporary: temporaryBeside(path), ...(isThere ? {} : { folder }) };
}

function nameOf(root: string): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${basename(root) || "index"}-${time}.muxue_rag`;
}
