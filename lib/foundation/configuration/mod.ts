/** The configuration: schema, loading, printing, and the user's folders. Importing it does not load the schema. */
export {
  defaultOverlap,
  DEFAULTS,
  type EMBEDDING_SERVERS,
  FUSIONS,
  isServer,
  LANGUAGES,
  LLM_TASKS,
  type LlmProvider,
  MODEL_SOURCES,
  POOLINGS,
  SEARCH_MODES,
  SECRET_KEYS,
  type SecretKey,
  serverAddress,
  TOOL_NAMES,
  TOP_K,
} from "./defaults.ts";
export { ConfigError, type FoundBy, type LoadedConfig, type LoadOptions } from "./find_file.ts";
export type { EncryptedSecret } from "./secrets.ts";
export {
  collectionOf,
  describesPictures,
  folderConfig,
  keysWithoutEffect,
  type NamedFolder,
  printConfig,
  readsPictures,
  sharedName,
  storedName,
  storeReaders,
  storeUrls,
  uploadFolders,
} from "./config.ts";
export {
  configDir,
  type Environment,
  fullPathIn,
  homeFolder,
  homeVariable,
  isLoopbackHost,
  modelsDir,
  registryDir,
  stateDir,
  systemLanguage,
  tokensDir,
  tokensUsedDir,
  usageDir,
} from "./user_environment.ts";
export { indexKeyIn, indexKeyPath } from "./key_file.ts";
export {
  configLanguage,
  decryptSecret,
  defaultConfigText,
  encryptInFile,
  encryptSecret,
  loadConfig,
  secretInFile,
  settingsElsewhere,
} from "./load.ts";
export { nearest } from "#foundation/edit_distance.ts";
export type { Config, ConfigOverrides } from "./schema.ts";
export { maskSecrets, secretForms, secretValues } from "./given_value.ts";
export type { LostSetting, SettingsElsewhere } from "./settings_elsewhere.ts";
