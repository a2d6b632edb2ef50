import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { OperatingSystem } from "../../../config/mod.ts";
import { shellWord } from "../../../messages.ts";
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

/**
 * The command that starts the program with `args` from any folder: the executable, or from source the task `start`, which
 * has the program's permissions. npm may delete a Deno from its cache, so such a Deno is started by npx, with its version.
 */
export function serverCommand(
  { os, standalone, execPath, denoVersion, project }: Runtime,
  args: string[],
): ServerCommand {
  if (standalone) return { command: execPath, args };
  const task = ["task", "--quiet", "--config", project, "start", ...args];
  if (!/[\\/](?:_npx|node_modules)[\\/]/.test(execPath)) return { command: execPath, args: task };
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
