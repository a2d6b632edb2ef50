import { resolve } from "node:path";
import { UsageError, UserError } from "../errors.ts";
import { message } from "../messages.ts";
import { warn } from "./context.ts";
import type { Session } from "./session.ts";

/** The real path of the one `--dir`. Throws `UsageError` when it is no folder that may be processed. */
export async function oneTarget(session: Session): Promise<string> {
  const [dir] = session.flags.dir;
  if (dir === undefined) throw new UsageError("cli_dir_missing");
  return await target(session, dir);
}

/**
 * The real paths of every `--dir`, each once; without any, those of the folders registered on this machine that
 * still exist. Throws `UsageError` for a `--dir` that is no folder that may be processed.
 */
export async function manyTargets(session: Session): Promise<string[]> {
  const { flags, stateDir } = session;
  if (flags.dir.length > 0) {
    const roots = new Set<string>();
    for (const dir of flags.dir) roots.add(await target(session, dir));
    return [...roots];
  }
  const { registeredRoots } = await import("../ingest/mod.ts");
  const roots: string[] = [];
  for (const dir of await registeredRoots(stateDir)) {
    try {
      roots.push(await target(session, dir));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      warn(session, "cli_dir_gone", { dir, text: message(session.language, error.key, error.params) });
    }
  }
  return roots;
}

async function target(session: Session, dir: string): Promise<string> {
  const { resolveTarget } = await import("../sandbox/mod.ts");
  const { io, flags, config, language } = session;
  try {
    return await resolveTarget(dir, {
      cwd: io.cwd,
      allowSensitive: flags.allowSensitive ?? config.files.allow_sensitive,
      home: io.env["HOME"] ?? io.env["USERPROFILE"],
    });
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof UsageError) throw error;
    const text = message(language, error.key, error.params);
    throw text.includes(resolve(io.cwd, dir))
      ? new UsageError(error.key, error.params)
      : new UsageError("cli_dir_error", { text, dir });
  }
}
