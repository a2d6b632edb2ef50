import { UsageError } from "../../../errors.ts";
import { exists, listNamed } from "../../../sandbox/mod.ts";
import type { Client, Machine, Place } from "./types.ts";
import { packagesFolder } from "./user_folders.ts";

/** A client's file on this machine. */
export interface FoundPlace {
  readonly path: string;
  /** Whether the file is there. */
  readonly exists: boolean;
  /** Whether the client seems to be installed. */
  readonly installed: boolean;
  /** Other files the client may have, that are there. */
  readonly others: readonly string[];
}

/** The machine the program runs on. */
export async function thisMachine(env: Machine["env"]): Promise<Machine> {
  const machine: Machine = { os: Deno.build.os, env, packages: [] };
  const folder = packagesFolder(machine);
  if (folder === undefined) return machine;
  // Without packages the usual folder is the only one.
  return { ...machine, packages: await listNamed(folder).catch(() => []) };
}

/** The user's file of a client: the first with a sign of the client. Throws `UsageError` `cli_setup_no_home`. */
export async function userPlace({ places, name }: Client, machine: Machine): Promise<FoundPlace> {
  const all = places(machine);
  const seen: Place[] = [];
  for (const place of all) {
    for (const sign of place.signs) {
      if (!(await exists(sign))) continue;
      seen.push(place);
      break;
    }
  }
  const place = seen[0] ?? all[0];
  if (place === undefined) throw new UsageError("cli_setup_no_home", { client: name });
  const others: string[] = [];
  for (const { path } of seen.slice(1)) if (await exists(path)) others.push(path);
  return { path: place.path, exists: await exists(place.path), installed: seen.length > 0, others };
}
