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
