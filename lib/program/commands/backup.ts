/**
 * The commands on an index as a whole: `backup`, `restore` and `clean`.
 * Each asks before it overwrites or deletes.
 */
import { reasonOf, UsageError, UserError } from "#foundation/errors.ts";
import { type BackupFit, backupIndex, cleanIndex, restoreIndex } from "#library/ingest/mod.ts";
import { confirm, note, printableMessage, warn } from "../say.ts";
import { EXIT } from "../context.ts";
import { formatBytes } from "../progress.ts";
import type { Session } from "../request.ts";
import { oneRoot } from "../targets.ts";
import { backupFileOf } from "./backup_file.ts";
import { message, type MessageKey, type MessageParams } from "#foundation/messages/mod.ts";
import { isMissing, statNamed } from "#foundation/boundary/mod.ts";
import { openStore } from "#library/store/mod.ts";

/**
 * `backup [--backup-path PATH]`: copies the index to one file and says where it is. The default place is named before it is
 * used. A folder that does not exist may be a typing error, so the user is asked before it is created.
 */
export async function backup(session: Session): Promise<number> {
  const { io, language, flags, named } = session;
  const file = backupFileOf(named);
  if (flags.backupPath === undefined) note(session, "cli_backup_default_place", { path: file.path });
  if (file.folder !== undefined && !await mayCreate(session, file.folder)) return EXIT.failed;
  const store = openStore(session.config, oneRoot(session), session);
  const { path, bytes } = await backupIndex(store, file, session);
  await io.out(`${printableMessage(language, "cli_backed_up", { path, size: formatBytes(bytes) })}\n`);
  return EXIT.done;
}

/** Asks whether a folder may be created. Throws `UsageError` where nobody can be asked. */
export async function mayCreate(session: Session, folder: string): Promise<boolean> {
  const { io: { terminal }, flags } = session;
  if (!flags.yes && !(terminal.stdin && terminal.stderr)) {
    throw new UsageError("cli_backup_folder_missing", { folder });
  }
  return await confirm(session, "cli_confirm_backup_folder", { folder });
}

/**
 * `restore FILE --dir DIR`: replaces the index by a backup. Asks first where there is an index, and where the backup seems
 * to be of another folder. `--yes` answers only the first of these questions, `--force` answers both.
 */
export async function restore(session: Session): Promise<number> {
  const { io, language, flags, named: [path = ""] } = session;
  const dir = oneRoot(session);
  await mustBeFile(path);
  const store = openStore(session.config, dir, session);
  const isThere = await store.exists();
  const accept = async (fit: BackupFit) => {
    const doubt = doubtAbout(fit, dir);
    if (doubt === undefined) return !isThere || await confirm(session, "cli_confirm_restore", { dir, path });
    if (flags.force) return true;
    if (flags.yes) throw new UsageError("cli_restore_needs_force", { text: message(language, ...doubt) });
    return await confirm(session, "cli_confirm_restore_other", { text: message(language, ...doubt), dir });
  };
  const fit = await restoreIndex(store, path, session, accept);
  if (fit === undefined) return EXIT.failed;
  const { files, chunks, madeFor } = fit;
  await io.out(`${printableMessage(language, "cli_restored", { dir, files, chunks })}\n`);
  if (madeFor !== undefined) warn(session, "cli_restored_moved", { from: madeFor, dir });
  return EXIT.done;
}

/** The message that says why a backup seems to be of another folder; `undefined` where it does not. */
function doubtAbout(
  { files, present, madeFor }: BackupFit,
  dir: string,
): [MessageKey, MessageParams] | undefined {
  if (present * 2 < files) return ["cli_backup_of_others", { files, present, dir }];
  return madeFor === undefined ? undefined : ["cli_backup_made_for", { from: madeFor, dir }];
}

/** Throws unless the path is a file. It is checked before the question, and before a pipe is opened, which never ends. */
export async function mustBeFile(path: string): Promise<void> {
  try {
    if (!(await statNamed(path)).isFile) throw new UsageError("not_a_file", { path });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw isMissing(error)
      ? new UsageError("cli_backup_file_not_found", { path }, { cause: error })
      : new UserError("backup_unreadable", { path, error: reasonOf(error) }, { cause: error });
  }
}

/** `clean`: asks, then deletes the index. */
export async function clean(session: Session): Promise<number> {
  const dir = oneRoot(session);
  const store = openStore(session.config, dir, session);
  if (!await store.exists()) {
    note(session, "cli_nothing_to_clean", { dir });
    return EXIT.done;
  }
  const question = store.isShared ? "cli_confirm_clean_shared" : "cli_confirm_clean";
  if (!await confirm(session, question, { dir, path: store.location })) return EXIT.failed;
  await cleanIndex(store, session);
  note(session, "cli_cleaned", { dir });
  return EXIT.done;
}
