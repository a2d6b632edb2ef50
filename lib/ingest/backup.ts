import { dirname, join } from "node:path";
import { indexKeyPath } from "../config/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { ForeignIndexError } from "../index/mod.ts";
import { exists, isDiskFull, makeNamedFolder, openNamedSync, tryLock, writeNamed } from "../sandbox/mod.ts";
import { register } from "../registry/mod.ts";
import { folderStore, type IndexStore, isMadeFor, type OpenIndex } from "../store/mod.ts";
import type { IngestContext } from "./types.ts";

/** The file that a backup becomes. It is settled before a process is locked in, which may write it and nothing beside it. */
export interface BackupFile {
  /** Its full path. */
  readonly path: string;
  /** The path of the file in the making, in the same folder. */
  readonly temporary: string;
  /** That folder, where it is missing: it is made, with those above it. */
  readonly folder?: string;
}

/**
 * Copies the index of `root`, every byte checked, to a new file. An existing one is not overwritten. Throws
 * `index_not_ready`, `backup_exists`, `backup_failed`, `disk_full`.
 */
export async function backupIndex(
  root: string,
  { path, temporary, folder }: BackupFile,
  context: IngestContext,
): Promise<{ path: string; bytes: number }> {
  const store = folderStore(root, context.indexKey);
  const loaded = await store.open();
  if (loaded.state !== "ready") {
    const problem = loaded.state === "missing" ? "" : loaded.problem;
    throw new UserError("index_not_ready", { path: root, problem });
  }
  using index = loaded.index;
  try {
    await index.verify();
  } catch (error) {
    throw new UserError("index_not_ready", { path: root, problem: reasonOf(error) }, { cause: error });
  }
  if (folder !== undefined) {
    await makeNamedFolder(folder).catch((error) => {
      throw backupFailed(error, path);
    });
  }
  try {
    // the bytes of the open index: an indexing run may replace its file at any time
    await writeNamed(path, async (file) => {
      // if this process is killed, the next backup sees by it that what it left is nobody's; not every file system has locks
      await tryLock(file, true).catch(() => false);
      await store.backUp(index, file);
    }, { overwrite: false, temporary });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw new UserError("backup_exists", { path });
    throw backupFailed(error, path);
  }
  context.log.info("backup", { root, path, bytes: index.statistics.bytes });
  return { path, bytes: index.statistics.bytes };
}

/**
 * Puts a backup in the place of the index of `root`, after every byte of it was checked. `present`: how many of its files
 * are in the folder; a backup of another folder shows by that. `madeFor`: the other folder that it was made for, if it was:
 * the next run looks at every file before it is searched. Throws `backup_unreadable`, `backup_foreign`, `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`.
 */
export async function restoreIndex(
  root: string,
  file: string,
  context: IngestContext,
): Promise<{ files: number; chunks: number; present: number; madeFor?: string }> {
  const store = folderStore(root, context.indexKey);
  using backup = await openBackup(store, file, context);
  using _lock = await store.lock();
  await store.restore(backup);
  await register(context.stateDir, root);
  context.log.info("restore", { root, file });
  const files = backup.files.filter(({ status }) => status === "indexed");
  const present = await countPresent(root, files.map(({ path }) => path));
  return {
    files: files.length,
    chunks: backup.statistics.chunks,
    present,
    ...(isMadeFor(backup, root) ? {} : { madeFor: backup.meta.root }),
  };
}

function backupFailed(error: unknown, path: string): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  return new UserError("backup_failed", { path, error: reasonOf(error) }, { cause: error });
}

async function countPresent(root: string, paths: readonly string[]): Promise<number> {
  let present = 0;
  for (const path of paths) if (await exists(join(root, ...path.split("/")))) present++;
  return present;
}

async function openBackup(
  store: IndexStore,
  file: string,
  { stateDir }: IngestContext,
): Promise<OpenIndex> {
  try {
    return await store.openBackup(openNamedSync(file));
  } catch (error) {
    if (error instanceof ForeignIndexError) {
      throw new UserError("backup_foreign", { path: file, key: indexKeyPath(stateDir) }, { cause: error });
    }
    throw new UserError("backup_unreadable", { path: file, error: reasonOf(error) }, { cause: error });
  }
}
