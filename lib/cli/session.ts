import type { Config, LoadedConfig } from "../config/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { IndexKey } from "../index/mod.ts";
import type { BackupFile } from "../ingest/mod.ts";
import type { Log } from "../log/mod.ts";
import type { Context } from "./context.ts";

/** Input of a command that works on folders: the folders, the configuration in effect, and the log. */
export interface Session extends Context {
  readonly config: Config;
  /** The file that the configuration was read from, or null when there was none. */
  readonly source: string | null;
  /** The configuration files of `--compare`, by the names given there. */
  readonly compared: Readonly<Record<string, LoadedConfig>>;
  /** The real paths of the folders: those of `--dir`, or where none need be named, all that were processed. */
  readonly roots: readonly string[];
  /** Real paths of the program's own files and folders, which are no documents. */
  readonly ownPlaces: readonly string[];
  readonly log: Log;
  /** Reads documents. */
  readonly extractor: Extractor;
  /** The file that a backup becomes, where one is made. */
  readonly backup: BackupFile | undefined;
  /** The user's state folder: logs, and the registry of processed folders. */
  readonly stateDir: string;
  /** `host:port` of the proxy that the embedding server is reached by, if there is one. */
  readonly proxy: string | undefined;
  /** The key that indexes are sealed and checked with. */
  readonly indexKey: IndexKey;
  /** Permissions of the thread; `undefined` where it is not locked. */
  readonly permissions: Deno.PermissionOptionsObject | undefined;
}

/** A command that works on folders: does its work and gives the exit code. */
export type SessionCommand = (session: Session) => Promise<number>;
