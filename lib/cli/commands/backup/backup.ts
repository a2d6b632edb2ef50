import { UsageError } from "../../../errors.ts";
import { backupIndex } from "../../../ingest/mod.ts";
import { confirm } from "../../confirm.ts";
import { note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { oneRoot } from "../../targets.ts";
import { backupFileOf } from "./backup_file.ts";

/**
 * `backup [--backup-path PATH]`: copies the index to one file and says where it is. The default place is named before it is
 * used. A folder that does not exist may be a typing error, so the user is asked before it is created.
 */
export async function backup(session: Session): Promise<number> {
  const { io, language, flags, named } = session;
  const file = backupFileOf(named);
  if (flags.backupPath === undefined) note(session, "cli_backup_default_place", { path: file.path });
  if (file.folder !== undefined && !await mayCreate(session, file.folder)) {
    note(session, "cli_declined");
    return EXIT.failed;
  }
  const { path, bytes } = await backupIndex(oneRoot(session), file, session);
  await io.out(`${printableMessage(language, "cli_backed_up", { path, size: formatBytes(bytes) })}\n`);
  return EXIT.done;
}

async function mayCreate(session: Session, folder: string): Promise<boolean> {
  const { io: { terminal }, flags } = session;
  if (!flags.yes && !(terminal.stdin && terminal.stderr)) {
    throw new UsageError("cli_backup_folder_missing", { folder });
  }
  return await confirm(session, "cli_confirm_backup_folder", { folder });
}
