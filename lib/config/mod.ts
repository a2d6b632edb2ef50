/** The configuration: schema, loading, printing, and the user's folders. */
export { ConfigError } from "./config_error.ts";
export { defaultConfigText } from "./init.ts";
export { loadConfig } from "./load.ts";
export type { LoadedConfig, LoadOptions } from "./load.ts";
export { printConfig } from "./print.ts";
export type { Config, ConfigOverrides } from "./schema.ts";
export { maskSecrets, secretValues } from "./secrets.ts";
export { configDir, stateDir } from "./user_dirs.ts";
export type { Environment, OperatingSystem } from "./user_dirs.ts";
