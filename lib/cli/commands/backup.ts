import { resolve, sep } from "node:path";
import { backupIndex } from "../../ingest/mod.ts";
import { EXIT } from "../exit.ts";
import { formatBytes } from "../format.ts";
import { say } from "../say.ts";
import type { Session } from "../session.ts";
import { oneRoot } from "../targets.ts";

/** `backup [--backup-path PATH]`: copies the index to one file and says where it is. */
export async function backup(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const root = oneRoot(session);
  const target = flags.backupPath === undefined ? undefined : resolvePath(io.cwd, flags.backupPath);
  const { path, bytes } = await backupIndex(root, target, session);
  await io.out(`${say(language, "cli_backed_up", { path, size: formatBytes(bytes) })}\n`);
  return EXIT.done;
}

/** The full path; a separator at the end, by which people name a folder that is still to be made, stays. */
function resolvePath(cwd: string, path: string): string {
  return resolve(cwd, path) + (/[\\/]$/.test(path) ? sep : "");
}
