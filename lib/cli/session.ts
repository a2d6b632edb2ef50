import type { Config, LoadedConfig } from "../config/mod.ts";
import type { Log } from "../log/mod.ts";
import type { Context } from "./context.ts";

/** What a command gets that works on folders: them, the configuration in effect, and the log. */
export interface Session extends Context {
  readonly config: Config;
  /** The file that the configuration was read from, or null when there was none. */
  readonly source: string | null;
  /** The configuration files of `--compare`, by the names given there. */
  readonly compared: Readonly<Record<string, LoadedConfig>>;
  /** The real paths of the folders: those of `--dir`, or where none need be named, all that were processed. */
  readonly roots: readonly string[];
  readonly log: Log;
  /** The user's state folder: logs, and the registry of processed folders. */
  readonly stateDir: string;
  /** What the thread may touch; `undefined` where it is not locked. */
  readonly permissions: Deno.PermissionOptionsObject | undefined;
}

/** A command that works on folders: does its work and gives the exit code. */
export type SessionCommand = (session: Session) => Promise<number>;
