/** The configuration: schema, loading, printing, and the user's folders. Importing it loads no schema yet. */
export { FUSIONS, LANGUAGES, LEGS, SEARCH_MODES, SECRET_KEYS, TOP_K } from "./choices.ts";
export type { SecretKey } from "./choices.ts";
export { ConfigError } from "./config_error.ts";
export { settingsElsewhere } from "./elsewhere.ts";
export type { LostSetting, SettingsElsewhere } from "./elsewhere.ts";
export { decryptSecret, encryptInFile, encryptSecret, secretInFile } from "./encrypt.ts";
export type { EncryptedInFile, EncryptedSecret, KeySource } from "./encrypt.ts";
export { isLoopback } from "./_host.ts";
export { indexKeyIn, indexKeyPath } from "./index_key.ts";
export { defaultConfigText } from "./init.ts";
export { configLanguage, loadConfig } from "./load.ts";
export { nearest } from "./nearest.ts";
export { printConfig } from "./print.ts";
export type { Config, ConfigOverrides } from "./schema.ts";
export { maskSecrets, secretForms, secretValues } from "./secrets.ts";
export type { LoadedConfig, LoadOptions } from "./types.ts";
export { configDir, fullPathIn, homeFolder, homeVariable, registryDir, stateDir } from "./user_dirs.ts";
export type { Environment, OperatingSystem } from "./user_dirs.ts";
