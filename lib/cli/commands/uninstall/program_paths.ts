import { join } from "node:path";
import { type Environment, fullPathIn, homeFolder } from "../../../config/mod.ts";
import { exists } from "../../../sandbox/mod.ts";
import { programPath } from "../setup/server_command.ts";

/**
 * Paths of the program: the executable or the folder of the sources, and the file that the installation script has written
 * to the folder that it takes by default. With sources, that file is a script that starts them.
 */
export async function programPaths(env: Environment): Promise<string[]> {
  const paths = new Set([programPath()]);
  for (const path of installedPaths(env)) if (await exists(path)) paths.add(path);
  return [...paths];
}

/** The defaults of `scripts/install.sh` and `scripts/install.ps1`. */
function installedPaths(env: Environment): string[] {
  if (Deno.build.os === "windows") {
    const local = fullPathIn(env, "LOCALAPPDATA", "windows");
    if (local === undefined) return [];
    return ["exe", "cmd"].map((end) => join(local, "Programs", "muxue_rag", `muxue_rag.${end}`));
  }
  const home = homeFolder(env, Deno.build.os);
  return home === undefined ? [] : [join(home, ".local", "bin", "muxue_rag")];
}
