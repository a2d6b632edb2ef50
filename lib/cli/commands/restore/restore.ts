import { reasonOf, UsageError, UserError } from "../../../errors.ts";
import { hasIndex, restoreIndex } from "../../../ingest/mod.ts";
import { isMissing, statNamed } from "../../../sandbox/mod.ts";
import { confirm } from "../../confirm.ts";
import { note, warn } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { oneRoot } from "../../targets.ts";

/** `restore FILE --dir DIR`: replaces the index by a backup. Asks first where there is an index. */
export async function restore(session: Session): Promise<number> {
  const { io, language, named: [path = ""] } = session;
  const dir = oneRoot(session);
  await mustBeFile(path);
  if (
    (await hasIndex(dir, session.indexDirs)) &&
    !(await confirm(session, "cli_confirm_restore", { dir, path }))
  ) {
    note(session, "cli_declined");
    return EXIT.failed;
  }
  const { files, chunks, present, madeFor } = await restoreIndex(dir, path, session);
  await io.out(`${printableMessage(language, "cli_restored", { dir, files, chunks })}\n`);
  if (present * 2 < files) warn(session, "cli_restored_elsewhere", { files, present, dir });
  if (madeFor !== undefined) warn(session, "cli_restored_moved", { from: madeFor, dir });
  return EXIT.done;
}

/** Throws unless the path is a file. It is checked before the question, and before a pipe is opened, which never ends. */
async function mustBeFile(path: string): Promise<void> {
  try {
    if (!(await statNamed(path)).isFile) throw new UsageError("not_a_file", { path });
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isMissing(error)) {
      throw new UsageError("cli_backup_file_not_found", { path }, { cause: error });
    }
    const reason = reasonOf(error);
    throw new UserError("backup_unreadable", { path, error: reason }, { cause: error });
  }
}
