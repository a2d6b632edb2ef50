import type { Language } from "../messages.ts";
import { type Phrase, say } from "./_entry.ts";
import { findFile } from "./_find_file.ts";
import { defaultConfig } from "./default_config.ts";
import { isConfigured } from "./environment_names.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";

/**
 * Loads the configuration: command line over environment over file over defaults. All problems of all of them are
 * told at once. A file that was only found in the working folder is refused where it would send something away or open
 * sensitive folders, and warned of where it names a server on this machine or a log folder. Throws {@linkcode ConfigError}, or
 * `UsageError` when the file cannot be read (`config_file_not_found`, `config_file_is_directory`,
 * `config_file_not_regular`, `config_file_unreadable`, `config_file_too_large`, `config_file_not_utf8`). Encrypted secrets
 * are decrypted.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, flags = {} } = options;
  const os = options.os ?? Deno.build.os;
  const remarks: Phrase[] = [];
  const found = await findFile({ ...options, os }, remarks);
  if (found === null && !isConfigured(env)) {
    const config = defaultConfig(flags, env, os);
    if (config !== undefined) {
      return { config, source: null, warnings: remarks.map((remark) => say(config.language, remark)) };
    }
  }
  const { checkConfig } = await import("./_load_config.ts");
  return await checkConfig(options, found, remarks);
}

/**
 * The language that the configuration file or the environment asks for, whatever else is wrong with them; `zh` when
 * neither says so. Nothing is decrypted.
 */
export async function configLanguage(options: LoadOptions): Promise<Language> {
  return await (await import("./_load_config.ts")).configLanguage(options);
}
