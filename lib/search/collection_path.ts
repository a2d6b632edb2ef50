import { join } from "node:path";
import { UserError } from "../errors.ts";
import { isInside, type Resolved } from "../sandbox/mod.ts";
import type { ServedCollection } from "./served_collections.ts";

/** A path that begins with the name of a served folder. */
interface CollectionPath {
  readonly root: string;
  readonly path: string;
}

/** Finds a path inside folders: {@linkcode import("../sandbox/mod.ts").resolveInside}, or the one for folders. */
type Resolve = (path: string, roots: readonly string[]) => Promise<Resolved>;

/**
 * Resolves a path inside the served folders, or, if there is no such entry, one that begins with the name of a folder
 * (`notes/tea.md`), as assistants write it, and the address of a resource (`muxue://notes/tea.md`). A path that begins with a name may not lead out of the folder of that name.
 * Throws what `resolve` throws, with `path` as it was asked for.
 */
export async function resolveServed(
  path: string,
  { collections, roots, resolve }: {
    readonly collections: readonly ServedCollection[];
    readonly roots: readonly string[];
    readonly resolve: Resolve;
  },
): Promise<Resolved> {
  const address = pathOfAddress(path);
  try {
    if (address !== undefined) throw new UserError("file_not_found", { path });
    return await resolve(path, roots);
  } catch (error) {
    if (!isMissingEntry(error)) throw error;
    let last: unknown = error;
    for (const named of collectionPaths(address ?? path, collections)) {
      // A served folder inside that folder keeps its own rules.
      const within = roots.filter((root) => isInside(root, named.root));
      try {
        return await resolve(join(named.root, named.path), within);
      } catch (failure) {
        if (!(failure instanceof UserError)) throw failure;
        last = new UserError(failure.key, { ...failure.params, path }, { cause: failure });
      }
    }
    throw last;
  }
}

/** The places that a path names, if it begins with the name of a folder; the longest name first. */
function collectionPaths(path: string, collections: readonly ServedCollection[]): CollectionPath[] {
  const plain = path.trim().replaceAll("\\", "/");
  const begins = (name: string) => fold(plain).startsWith(`${fold(name)}/`);
  const isWritten = (name: string) => plain.startsWith(`${name}/`);
  return collections.filter(({ name }) => begins(name))
    .sort((a, b) => b.name.length - a.name.length || Number(isWritten(b.name)) - Number(isWritten(a.name)))
    .map(({ name, root }) => ({
      root,
      path: plain.split("/").slice(name.split("/").length).join("/"),
    }));
}

/** The path in the address `muxue://notes/green%20tea.md`, with the name of the folder; `undefined` for other texts. */
function pathOfAddress(text: string): string | undefined {
  const [, encoded] = /^\s*muxue:\/\/([^?#]+)/i.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function isMissingEntry(error: unknown): boolean {
  return error instanceof UserError &&
    (error.key === "file_not_found" || error.key === "directory_not_found");
}
