import type { SettingsElsewhere } from "./_elsewhere.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";

export type { LostSetting, SettingsElsewhere } from "./_elsewhere.ts";

/**
 * What makes a process that is started in another folder with another environment see this configuration. See
 * `_elsewhere.ts`.
 */
export async function settingsElsewhere(
  options: LoadOptions,
  loaded: Pick<LoadedConfig, "config" | "source">,
): Promise<SettingsElsewhere> {
  // Loaded only when called: few runs write down how to start others.
  return await (await import("./_elsewhere.ts")).settingsElsewhere(options, loaded);
}
