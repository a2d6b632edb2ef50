import { collectionOf } from "../../../config/mod.ts";
import { UsageError } from "../../../errors.ts";
import { verifyFolder } from "../../../ingest/mod.ts";
import { message } from "../../../messages.ts";
import { abortable } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { startProgress } from "../../progress.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { isSound, type ShownCheck, verifyText } from "./verify_text.ts";

/**
 * `verify [--deep]`: checks the index of each folder and compares it with the folder. Exit code 1 if an index is missing,
 * cannot be used, is damaged, or has other contents than the files; files that are merely newer are no failure.
 */
export async function verify(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  const checks: ShownCheck[] = [];
  for (const root of roots) {
    const collection = collectionOf(session.config, root)?.name;
    checks.push({ ...(collection === undefined ? {} : { collection }), ...await checkOf(session, root) });
  }
  const allSound = checks.every(isSound);
  if (flags.json) {
    const text = message(language, allSound ? "cli_verify_ok" : "cli_verify_problem");
    await printJson(session, { folders: checks }, text, allSound ? 200 : 500);
  } else {
    const style = styleFor(io, "stdout");
    await io.out(checks.map((check) => verifyText(check, language, style)).join("\n"));
  }
  return allSound ? EXIT.done : EXIT.failed;
}

async function checkOf(session: Session, root: string): Promise<ShownCheck> {
  const { config, ownPlaces, indexKey, indexDirs, flags, language, log, signal } = session;
  using progress = await startProgress(session, root);
  try {
    const checking = verifyFolder(root, config, { ownPlaces, indexKey, indexDirs }, {
      deep: flags.deep ?? false,
      onProgress: progress.update,
      signal,
    });
    return await abortable(checking, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { root, state: "unusable", detail: errorText(error, language, log.problem === undefined) };
  }
}
