/**
 * The files of MCP clients on this machine: the folders in which programs keep them on each system,
 * and the file of a client that is in use.
 */
import { posix, win32 } from "node:path";
import { type Environment, fullPathIn, homeFolder } from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { UsageError } from "#foundation/errors.ts";
import { exists, listNamed } from "#foundation/boundary/mod.ts";

/** A file in which a client looks for its servers. */
export interface ClientFile {
  readonly path: string;
  /** Files and folders that only the client makes: if one exists, the client is installed. */
  readonly signs: readonly string[];
}

/** Facts that decide where a client keeps its files. */
export interface Machine {
  readonly os: OperatingSystem;
  readonly env: Environment;
  /** Names in `%LOCALAPPDATA%\Packages`, where Windows keeps the files of packaged programs. */
  readonly packages: readonly string[];
}

/** The function that joins paths on the machine's system. */
export function joiner({ os }: Pick<Machine, "os">): (...parts: string[]) => string {
  return os === "windows" ? win32.join : posix.join;
}

/**
 * The folder of the files of desktop programs: `%APPDATA%`, `~/Library/Application Support`, `$XDG_CONFIG_HOME`
 * (`~/.config`). Electron's programs know it as `appData` (`app.getPath`).
 */
export function appDataFolder(machine: Machine): string | undefined {
  const join = joiner(machine);
  const home = homeFolder(machine.env, machine.os);
  const below = (...parts: string[]) => home === undefined ? undefined : join(home, ...parts);
  if (machine.os === "windows") {
    return fullPathIn(machine.env, "APPDATA", machine.os) ?? below("AppData", "Roaming");
  }
  if (machine.os === "darwin") return below("Library", "Application Support");
  return fullPathIn(machine.env, "XDG_CONFIG_HOME", machine.os) ?? below(".config");
}

/** A file in a folder that only the client makes. */
export function inFolder(
  machine: Machine,
  base: string | undefined,
  folders: string[],
  file: string,
): ClientFile[] {
  if (base === undefined) return [];
  const join = joiner(machine);
  const folder = join(base, ...folders);
  return [{ path: join(folder, file), signs: [folder] }];
}

/** A file of a client that works in the terminal: in the folder that a variable names, or in one of the home folder. */
export function inDotFolder(
  machine: Machine,
  folder: string,
  file: string,
  variable?: string,
): ClientFile[] {
  const own = variable === undefined ? undefined : fullPathIn(machine.env, variable, machine.os);
  return own === undefined
    ? inFolder(machine, homeFolder(machine.env, machine.os), [folder], file)
    : inFolder(machine, own, [], file);
}

export function inHome(machine: Machine, file: (home: string) => ClientFile): ClientFile[] {
  const home = homeFolder(machine.env, machine.os);
  return home === undefined ? [] : [file(home)];
}

/** The folder in which Windows keeps the files of packaged programs, one folder for each; `undefined` elsewhere. */
export function packagesFolder(machine: Machine): string | undefined {
  if (machine.os !== "windows") return undefined;
  const home = homeFolder(machine.env, machine.os);
  const local = fullPathIn(machine.env, "LOCALAPPDATA", machine.os) ??
    (home === undefined ? undefined : win32.join(home, "AppData", "Local"));
  return local === undefined ? undefined : win32.join(local, "Packages");
}

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
export async function userFile(
  { files, name }: { readonly files: (machine: Machine) => readonly ClientFile[]; readonly name: string },
  machine: Machine,
): Promise<FoundFile> {
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
