import type { Language } from "../messages.ts";
import { defaultConfig } from "./_default_config.ts";
import { isConfigured } from "./_environment_names.ts";
import { findFile } from "./_find_file.ts";
import { languageOf, type Phrase, phraseText } from "./_given_value.ts";
import { systemLanguage } from "./system_language.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";

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
  const os = options.os ?? Deno.build.os;
  const remarks: Phrase[] = [];
  const found = await findFile({ ...options, os }, remarks);
  if (found === null && !isConfigured(env)) {
    const config = defaultConfig(flags, env, os);
    if (config !== undefined) {
      return { config, source: null, warnings: remarks.map((remark) => phraseText(config.language, remark)) };
    }
  }
  const { checkConfig } = await import("./_check_config.ts");
  return await checkConfig(options, found, remarks);
}

/**
 * The language that the configuration file or the environment asks for, and that of the system where neither does. The other
 * settings need not be valid. Nothing is decrypted.
 */
export async function configLanguage(options: LoadOptions): Promise<Language> {
  const { env } = options;
  const os = options.os ?? Deno.build.os;
  const found = await findFile({ ...options, os }, []).catch(() => null);
  const { readEnvironment } = await import("./_environment.ts");
  const values = [...(found?.reading.values ?? []), ...readEnvironment(env).values];
  return languageOf(values, systemLanguage(env, os));
}
