import { UserError } from "../errors.ts";
import { holdAtOnce } from "./at_once.ts";
import { comparable, isInside } from "./paths.ts";

/**
 * Entries of a folder whose real path is `real`, in no order; of names that are not UTF-8 several may be given alike. It is
 * listed some fifteen times, and told is what was there every time: whoever exchanges it, or a folder above it, for a link,
 * and back, at any moment, brings nothing of what that leads to into it ({@linkcode holdAtOnce}). Throws `UserError` `no_permission` with `path` if a link has been seen there, and what
 * the system throws.
 */
export function listFolder(real: string): Deno.DirEntry[] {
  const isReal = () => comparable(Deno.realPathSync(real)) === comparable(real);
  let entries: ReadonlyMap<string, Deno.DirEntry> | undefined;
  const list = () => {
    const listed = new Map<string, Deno.DirEntry>();
    // names that are not UTF-8 may be given alike, tens of thousands of them
    const alike = new Map<string, number>();
    for (const entry of Deno.readDirSync(real)) {
      const before = alike.get(entry.name) ?? 0;
      alike.set(entry.name, before + 1);
      const key = `${entry.name}/${before}`;
      if (entries === undefined || isSameKind(entry, entries.get(key))) listed.set(key, entry);
    }
    entries = listed;
    return true;
  };
  if (!holdAtOnce(isReal, list)) throw new UserError("no_permission", { path: real });
  return [...entries?.values() ?? []];
}

function isSameKind(entry: Deno.DirEntry, other: Deno.DirEntry | undefined): boolean {
  return other?.isFile === entry.isFile && other.isDirectory === entry.isDirectory;
}

/** Whether the link at `path` leads out of the folder `root`, or to where it is forbidden to look. One to nothing does not. */
export async function linkLeadsOut(path: string, root: string): Promise<boolean> {
  try {
    return !isInside(await Deno.realPath(path), root);
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** The real path of what the link at `path` leads to in the folder `root`; `undefined` if it leads out of it, or nowhere. */
export async function linkTargetInside(path: string, root: string): Promise<string | undefined> {
  try {
    const real = await Deno.realPath(path);
    return isInside(real, root) ? real : undefined;
  } catch {
    return undefined;
  }
}
