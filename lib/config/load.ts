import type { Language } from "../messages.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";

/**
 * Loads the configuration: command line over environment over file over defaults. All problems of all of them are
 * told at once. Throws {@linkcode ConfigError}, or `UsageError` when the file cannot be read
 * (`config_file_not_found`, `config_file_is_directory`, `config_file_not_regular`, `config_file_unreadable`, `config_file_too_large`,
 * `config_file_not_utf8`). Encrypted secrets are decrypted.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  // The schema's library takes as long to load as the rest of the command line: `--version` and the help do without.
  return await (await import("./_load_config.ts")).loadConfig(options);
}

/**
 * The language that the configuration file or the environment asks for, whatever else is wrong with them; `zh` when
 * neither says so. Nothing is decrypted.
 */
export async function configLanguage(options: LoadOptions): Promise<Language> {
  return await (await import("./_load_config.ts")).configLanguage(options);
}
