import { configDir, type LoadedConfig, registryDir } from "../config/mod.ts";
import { realPlaceNamed } from "../sandbox/mod.ts";
import type { Io } from "./io.ts";

/**
 * Real paths of the program's own files and folders, which are never indexed: the configuration files in effect, the folders
 * of the user's configuration and state, and the logs. `configurations`: the one in effect, and those compared with it.
 */
export async function ownPlacesOf(
  configurations: readonly Pick<LoadedConfig, "config" | "source">[],
  stateDir: string,
  { env }: Pick<Io, "env">,
): Promise<string[]> {
  const places = [
    ...configurations.flatMap(({ source, config }) => [source, config.log.dir]),
    configDir(env, Deno.build.os),
    stateDir,
    // Named on its own, since the state folder may be the folder that is indexed.
    registryDir(stateDir),
  ];
  return await Promise.all([...new Set(places)].filter((place) => place !== null).map(realPlaceNamed));
}
