import type { Environment } from "./user_dirs.ts";

/** What the names of our variables begin with. */
export const PREFIX = "MUXUE_RAG_";

/** Names that are no configuration keys. The passphrase is for encrypted secrets. */
export const RESERVED: readonly string[] = ["CONFIG", "CONFIG_DIR", "STATE_DIR", "PASSPHRASE"]
  .map((name) => PREFIX + name);

/** The variables that set something, by their names, or seem to. */
export function settingNames(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !RESERVED.includes(name)).sort();
}

/** Whether the environment sets something: empty values count as not set. */
export function isConfigured(env: Environment): boolean {
  return settingNames(env).some((name) => env[name]);
}
