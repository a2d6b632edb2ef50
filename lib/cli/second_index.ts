import { confirm } from "./confirm.ts";
import { note } from "./context.ts";
import type { Session } from "./session.ts";

/**
 * Whether `root` may get an index. If it has none and lies in an indexed folder, a user at a terminal is asked, since the
 * index would be a second one of the same files. Others are told.
 */
export async function mayGetIndex(session: Session, root: string): Promise<boolean> {
  const { io: { terminal }, flags, choice: { within } } = session;
  const params = { dir: root, root: within[root] ?? "" };
  if (params.root === "") return true;
  if (!flags.yes && terminal.stdin && terminal.stderr) {
    return await confirm(session, "cli_confirm_second_index", params);
  }
  note(session, "cli_second_index", params);
  return true;
}
