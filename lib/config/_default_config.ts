import { resolve } from "node:path";
import { DEFAULTS } from "./_defaults.ts";
import type { Config, ConfigOverrides } from "./schema.ts";
import { systemLanguage } from "./system_language.ts";
import { type Environment, type OperatingSystem, stateDir } from "./user_dirs.ts";

/**
 * The configuration without a file and without environment variables: the defaults with the overrides of the command line,
 * which are valid already. It needs no schema, whose library takes as long to load as the rest of the command line.
 * `undefined` if the overrides have other keys than `language`, `search.top_k` and `search.mode`.
 */
export function defaultConfig(
  { language, search = {}, ...more }: ConfigOverrides,
  env: Environment,
  os: OperatingSystem,
): Config | undefined {
  const { "top_k": topK = DEFAULTS.search.top_k, mode = DEFAULTS.search.mode, ...moreOfSearch } = search;
  if ([more, moreOfSearch].some((left) => Object.values(left).some((value) => value !== undefined))) {
    return undefined;
  }
  return deepFreeze({
    ...structuredClone(DEFAULTS) as unknown as Config,
    language: language ?? systemLanguage(env, os),
    search: { ...DEFAULTS.search, "top_k": topK, mode },
    log: { ...DEFAULTS.log, dir: defaultLogDir(env, os) },
  });
}

/** The default folder of log files; null without a state folder. */
export function defaultLogDir(env: Environment, os: OperatingSystem): string | null {
  const state = stateDir(env, os);
  return state === null ? null : resolve(state, "logs");
}

/** Freezes a value and everything in it. */
export function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
