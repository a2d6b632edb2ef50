import { resolve } from "node:path";
import { homeFolder } from "../config/mod.ts";
import { UsageError, UserError } from "../errors.ts";
import { message } from "../messages.ts";
import { abortable, warn } from "./context.ts";
import type { Context } from "./context.ts";
import type { CommandName } from "./options.ts";
import { say } from "./say.ts";
import type { Session } from "./session.ts";

/** The folders that a command works on, where the command line names none. */
const WITHOUT_DIR: Readonly<Partial<Record<CommandName, "all" | "none">>> = {
  search: "all",
  serve: "all",
  status: "all",
  doctor: "all",
  eval: "none",
  extract: "none",
  setup: "none",
};

/** Input for finding the folders of a command. */
export type TargetSearch =
  & Pick<Context, "io" | "flags" | "language" | "signal">
  & Pick<Session, "config" | "stateDir">;

/**
 * The real paths of every `--dir`, each once. Without any: for some commands those of the folders registered on this
 * machine that still exist, for some none. Throws `UsageError` for a `--dir` that is no folder that may be processed,
 * and `cli_dir_missing` where there has to be one. A server goes on with the other folders, as long as there are any: who
 * started it may see no more of it than that it ended.
 */
export async function targetsOf(command: CommandName, search: TargetSearch): Promise<string[]> {
  const { flags: { dir }, language } = search;
  const roots = new Set<string>();
  const failures: UsageError[] = [];
  for (const each of dir) {
    try {
      roots.add(await target(search, each));
    } catch (error) {
      if (!(error instanceof UsageError) || command !== "serve") throw error;
      failures.push(error);
    }
  }
  const [failure] = failures;
  if (roots.size === 0 && failure !== undefined) throw failure;
  for (const { key, params } of failures) {
    warn(search, "cli_dir_left_out", { text: say(language, key, params) });
  }
  if (roots.size > 0) return [...roots];
  const otherwise = WITHOUT_DIR[command];
  if (otherwise === undefined) throw new UsageError("cli_dir_missing");
  return otherwise === "none" ? [] : await registeredTargets(search, (dir, { key, params }) => {
    warn(search, "cli_dir_gone", { dir, text: say(language, key, params) });
  });
}

/** The one folder of a command that works on one. */
export function oneRoot({ roots: [root] }: Session): string {
  if (root === undefined) throw new UsageError("cli_dir_missing");
  return root;
}

/** The real paths of the folders registered on this machine that may be processed. `onLeftOut` hears of the others. */
async function registeredTargets(
  search: TargetSearch,
  onLeftOut: (dir: string, error: UserError) => void,
): Promise<string[]> {
  const { registered } = await import("../registry/mod.ts");
  const known = await registered(search.stateDir);
  for (const path of known.damaged) warn(search, "registry_entry_damaged", { path });
  for (const { path, entry } of known.gone) warn(search, "registry_folder_gone", { dir: path, entry });
  const roots: string[] = [];
  for (const dir of known.roots) {
    try {
      roots.push(await target(search, dir));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      onLeftOut(dir, error);
    }
  }
  return roots;
}

async function target(search: TargetSearch, dir: string): Promise<string> {
  const { resolveTarget } = await import("../sandbox/mod.ts");
  const { io, flags, config, language, signal } = search;
  try {
    const resolving = resolveTarget(dir, {
      cwd: io.cwd,
      allowSensitive: flags.allowSensitive ?? config.files.allow_sensitive,
      home: homeFolder(io.env, Deno.build.os),
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
