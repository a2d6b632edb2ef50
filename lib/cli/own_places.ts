import { configDir, type LoadedConfig, registryDir } from "../config/mod.ts";
import { realPlaceNamed } from "../sandbox/mod.ts";
import type { Io } from "./io.ts";

/**
 * Real paths of the program's own files and folders, which are no documents wherever they lie: the configuration files in
 * effect, the folders of the user's configuration and state, and the logs. `configurations`: the one in effect, and those
 * compared with it.
 */
export async function ownPlacesOf(
  configurations: readonly LoadedConfig[],
  stateDir: string,
  { env }: Pick<Io, "env">,
): Promise<string[]> {
  const places = [
    ...configurations.flatMap(({ source, config }) => [source, config.log.dir]),
    configDir(env, Deno.build.os),
    stateDir,
    // of its own: the state folder may be the very folder that is indexed
    registryDir(stateDir),
  ];
  return await Promise.all([...new Set(places)].filter((place) => place !== null).map(realPlaceNamed));
}
