import { UserError } from "../errors.ts";
import { holdAtOnce } from "./at_once.ts";
import { comparable, isInside } from "./paths.ts";

/**
 * What is in a folder whose real path is `real`, in no order. It is listed some fifteen times, and told is what was there every
 * time: whoever exchanges it, or a folder above it, for a link, and back, at any moment, brings nothing of what that leads to
 * into it ({@linkcode holdAtOnce}). Throws `UserError` `no_permission` with `path` if a link has been seen there, and what
 * the system throws.
 */
export function listFolder(real: string): Deno.DirEntry[] {
  const isReal = () => comparable(Deno.realPathSync(real)) === comparable(real);
  let entries: Deno.DirEntry[] | undefined;
  const list = () => {
    const listed = [...Deno.readDirSync(real)];
    entries = entries === undefined ? listed : common(entries, listed);
    return true;
  };
  if (!holdAtOnce(isReal, list)) throw new UserError("no_permission", { path: real });
  return entries ?? [];
}

/** Those of `entries` that are in `others` too, and of the same kind. */
function common(entries: readonly Deno.DirEntry[], others: readonly Deno.DirEntry[]): Deno.DirEntry[] {
  const found = new Map(others.map((entry) => [entry.name, entry]));
  return entries.filter(({ name, isFile, isDirectory }) => {
    const other = found.get(name);
    return other?.isFile === isFile && other.isDirectory === isDirectory;
  });
}

/** Whether the link at `path` leads out of the folder `root`, or to where it is forbidden to look. One to nothing does not. */
export async function linkLeadsOut(path: string, root: string): Promise<boolean> {
  try {
    return !isInside(await Deno.realPath(path), root);
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
