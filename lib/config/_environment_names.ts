import type { Environment } from "./user_dirs.ts";

/** Prefix of the program's environment variables. */
export const PREFIX = "MUXUE_RAG_";

/** The variable with the passphrase that secrets are encrypted and decrypted with, instead of the key file. */
export const PASSPHRASE = `${PREFIX}PASSPHRASE`;

/** Variables with the prefix that set no configuration key. */
export const RESERVED: readonly string[] = [
  `${PREFIX}CONFIG`,
  `${PREFIX}CONFIG_DIR`,
  `${PREFIX}STATE_DIR`,
  `${PREFIX}MODELS_DIR`,
  PASSPHRASE,
];

/** Names of the variables with the prefix that are not reserved, sorted. */
export function settingNames(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !RESERVED.includes(name)).sort();
}

/** Whether a variable sets a configuration key. Empty variables count as not set. */
export function isConfigured(env: Environment): boolean {
  return settingNames(env).some((name) => env[name]);
}
