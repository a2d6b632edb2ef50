/** The configuration: schema, loading, printing, and the user's folders. Importing it does not load the schema. */
export {
  FUSIONS,
  LANGUAGES,
  LEGS,
  MODEL_SOURCES,
  POOLINGS,
  SEARCH_MODES,
  SECRET_KEYS,
  TOOL_NAMES,
  TOP_K,
} from "./choices.ts";
export type { SecretKey } from "./choices.ts";
export { defaultOverlap, DEFAULTS } from "./_defaults.ts";
export { ConfigError } from "./config_error.ts";
export type { EncryptedSecret } from "./encryption/cipher.ts";
export { collectionOf, folderConfig, keysWithoutEffect, type NamedFolder } from "./folder_config.ts";
export { isLoopback } from "./host.ts";
export { indexKeyIn, indexKeyPath } from "./index_key.ts";
export { configLanguage, loadConfig } from "./load.ts";
export { nearest } from "./nearest.ts";
export {
  decryptSecret,
  defaultConfigText,
  encryptInFile,
  encryptSecret,
  secretInFile,
  settingsElsewhere,
} from "./on_demand.ts";
export { printConfig } from "./print.ts";
export type { Config, ConfigOverrides } from "./schema.ts";
export { systemLanguage } from "./system_language.ts";
export { maskSecrets, secretForms, secretValues } from "./secrets.ts";
export type { LostSetting, SettingsElsewhere } from "./_settings_elsewhere.ts";
export type { FoundBy, LoadedConfig, LoadOptions } from "./types.ts";
export {
  configDir,
  fullPathIn,
  homeFolder,
  homeVariable,
  modelsDir,
  registryDir,
  stateDir,
} from "./user_dirs.ts";
export type { Environment, OperatingSystem } from "./user_dirs.ts";
