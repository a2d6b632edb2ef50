import { UsageError } from "../../../errors.ts";
import { type System, SYSTEM_NAMES, systemsNamed } from "../../../evaluate/mod.ts";
import type { Session } from "../../session.ts";
import { comparedNames } from "./compared.ts";

/**
 * The systems that `--compare` names, each once, in its order. A name is that of a system or of a configuration file. Throws
 * `UsageError` `cli_eval_unknown_system`.
 */
export function systemsOf(session: Session, list: string): System[] {
  const systems = new Map<string, System>();
  const names = comparedNames(list);
  if (names.length === 0) throw new UsageError("cli_option_value_missing", { flag: "--compare" });
  for (const name of names) {
    for (const system of systemsNamed(name, session.config) ?? [configured(session, name)]) {
      if (!systems.has(system.name)) systems.set(system.name, system);
    }
  }
  return [...systems.values()];
}

/** The system of a configuration file of `--compare`. */
function configured({ compared }: Session, name: string): System {
  const config = compared[name];
  if (config === undefined) {
    throw new UsageError("cli_eval_unknown_system", { name, systems: SYSTEM_NAMES.join(", ") });
  }
  return { name, config };
}

/**
 * Throws `UsageError` `cli_eval_other_index` for a system that needs another index of the user's folder. The index is in
 * use, so it is not rebuilt for a comparison.
 */
export function checkSameIndex({ config }: Session, systems: readonly System[]): void {
  for (const { name, config: other } of systems) {
    for (const section of ["embedding", "chunking", "files"] as const) {
      if (JSON.stringify(config[section]) !== JSON.stringify(other[section])) {
        throw new UsageError("cli_eval_other_index", { name, section });
      }
    }
  }
}
