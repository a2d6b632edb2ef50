import { UsageError } from "../../errors.ts";
import { type System, SYSTEM_NAMES, systemsNamed } from "../../evaluate/mod.ts";
import { configurationFor } from "../configuration.ts";
import { warnText } from "../context.ts";
import type { Session } from "../session.ts";

/**
 * The systems of `--compare`, each once, in its order. Throws `UsageError` `cli_eval_unknown_system`, and what
 * loading a configuration throws.
 */
export async function systemsOf(session: Session, list: string): Promise<System[]> {
  const systems = new Map<string, System>();
  const names = list.split(",").map((part) => part.trim()).filter((part) => part !== "");
  if (names.length === 0) throw new UsageError("cli_option_value_missing", { flag: "--compare" });
  for (const name of names) {
    for (const system of systemsNamed(name, session.config) ?? [await configured(session, name)]) {
      if (!systems.has(system.name)) systems.set(system.name, system);
    }
  }
  return [...systems.values()];
}

/** A configuration file as `--config` would load it. */
async function configured(session: Session, name: string): Promise<System> {
  if (!/\.(?:ya?ml|json)$/i.test(name)) {
    throw new UsageError("cli_eval_unknown_system", { name, systems: SYSTEM_NAMES.join(", ") });
  }
  const { config, warnings } = await configurationFor(session.io, { ...session.flags, config: name });
  for (const text of warnings) warnText(session, text);
  return { name, config };
}

/**
 * Throws `UsageError` `cli_eval_other_index` for a system that wants the user's own folder indexed in another way:
 * its index is in use, and is not rebuilt for a comparison.
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
