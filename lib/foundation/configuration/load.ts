/**
 * The configuration in effect. The schema, and what only few runs need (encryption, the default file, settings for another process),
 * are loaded on the first call.
 */
import type { Language, Phrase } from "#foundation/messages/mod.ts";
import { defaultConfig } from "./config.ts";
import { isConfigured, systemLanguage } from "./user_environment.ts";
import { findFile, type LoadedConfig, type LoadOptions } from "./find_file.ts";
import { languageOf } from "./given_value.ts";
import type { EncryptedInFile } from "./secret_in_file.ts";
import type { SettingsElsewhere } from "./settings_elsewhere.ts";
import type { SecretKey } from "./defaults.ts";
import type { EncryptedSecret, KeySource } from "./secrets.ts";
import { OS } from "#foundation/runtime.ts";

/**
 * Loads the configuration. The command line wins over the environment, the environment over the file, and the file over the
 * defaults. Encrypted secrets are decrypted.
 *
 * A file that was only found in the working folder is refused where it would send texts to another machine or open
 * sensitive folders. A warning is given where it names a server on this machine or a log folder.
 *
 * Throws {@linkcode ConfigError} with all problems at once, or `UsageError` when the file cannot be read:
 * `config_file_not_found`, `config_file_is_directory`, `config_file_not_regular`, `config_file_unreadable`,
 * `config_file_too_large`, `config_file_not_utf8`.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { loadConfig } from "./mod.ts";
 *
 * const env = { MUXUE_RAG_SEARCH_TOP_K: "5" };
 * const { config } = await loadConfig({ cwd: "/", env, flags: { language: "en" } });
 * equal(config.search.top_k, 5);
 * equal(config.search.mode, "hybrid");
 * ```
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, flags = {} } = options;
  const os = options.os ?? OS;
  const remarks: Phrase[] = [];
  const found = await findFile({ ...options, os }, remarks);
  if (found === null && !isConfigured(env)) {
    const config = defaultConfig(flags, env, os);
    if (config !== undefined) {
      if (remarks.length === 0) return { config, source: null, warnings: [] };
      const { phraseText } = await import("#foundation/messages/mod.ts");
      return { config, source: null, warnings: remarks.map((remark) => phraseText(config.language, remark)) };
    }
  }
  const { checkConfig } = await import("./check_config.ts");
  return await checkConfig(options, found, remarks);
}

/**
 * The language that the configuration file or the environment asks for, and that of the system where neither does. The other
 * settings need not be valid. Nothing is decrypted.
 */
export async function configLanguage(options: LoadOptions): Promise<Language> {
  const { env } = options;
  const os = options.os ?? OS;
  const found = await findFile({ ...options, os }, []).catch(() => null);
  const { readEnvironment } = await import("./environment.ts");
  const values = [...(found?.reading.values ?? []), ...readEnvironment(env).values];
  return languageOf(values, systemLanguage(env, os));
}

/** The text of the commented default configuration, which `config init` writes. */
export async function defaultConfigText(): Promise<string> {
  // A runtime without text imports fails in `config init` alone.
  return (await import("../../../config.yaml", { with: { type: "text" } })).default;
}

/** The secret as `enc:v1:…`. See `secrets.ts`, also for the errors. */
export async function encryptSecret(secret: string, source: KeySource): Promise<EncryptedSecret> {
  return await (await import("./secrets.ts")).encryptSecret(secret, source);
}

/** The secret in an `enc:v1:…` value. See `secrets.ts`, also for the errors. */
export async function decryptSecret(text: string, source: KeySource): Promise<string> {
  return await (await import("./secrets.ts")).decryptSecret(text, source);
}

/** Encrypts a plain secret in the configuration file. See `secret_in_file.ts`, also for the errors. */
export async function encryptInFile(key: SecretKey, options: LoadOptions): Promise<EncryptedInFile> {
  return await (await import("./secret_in_file.ts")).encryptInFile(key, options);
}

/** The `enc:v1:…` value of a key in the configuration file. See `secret_in_file.ts`, also for the errors. */
export async function secretInFile(key: SecretKey, options: LoadOptions): Promise<string> {
  return await (await import("./secret_in_file.ts")).secretInFile(key, options);
}

/** The settings that a process with another folder and environment needs. See `settings_elsewhere.ts`. */
export async function settingsElsewhere(
  options: LoadOptions,
  loaded: Pick<LoadedConfig, "config" | "source">,
): Promise<SettingsElsewhere> {
  return await (await import("./settings_elsewhere.ts")).settingsElsewhere(options, loaded);
}
