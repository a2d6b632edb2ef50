/**
 * Checks of an index that is opened: the folder that it was made for, and the paths in it.
 */
import { comparable, isHostilePath } from "#foundation/boundary/mod.ts";
import type { OpenIndex } from "#engine/open_index.ts";

/** Returns whether an index was made for the folder `root`, a real path. */
export function isMadeFor({ meta }: Pick<OpenIndex, "meta">, root: string): boolean {
  return comparable(meta.root) === comparable(root);
}

/** Returns a sentence in English that names the folder of an index. */
export function movedFrom({ meta }: Pick<OpenIndex, "meta">): string {
  return `made for ${meta.root}`;
}

/** Returns whether a path is relative, separated by `/`, and inside the folder, like the paths of the walk. */
export function isPathInside(path: string): boolean {
  if (isHostilePath(path) || Deno.build.os === "windows" && path.includes("\\")) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
