import { resolve } from "node:path";
import { UsageError, UserError } from "../errors.ts";
import { message } from "../messages.ts";
import { abortable, warn } from "./context.ts";
import { say } from "./say.ts";
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
  const { flags, language } = session;
  if (flags.dir.length > 0) {
    const roots = new Set<string>();
    for (const dir of flags.dir) roots.add(await target(session, dir));
    return [...roots];
  }
  return await registeredTargets(session, (dir, { key, params }) => {
    warn(session, "cli_dir_gone", { dir, text: say(language, key, params) });
  });
}

/** The real paths of the folders registered on this machine that may be processed. `onLeftOut` hears of the others. */
export async function registeredTargets(
  session: Session,
  onLeftOut: (dir: string, error: UserError) => void = () => {},
): Promise<string[]> {
  const { registeredRoots } = await import("../store/mod.ts");
  const roots: string[] = [];
  for (const dir of await registeredRoots(session.stateDir)) {
    try {
      roots.push(await target(session, dir));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      onLeftOut(dir, error);
    }
  }
  return roots;
}

async function target(session: Session, dir: string): Promise<string> {
  const { resolveTarget } = await import("../sandbox/mod.ts");
  const { io, flags, config, language, signal } = session;
  try {
    const resolving = resolveTarget(dir, {
      cwd: io.cwd,
      allowSensitive: flags.allowSensitive ?? config.files.allow_sensitive,
      home: io.env["HOME"] ?? io.env["USERPROFILE"],
    });
    // A network drive that does not answer must not hold up Ctrl-C.
    return await abortable(resolving, signal);
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof UsageError) throw error;
    const text = message(language, error.key, error.params);
    throw text.includes(resolve(io.cwd, dir))
      ? new UsageError(error.key, error.params)
      : new UsageError("cli_dir_error", { text, dir });
  }
}
