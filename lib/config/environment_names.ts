import type { Environment } from "./user_dirs.ts";

/** What the names of our variables begin with. */
export const PREFIX = "MUXUE_RAG_";

/** What encrypted secrets are opened by, where they are not by the key file. */
export const PASSPHRASE = `${PREFIX}PASSPHRASE`;

/** Names that are no configuration keys. */
export const RESERVED: readonly string[] = [
  `${PREFIX}CONFIG`,
  `${PREFIX}CONFIG_DIR`,
  `${PREFIX}STATE_DIR`,
  PASSPHRASE,
];

/** The variables that set something, by their names, or seem to. */
export function settingNames(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !RESERVED.includes(name)).sort();
}

/** Whether the environment sets something: empty values count as not set. */
export function isConfigured(env: Environment): boolean {
  return settingNames(env).some((name) => env[name]);
}
