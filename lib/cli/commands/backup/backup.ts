import { backupIndex } from "../../../ingest/mod.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { oneRoot } from "../../targets.ts";
import { backupFileOf } from "./backup_file.ts";

/** `backup [--backup-path PATH]`: copies the index to one file and says where it is. */
export async function backup(session: Session): Promise<number> {
  const { io, language, named } = session;
  const { path, bytes } = await backupIndex(oneRoot(session), backupFileOf(named), session);
  await io.out(`${printableMessage(language, "cli_backed_up", { path, size: formatBytes(bytes) })}\n`);
  return EXIT.done;
}
