import { resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import { hasIndex, restoreIndex } from "../../ingest/mod.ts";
import { message } from "../../messages.ts";
import { confirm } from "../confirm.ts";
import { note } from "../context.ts";
import type { Session } from "../session.ts";
import { oneTarget } from "../targets.ts";

/** `restore FILE --dir DIR`: puts a backup in the place of the index, after asking when there is one. */
export async function restore(session: Session): Promise<number> {
  const { io, operands, language } = session;
  const dir = await oneTarget(session);
  const path = resolve(io.cwd, operands[0] ?? "");
  await mustBeFile(path);
  if ((await hasIndex(dir)) && !(await confirm(session, "cli_confirm_restore", { dir, path }))) {
    note(session, "cli_declined");
    return 1;
  }
  const { files, chunks } = await restoreIndex(dir, path, session);
  await io.out(`${message(language, "cli_restored", { dir, files, chunks })}\n`);
  return 0;
}

async function mustBeFile(path: string): Promise<void> {
  try {
    if ((await Deno.stat(path)).isFile) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw new UsageError("cli_backup_file_not_found", { path });
}
