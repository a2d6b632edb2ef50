import { dirname, join } from "node:path";
import { indexKeyPath } from "../config/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { ForeignIndexError, type IndexReader } from "../index/mod.ts";
import { exists, isDiskFull, makeNamedFolder, openNamedSync, tryLock, writeNamed } from "../sandbox/mod.ts";
import { register } from "../registry/mod.ts";
import {
  ensureDataFolder,
  isOf,
  loadIndex,
  openIndex,
  removeLeftovers,
  replaceIndex,
  WriterLock,
} from "../store/mod.ts";
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
  const loaded = await loadIndex(root, context.indexKey);
  if (loaded.state !== "ready") {
    const problem = loaded.state === "missing" ? "" : loaded.problem;
    throw new UserError("index_not_ready", { path: root, problem });
  }
  using reader = loaded.reader;
  try {
    reader.verify();
  } catch (error) {
    throw new UserError("index_not_ready", { path: root, problem: reasonOf(error) }, { cause: error });
  }
  if (folder !== undefined) {
    await makeNamedFolder(folder).catch((error) => {
      throw backupFailed(error, path);
    });
  }
  try {
    // the reader's own bytes: an indexing run may replace the file at any time
    await writeNamed(path, async (file) => {
      // if this process is killed, the next backup sees by it that what it left is nobody's; not every file system has locks
      await tryLock(file, true).catch(() => false);
      copy(reader, file);
    }, { overwrite: false, temporary });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw new UserError("backup_exists", { path });
    throw backupFailed(error, path);
  }
  context.log.info("backup", { root, path, bytes: reader.size });
  return { path, bytes: reader.size };
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
  using reader = openBackup(file, context);
  await ensureDataFolder(root);
  using _lock = await WriterLock.take(root);
  removeLeftovers(root);
  await replaceIndex(root, (fresh) => copy(reader, fresh));
  await register(context.stateDir, root);
  context.log.info("restore", { root, file });
  const files = reader.files.filter(({ status }) => status === "indexed");
  const present = await countPresent(root, files.map(({ path }) => path));
  return {
    files: files.length,
    chunks: reader.chunks.length,
    present,
    ...(isOf(reader, root) ? {} : { madeFor: reader.meta.root }),
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

function openBackup(file: string, { indexKey: key, stateDir }: IngestContext): IndexReader {
  try {
    const reader = openIndex(openNamedSync(file), { key });
    try {
      reader.verify();
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof ForeignIndexError) {
      throw new UserError("backup_foreign", { path: file, key: indexKeyPath(stateDir) }, { cause: error });
    }
    throw new UserError("backup_unreadable", { path: file, error: reasonOf(error) }, { cause: error });
  }
}

const PIECE = 1 << 20;

function copy(reader: IndexReader, file: Deno.FsFile): void {
  for (let at = 0; at < reader.size; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(at + PIECE, reader.size));
    for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
  }
}
