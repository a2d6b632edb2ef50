import { join } from "node:path";
import { UserError } from "../errors.ts";
import { holdAtOnce } from "./_at_once.ts";
import { isSameFile, lookAtSync } from "./look.ts";
import { comparable, isInside } from "./paths.ts";

/**
 * The entries of the folder whose real path is `real`, unordered. Several names that are not UTF-8 may be returned as the
 * same text.
 *
 * The folder is listed about fifteen times, and only entries of every listing are returned. So another process that
 * exchanges the folder, or one above it, for a link and back cannot add entries of the link's target
 * ({@linkcode holdAtOnce}). Throws `UserError` `no_permission` with `path` if a link was seen, and the errors of the system.
 *
 * @param isKnown whether an entry says nothing new to the caller. A folder of such entries alone is listed once: an entry of a
 * link's target that is known already adds nothing. In a folder of 3,400 known files this is most of the time of a walk.
 */
export function listFolder(real: string, isKnown?: (entry: Deno.DirEntry) => boolean): Deno.DirEntry[] {
  if (isKnown !== undefined && isRealSync(real)) {
    const listed = [...Deno.readDirSync(real)];
    if (listed.every(isKnown) && isRealSync(real)) return listed;
  }
  return heldEntries(real, () => Deno.readDirSync(real));
}

function isRealSync(path: string): boolean {
  return comparable(Deno.realPathSync(path)) === comparable(path);
}

/**
 * The entries with these names in the folder whose real path is `real`: as {@linkcode listFolder}, without listing all the
 * others. `undefined` if one of them may be listed under another spelling, because the system ignores case or composes
 * characters.
 */
export function findEntries(real: string, names: readonly string[]): Deno.DirEntry[] | undefined {
  const found = heldEntries(real, () => names.flatMap((name) => entryOf(real, name) ?? []));
  return found.every(({ name }) => hasOneSpelling(real, name)) ? found : undefined;
}

function entryOf(folder: string, name: string): Deno.DirEntry | undefined {
  const info = lookAtSync(join(folder, name));
  if (info === undefined) return undefined;
  const { isFile, isDirectory, isSymlink } = info;
  return { name, isFile, isDirectory, isSymlink };
}

/** Whether no other spelling finds the same entry. False on Windows, where each entry also has a short name. */
function hasOneSpelling(folder: string, name: string): boolean {
  if (Deno.build.os === "windows") return false;
  const others = [name.toLowerCase(), name.toUpperCase(), name.normalize("NFC"), name.normalize("NFD")];
  const info = lookAtSync(join(folder, name));
  return [...new Set(others)].every((other) => {
    const same = other === name ? undefined : lookAtSync(join(folder, other));
    return same === undefined || info === undefined || !isSameFile(same, info);
  });
}

function heldEntries(real: string, read: () => Iterable<Deno.DirEntry>): Deno.DirEntry[] {
  let entries: ReadonlyMap<string, Deno.DirEntry> | undefined;
  const list = () => {
    const listed = new Map<string, Deno.DirEntry>();
    // Tens of thousands of names that are not UTF-8 may be returned as the same text.
    const alike = new Map<string, number>();
    for (const entry of read()) {
      const before = alike.get(entry.name) ?? 0;
      alike.set(entry.name, before + 1);
      const key = `${entry.name}/${before}`;
      if (entries === undefined || isSameKind(entry, entries.get(key))) listed.set(key, entry);
    }
    entries = listed;
    return true;
  };
  if (!holdAtOnce(() => isRealSync(real), list)) throw new UserError("no_permission", { path: real });
  return [...entries?.values() ?? []];
}

function isSameKind(entry: Deno.DirEntry, other: Deno.DirEntry | undefined): boolean {
  return other?.isFile === entry.isFile && other.isDirectory === entry.isDirectory;
}

/** Whether the link at `path` leads out of the folder `root` or to an inaccessible place. False for a dangling link. */
export async function linkLeadsOut(path: string, root: string): Promise<boolean> {
  try {
    return !isInside(await Deno.realPath(path), root);
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** The real path of the link's target, or `undefined` if it lies outside the folder `root` or does not exist. */
export async function linkTargetInside(path: string, root: string): Promise<string | undefined> {
  try {
    const real = await Deno.realPath(path);
    return isInside(real, root) ? real : undefined;
  } catch {
    return undefined;
  }
}
