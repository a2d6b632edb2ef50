import type { Config } from "../config/mod.ts";
import type { LazyTable } from "../embedding/mod.ts";
import type { Log } from "../log/mod.ts";
import type { Context } from "./context.ts";

/** What a command gets that works on folders: the configuration in effect, and the log. */
export interface Session extends Context {
  readonly config: Config;
  readonly log: Log;
  /** The user's state folder: logs, and the registry of processed folders. */
  readonly stateDir: string;
  /** The built-in table, loaded when it is first wanted. */
  readonly table: LazyTable;
}

/** A command that works on folders: does its work and gives the exit code. */
export type SessionCommand = (session: Session) => Promise<number>;
