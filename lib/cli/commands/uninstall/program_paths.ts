import type { Environment } from "../../../config/mod.ts";
import { exists } from "../../../sandbox/mod.ts";
import { installedPaths, programPath } from "../setup/server_command.ts";

/**
 * Paths of the program: the executable or the folder of the sources, and the file that the installation script has written
 * to the folder that it takes by default. With sources, that file is a script that starts them.
 */
export async function programPaths(env: Environment): Promise<string[]> {
  const paths = new Set([programPath()]);
  for (const path of installedPaths(env)) if (await exists(path)) paths.add(path);
  return [...paths];
}
