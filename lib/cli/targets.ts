import { resolve } from "node:path";
import { homeFolder } from "../config/mod.ts";
import { UsageError, UserError } from "../errors.ts";
import { message } from "../messages.ts";
import type { FolderCommand } from "./command.ts";
import { abortable, type Context, warn } from "./context.ts";
import { printableMessage } from "./printable_message.ts";
import type { Request } from "./request.ts";

/** Input for finding the folders of a command. */
type TargetSearch =
  & Pick<Context, "io" | "flags" | "language" | "signal">
  & Pick<Request, "config" | "stateDir">;

/**
 * The real paths of every `--dir`, each once. Without `--dir`, a command on all folders gets the registered folders that
 * still exist. Throws `UsageError` for a `--dir` that is not a folder or must not be indexed, and `cli_dir_missing` where
 * the command needs one. A command that an MCP client starts goes on with the folders that are left, if any: the client's
 * user would only see that the server has ended.
 */
export async function targetsOf(
  { folders, startedByClient }: Pick<FolderCommand, "folders" | "startedByClient">,
  search: TargetSearch,
): Promise<string[]> {
  const { flags: { dir }, language } = search;
  const roots = new Set<string>();
  const failures: UsageError[] = [];
  for (const each of dir) {
    try {
      roots.add(await target(search, each));
    } catch (error) {
      if (!(error instanceof UsageError) || !startedByClient) throw error;
      failures.push(error);
    }
  }
  const [failure] = failures;
  if (roots.size === 0 && failure !== undefined) throw failure;
  for (const { key, params } of failures) {
    warn(search, "cli_dir_left_out", { text: printableMessage(language, key, params) });
  }
  if (roots.size > 0) return [...roots];
  if (folders === "one") throw new UsageError("cli_dir_missing");
  return folders !== "all" ? [] : await registeredTargets(search, (dir, { key, params }) => {
    warn(search, "cli_dir_gone", { dir, text: printableMessage(language, key, params) });
  });
}

/** The folder of a command that works on one. Throws `UsageError` `cli_dir_missing` without it. */
export function oneRoot({ roots: [root] }: Pick<Request, "roots">): string {
  if (root === undefined) throw new UsageError("cli_dir_missing");
  return root;
}

/** The real paths of the registered folders that may be indexed. `onLeftOut` is called for each of the others. */
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
