import { resolve } from "node:path";
import { DEFAULTS } from "./_defaults.ts";
import type { Config, ConfigOverrides } from "./schema.ts";
import { type Environment, type OperatingSystem, stateDir } from "./user_dirs.ts";

/**
 * The configuration where there is no file and no variable of the environment: the defaults, and what a command line asks
 * for, which has checked it. The schema, whose library takes as long to load as the rest of the command line, is not needed.
 * `undefined` where more than that is asked for.
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
    ...structuredClone(DEFAULTS) as Config,
    language: language ?? DEFAULTS.language,
    search: { ...DEFAULTS.search, "top_k": topK, mode },
    log: { ...DEFAULTS.log, dir: defaultLogDir(env, os) },
  });
}

/** Where log files go by default; null where there is no state folder. */
export function defaultLogDir(env: Environment, os: OperatingSystem): string | null {
  const state = stateDir(env, os);
  return state === null ? null : resolve(state, "logs");
}

/** Keeps a value, and all that is in it, from being changed. */
export function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
