import type { Config, ConfigOverrides } from "./schema.ts";
import type { Environment, OperatingSystem } from "./user_dirs.ts";

/** Where a configuration comes from. */
export interface LoadOptions {
  /** The file named by `--config`; relative to `cwd`. */
  readonly file?: string | undefined;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly env: Environment;
  /** What the command line says; it wins over everything else. */
  readonly flags?: ConfigOverrides;
  /** Default: the running system. */
  readonly os?: OperatingSystem;
  /**
   * Whether another program chose `cwd`, as MCP clients do that open a project: no configuration is taken from there then
   * unless it is named.
   */
  readonly foreignCwd?: boolean;
  /**
   * Gives the indexed folder that one of these paths is or lies in, if there is one. What is there may be anybody's, so no
   * configuration is taken from the working folder then unless it is named, and one in the user's folder is warned of. Asked
   * only where there is one to take.
   */
  readonly indexedAround?: (paths: readonly string[]) => Promise<string | undefined>;
}

/** A configuration ready for use. */
export interface LoadedConfig {
  /** Complete, checked and frozen. Paths in it are absolute. */
  readonly config: Config;
  /** Absolute path of the file it was read from, or null when there was none. */
  readonly source: string | null;
  /** Remarks for the user, in the configured language. */
  readonly warnings: readonly string[];
}
