/** Copies an index to a backup and back, and removes it. */
import { dirname, join } from "node:path";
import { indexKeyPath } from "#foundation/configuration/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { ForeignIndexError } from "#engine/index/mod.ts";
import {
  exists,
  isDiskFull,
  isTaken,
  makeNamedFolder,
  openNamedSync,
  tryLock,
  writeNamed,
} from "#foundation/boundary/mod.ts";
import { register, unregister } from "#foundation/registry.ts";
import { isMadeFor, type OpenIndex, openReady, type Store } from "#library/store/mod.ts";
import type { IngestContext } from "./types.ts";

/** The paths of a new backup. They are known before the process gives up its permissions, which then allow just them. */
export interface BackupFile {
  /** Full path of the backup. */
  readonly path: string;
  /** Full path of the file while it is written, in the same folder. */
  readonly temporary: string;
  /** Full path of this folder if it must be created, with its parents. */
  readonly folder?: string;
}

/**
 * Verifies the index of a folder and copies it to a new file. An existing file is not overwritten. Throws
 * `index_not_ready`, `backup_exists`, `backup_failed`, `disk_full`.
 */
export async function backupIndex(
  store: Store,
  { path, temporary, folder }: BackupFile,
  { log }: Pick<IngestContext, "log">,
): Promise<{ path: string; bytes: number }> {
  const { root } = store;
  using index = await openReady(store);
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
  let bytes = 0;
  try {
    // the bytes of the open index: an indexing run may replace its file at any time
    await writeNamed(path, async (file) => {
      // if this process is killed, the missing lock tells the next backup that the file is abandoned; some file systems have
      // no locks
      await tryLock(file, true).catch(() => false);
      bytes = await store.backUp(index, file);
    }, { overwrite: false, temporary });
  } catch (error) {
    if (isTaken(error)) throw new UserError("backup_exists", { path });
    throw backupFailed(error, path);
  }
  log.info("backup", { root, path, bytes });
  return { path, bytes };
}

/** The contents of a backup, in files and chunks, and how they fit a folder. */
export interface BackupFit {
  readonly files: number;
  readonly chunks: number;
  /** Number of its files that are in the folder: low for a backup of another folder. */
  readonly present: number;
  /** The other folder that it was made for. The index is searched only after the next run has read every file. */
  readonly madeFor?: string;
}

/**
 * Verifies a backup and replaces the index of a folder by it. `accept` is asked before anything is changed; if it says no,
 * nothing is, and the result is `undefined`. Throws `backup_unreadable`, `backup_foreign`, `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, and what `accept` throws.
 */
export async function restoreIndex(
  store: Store,
  file: string,
  { stateDir, log }: Pick<IngestContext, "stateDir" | "log">,
  accept: (fit: BackupFit) => Promise<boolean> = () => Promise.resolve(true),
): Promise<BackupFit | undefined> {
  const { root } = store;
  using backup = await openBackup(store, file, stateDir);
  const fit = await fitOf(backup, root);
  if (!await accept(fit)) return undefined;
  await using _lock = await store.lock();
  await store.restore(backup);
  await register(stateDir, root, store.elsewhere);
  log.info("restore", { root, file });
  return fit;
}

/** How an index fits a folder. */
export async function fitOf(backup: OpenIndex, root: string): Promise<BackupFit> {
  const files = backup.files.filter(({ status }) => status === "indexed");
  let present = 0;
  for (const { path } of files) if (await exists(join(root, ...path.split("/")))) present++;
  const madeFor = isMadeFor(backup, root) ? {} : { madeFor: backup.meta.root };
  return { files: files.length, chunks: backup.statistics.chunks, present, ...madeFor };
}

function backupFailed(error: unknown, path: string): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  return new UserError("backup_failed", { path, error: reasonOf(error) }, { cause: error });
}

async function openBackup(store: Store, file: string, stateDir: string): Promise<OpenIndex> {
  try {
    return await store.openBackup(openNamedSync(file));
  } catch (error) {
    if (error instanceof ForeignIndexError) {
      throw new UserError("backup_foreign", { path: file, key: indexKeyPath(stateDir) }, { cause: error });
    }
    throw new UserError("backup_unreadable", { path: file, error: reasonOf(error) }, { cause: error });
  }
}

/**
 * Removes everything that is kept about a folder, and the folder from the list of indexed ones. Returns false if there was nothing.
 * Throws `index_busy`, `data_folder_unsafe`, `data_folder_unwritable`.
 */
export async function cleanIndex(
  store: Store,
  { stateDir, log }: Pick<IngestContext, "stateDir"> & Partial<Pick<IngestContext, "log">>,
): Promise<boolean> {
  const { root } = store;
  const isRemoved = await store.remove();
  await unregister(stateDir, root);
  if (isRemoved) log?.info("clean", { root });
  return isRemoved;
}
