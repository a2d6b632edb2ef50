import { UsageError } from "../../errors.ts";
import { folderStatus } from "../../ingest/mod.ts";
import type { FolderStatus } from "../../ingest/types.ts";
import { abortable } from "../context.ts";
import { printJson } from "../json.ts";
import { statusText } from "../output.ts";
import type { Session } from "../session.ts";
import { styleFor } from "../style.ts";
import { manyTargets } from "../targets.ts";

/** `status`: what is indexed, when, how large, what failed and why, what is stale. */
export async function status(session: Session): Promise<number> {
  const { io, flags, config, language, signal } = session;
  const roots = await manyTargets(session);
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  const folders: FolderStatus[] = [];
  for (const root of roots) folders.push(await abortable(folderStatus(root, config), signal));
  if (flags.json) {
    await printJson(session, { folders });
    return 0;
  }
  const style = styleFor(io, "stdout");
  await io.out(folders.map((folder) => statusText(folder, language, style)).join("\n"));
  return 0;
}
