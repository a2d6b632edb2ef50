import { UsageError } from "../../../errors.ts";
import { exists, listNamed } from "../../../sandbox/mod.ts";
import type { Client, ClientFile, Machine } from "./types.ts";
import { packagesFolder } from "./user_folders.ts";

/** A client's file on this machine. */
export interface FoundFile {
  readonly path: string;
  readonly exists: boolean;
  /** Whether the client seems to be installed. */
  readonly installed: boolean;
  /** Existing files of other installations of the client. */
  readonly others: readonly string[];
}

/** The machine that the program runs on. */
export async function thisMachine(env: Machine["env"]): Promise<Machine> {
  const machine: Machine = { os: Deno.build.os, env, packages: [] };
  const folder = packagesFolder(machine);
  if (folder === undefined) return machine;
  // A folder that cannot be listed holds no packages.
  return { ...machine, packages: await listNamed(folder).catch(() => []) };
}

/** The user's file of a client: the first with a sign of the client. Throws `UsageError` `cli_setup_no_home`. */
export async function userFile({ files, name }: Client, machine: Machine): Promise<FoundFile> {
  const all = files(machine);
  const installed: ClientFile[] = [];
  for (const file of all) {
    for (const sign of file.signs) {
      if (!(await exists(sign))) continue;
      installed.push(file);
      break;
    }
  }
  const file = installed[0] ?? all[0];
  if (file === undefined) throw new UsageError("cli_setup_no_home", { client: name });
  const others: string[] = [];
  for (const { path } of installed.slice(1)) if (await exists(path)) others.push(path);
  return { path: file.path, exists: await exists(file.path), installed: installed.length > 0, others };
}
