import { cleanIndex, hasIndex } from "../../../ingest/mod.ts";
import { dataFolder } from "../../../store/mod.ts";
import { confirm } from "../../confirm.ts";
import { note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import type { Session } from "../../session.ts";
import { oneRoot } from "../../targets.ts";

/** `clean`: asks, then deletes the index. */
export async function clean(session: Session): Promise<number> {
  const dir = oneRoot(session);
  if (!(await hasIndex(dir, session.indexDirs))) {
    note(session, "cli_nothing_to_clean", { dir });
    return EXIT.done;
  }
  if (
    !(await confirm(session, "cli_confirm_clean", {
      dir,
      path: dataFolder(dir, session.indexDirs[dir]).path,
    }))
  ) {
    note(session, "cli_declined");
    return EXIT.failed;
  }
  await cleanIndex(dir, session);
  note(session, "cli_cleaned", { dir });
  return EXIT.done;
}
