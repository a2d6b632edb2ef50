import { stateDir } from "../config/mod.ts";
import type { Io } from "./io.ts";

/**
 * The folder that the working folder is or lies in, of those that the command line names (`dirs`) and those that were
 * processed on this machine; real path. `undefined` if it lies in none.
 */
export async function indexedAround(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  dirs: readonly string[],
): Promise<string | undefined> {
  const { isInside, realNamed, resolveTarget } = await import("../sandbox/mod.ts");
  const { registeredRoots } = await import("../registry/mod.ts");
  const here = await realNamed(cwd);
  const home = env["HOME"] ?? env["USERPROFILE"];
  const state = stateDir(env, Deno.build.os);
  const named = dirs.map((dir) => resolveTarget(dir, { cwd, home, allowSensitive: true }));
  const folders = [
    // what is wrong with a folder is told when it is wanted
    ...(await Promise.allSettled(named)).flatMap((each) => each.status === "fulfilled" ? each.value : []),
    ...(state === null ? [] : await registeredRoots(state).catch(() => [])),
  ];
  return folders.find((folder) => isInside(here, folder));
}
