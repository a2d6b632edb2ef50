import { posix, win32 } from "node:path";
import { fullPathIn, homeFolder } from "../../../config/mod.ts";
import type { Machine } from "./types.ts";

/** The function that joins paths on the machine's system. */
export function joiner({ os }: Pick<Machine, "os">): (...parts: string[]) => string {
  return os === "windows" ? win32.join : posix.join;
}

/** The folder that an environment variable names, `undefined` unless it is a full path. */
export function folderIn({ os, env }: Machine, name: string): string | undefined {
  return fullPathIn(env, name, os);
}

/**
 * The folder of the files of desktop programs: `%APPDATA%`, `~/Library/Application Support`, `$XDG_CONFIG_HOME`
 * (`~/.config`). Electron's programs know it as `appData` (`app.getPath`).
 */
export function appDataFolder(machine: Machine): string | undefined {
  const join = joiner(machine);
  const home = homeFolder(machine.env, machine.os);
  const below = (...parts: string[]) => home === undefined ? undefined : join(home, ...parts);
  if (machine.os === "windows") return folderIn(machine, "APPDATA") ?? below("AppData", "Roaming");
  if (machine.os === "darwin") return below("Library", "Application Support");
  return folderIn(machine, "XDG_CONFIG_HOME") ?? below(".config");
}

/** The folder in which Windows keeps the files of packaged programs, one folder for each; `undefined` elsewhere. */
export function packagesFolder(machine: Machine): string | undefined {
  if (machine.os !== "windows") return undefined;
  const home = homeFolder(machine.env, machine.os);
  const local = folderIn(machine, "LOCALAPPDATA") ??
    (home === undefined ? undefined : win32.join(home, "AppData", "Local"));
  return local === undefined ? undefined : win32.join(local, "Packages");
}
