import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Environment, fullPathIn, homeFolder, type OperatingSystem } from "../../../config/mod.ts";
import { shellWord } from "../../../messages.ts";
import { statNamed } from "../../../sandbox/mod.ts";
import type { ServerCommand } from "./types.ts";

/** How this program was started. */
export interface Runtime {
  readonly os: OperatingSystem;
  /** Whether it is an executable, not Deno running the sources. */
  readonly standalone: boolean;
  /** Full path of that executable, else of Deno. */
  readonly execPath: string;
  readonly denoVersion: string;
  /** Full path of the sources' deno.json. */
  readonly project: string;
}

/** How the running program was started. */
export function runtime(): Runtime {
  return {
    os: Deno.build.os,
    standalone: Deno.build.standalone,
    execPath: Deno.execPath(),
    denoVersion: Deno.version.deno,
    project: Deno.build.standalone ? "" : fileURLToPath(new URL("../../../../deno.json", import.meta.url)),
  };
}

/** A folder of npm, which deletes what is in its cache. */
const NPM_FOLDER = /[\\/](?:_npx|node_modules)[\\/]/;

/**
 * Path of the installed program: the first file `muxue_rag` in the folders of `PATH`, or the one that the installation script has
 * written. `undefined` without one, and for an executable that runs from its own place.
 */
export async function installedProgram(env: Environment, { standalone, execPath, os }: Runtime) {
  if (standalone && !NPM_FOLDER.test(execPath)) return undefined;
  const names = os === "windows" ? ["muxue_rag.exe", "muxue_rag.cmd"] : ["muxue_rag"];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(os === "windows" ? ";" : ":").filter(isAbsolute);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of [...paths, ...installedPaths(env)]) {
    if (!NPM_FOLDER.test(path) && await statNamed(path).then(({ isFile }) => isFile, () => false)) {
      return path;
    }
  }
  return undefined;
}

/** The defaults of `scripts/install.sh` and `scripts/install.ps1`. */
export function installedPaths(env: Environment): string[] {
  if (Deno.build.os === "windows") {
    const local = fullPathIn(env, "LOCALAPPDATA", "windows");
    if (local === undefined) return [];
    return ["exe", "cmd"].map((end) => join(local, "Programs", "muxue_rag", `muxue_rag.${end}`));
  }
  const home = homeFolder(env, Deno.build.os);
  return home === undefined ? [] : [join(home, ".local", "bin", "muxue_rag")];
}

/**
 * The command that starts the program with `args` from any folder: the installed program, or the executable, or from source the
 * task `start`, which has the program's permissions. npm may delete a Deno from its cache, so such a Deno is started by npx, with
 * its version. `installed`: see {@linkcode installedProgram}.
 */
export function serverCommand(
  { os, standalone, execPath, denoVersion, project }: Runtime,
  args: string[],
  installed?: string,
): ServerCommand {
  // On Windows a script cannot be started by every client.
  if (installed?.endsWith(".cmd")) return { command: "cmd", args: ["/c", installed, ...args] };
  if (installed !== undefined) return { command: installed, args };
  if (standalone) return { command: execPath, args };
  const task = ["task", "--quiet", "--config", project, "start", ...args];
  if (!NPM_FOLDER.test(execPath)) return { command: execPath, args: task };
  const npx = ["npx", "-y", `deno@${denoVersion}`, ...task];
  // On Windows npx is a script, which not every client can start.
  return os === "windows" ? { command: "cmd", args: ["/c", ...npx] } : { command: "npx", args: npx.slice(1) };
}

/** Path of the executable, or the folder of the sources. */
export function programPath(): string {
  const { standalone, execPath, project } = runtime();
  return standalone ? execPath : dirname(project);
}

/** A command line, quoted for the system's shell. */
export function shellLine(parts: readonly string[]): string {
  return parts.map((part) => shellWord(part)).join(" ");
}
