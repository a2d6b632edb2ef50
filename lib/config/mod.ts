/** The configuration: schema, loading, printing, and the user's folders. Importing it loads no schema yet. */
export { FUSIONS, LANGUAGES, LEGS, SEARCH_MODES, TOP_K } from "./choices.ts";
export { ConfigError } from "./config_error.ts";
export { defaultConfigText } from "./init.ts";
export { loadConfig } from "./load.ts";
export { nearest } from "./nearest.ts";
export { printConfig } from "./print.ts";
export type { Config, ConfigOverrides } from "./schema.ts";
export { maskSecrets, secretValues } from "./secrets.ts";
export type { LoadedConfig, LoadOptions } from "./types.ts";
export { configDir, stateDir } from "./user_dirs.ts";
export type { Environment, OperatingSystem } from "./user_dirs.ts";
