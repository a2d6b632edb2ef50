import { dirname } from "node:path";
import { homeFolder, stateDir } from "../config/mod.ts";
import type { Io } from "./io.ts";

/**
 * The folder that one of `paths` is or lies in, of those that the command line names (`dirs`) and those that were processed
 * on this machine; real path. `undefined` if they lie in none. Links among `paths` are followed.
 */
export async function indexedAround(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  dirs: readonly string[],
  paths: readonly string[],
): Promise<string | undefined> {
  const { isInside, realNamed, resolveTarget } = await import("../sandbox/mod.ts");
  const { registeredRoots } = await import("../registry/mod.ts");
  // a link that leads nowhere lies at least where it lies
  const real = await Promise.all(paths.map((path) => realNamed(path).catch(() => realNamed(dirname(path)))));
  const home = homeFolder(env, Deno.build.os);
  const state = stateDir(env, Deno.build.os);
  const named = dirs.map((dir) => resolveTarget(dir, { cwd, home, allowSensitive: true }));
  const folders = [
    // what is wrong with a folder is told when it is wanted
    ...(await Promise.allSettled(named)).flatMap((each) => each.status === "fulfilled" ? each.value : []),
    ...(state === null ? [] : await registeredRoots(state).catch(() => [])),
  ];
  return folders.find((folder) => real.some((path) => isInside(path, folder)));
}
