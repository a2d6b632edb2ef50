import { UserError } from "../errors.ts";
import { comparable, isInside } from "./paths.ts";

/**
 * What is in a folder whose real path is `real`, in no order. If a link has come into its place, or into that of a folder
 * above it, what it leads to is not told: throws `UserError` `no_permission` with `path`. Throws what the system throws.
 */
export function listFolder(real: string): Deno.DirEntry[] {
  const entries = [...Deno.readDirSync(real)];
  // looked at afterwards: a swap in the meantime shows
  if (comparable(Deno.realPathSync(real)) !== comparable(real)) {
    throw new UserError("no_permission", { path: real });
  }
  return entries;
}

/** Whether the link at `path` leads out of the folder `root`, or to where it is forbidden to look. One to nothing does not. */
export async function linkLeadsOut(path: string, root: string): Promise<boolean> {
  try {
    return !isInside(await Deno.realPath(path), root);
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
