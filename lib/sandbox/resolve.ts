import { fileURLToPath } from "node:url";
import { UserError } from "../errors.ts";
import type { MessageKey } from "../messages.ts";
import { fileError, isMissing } from "./file_error.ts";
import { isHostilePath } from "./hostile.ts";
import { HOST_STYLE, isFullPath, isInside, isNetworkPath, pathOf, toPortable } from "./paths.ts";

/** A file or folder inside one of the allowed folders. */
export interface Resolved {
  /** Its real path: no link in it. Open this, never what was asked for. */
  readonly real: string;
  /** The allowed folder it is in; of two that lie in each other, the inner one. */
  readonly root: string;
  /** Its path below the root, `/` between the parts; empty for the root itself. */
  readonly relative: string;
}

/** What is looked for, and what is said when it is missing or something else. */
interface Kind {
  readonly fits: (info: Deno.FileInfo) => boolean;
  readonly missing: MessageKey;
  readonly other: MessageKey;
}

const FILE: Kind = { fits: ({ isFile }) => isFile, missing: "file_not_found", other: "not_a_file" };
const FOLDER: Kind = {
  fits: ({ isDirectory }) => isDirectory,
  missing: "directory_not_found",
  other: "not_a_directory",
};

const { dirname, join, relative: relativePath, resolve, sep } = pathOf(HOST_STYLE);

/**
 * Finds the file that `path` names inside `roots`, which are *real* paths of folders: a root that has become
 * a link since leads nowhere. `path` is a full path, a `file://` URL, or relative to one of the roots. It
 * must lie inside a root as written *and* with its links resolved, in the same root, with no hidden part
 * below the root.
 *
 * Throws `UserError`, always with `path`: `no_permission` for everything outside, whether it exists or not
 * (what is outside must not be probed), and for what the system refuses; `file_not_found`; `not_a_file` for
 * folders, devices, sockets and pipes; `path_ambiguous` when a relative path fits several roots.
 */
export function resolveInside(path: string, roots: readonly string[]): Promise<Resolved> {
  return resolvePath(path, roots, FILE);
}

/**
 * Like {@linkcode resolveInside}, for a folder: a root itself, or one below. Throws `directory_not_found` and
 * `not_a_directory` where the other says `file_not_found` and `not_a_file`.
 */
export function resolveFolderInside(path: string, roots: readonly string[]): Promise<Resolved> {
  return resolvePath(path, roots, FOLDER);
}

async function resolvePath(path: string, roots: readonly string[], kind: Kind): Promise<Resolved> {
  const plain = withoutScheme(path);
  if (plain === null || plain === "" || isHostilePath(plain)) throw new UserError("no_permission", { path });
  return isFullPath(plain)
    ? await resolveFull({ path: plain, asked: path, kind }, roots)
    : await resolveRelative({ path: plain, asked: path, kind }, roots);
}

/** What is asked for: `path` without a scheme, `asked` for messages as it came. */
interface Wanted {
  readonly path: string;
  readonly asked: string;
  readonly kind: Kind;
}

/**
 * The path of a `file://` URL; any other text as it is, so that a `%` in a name stays one. Null for a bad
 * URL.
 */
function withoutScheme(path: string): string | null {
  if (!/^file:/i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return null;
  }
}

async function resolveRelative(wanted: Wanted, roots: readonly string[]): Promise<Resolved> {
  const { asked, kind } = wanted;
  const found = new Map<string, Resolved>();
  const failed = new Map<string, UserError>();
  for (const root of roots) {
    // Another root inside of this one may be what is meant. One beside it is not: `..` does not lead there.
    const within = roots.filter((other) => isInside(other, root));
    try {
      const place = await resolveFull({ ...wanted, path: join(root, wanted.path) }, within);
      found.set(place.real, place);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.set(error.key, error);
    }
  }
  const [place, second] = found.values();
  if (second !== undefined) throw new UserError("path_ambiguous", { path: asked });
  if (place !== undefined) return place;
  throw failed.get(kind.other) ?? failed.get(kind.missing) ?? [...failed.values()][0] ??
    new UserError("no_permission", { path: asked });
}

async function resolveFull({ path, asked, kind }: Wanted, roots: readonly string[]): Promise<Resolved> {
  const place = await locate(resolve(path), roots);
  if (place === null || isHidden(place.below)) throw new UserError("no_permission", { path: asked });

  try {
    const real = await realInside(place, asked);
    // Again with links resolved: the name may be harmless and its target not.
    if (!isInside(real, place.root)) throw new UserError("no_permission", { path: asked });
    const relative = toPortable(relativePath(place.root, real));
    if (isHidden(relative)) throw new UserError("no_permission", { path: asked });
    if (!kind.fits(await Deno.lstat(real))) throw new UserError(kind.other, { path: asked });
    return { real, root: place.root, relative };
  } catch (error) {
    if (isMissing(error)) throw new UserError(kind.missing, { path: asked }, { cause: error });
    throw fileError(error, asked);
  }
}

/** Where a path lies by its name: which root, and what comes below it. */
interface Place {
  readonly root: string;
  /** Relative to the root, as the system writes it; empty for the root itself. */
  readonly below: string;
}

async function locate(path: string, roots: readonly string[]): Promise<Place | null> {
  // The innermost folder first, where one root lies in another.
  const inward = [...roots].sort((a, b) => b.length - a.length);
  const find = (name: string): Place | undefined => {
    const root = inward.find((root) => isInside(name, root));
    return root === undefined ? undefined : { root, below: relativePath(root, name) };
  };
  const place = find(path) ?? findComposed(path, inward);
  // Never ask the network about a place outside: asking is already giving something away.
  if (place !== undefined || isNetworkPath(path)) return place ?? null;
  // Perhaps the root goes by another name here: `/tmp` is `/private/tmp` on macOS.
  const alias = await nearestReal(path);
  return (alias === null ? undefined : find(alias)) ?? null;
}

/** Like the comparison of names, but `é` as one code point and as two are the same. */
function findComposed(path: string, roots: readonly string[]): Place | undefined {
  const composed = path.normalize("NFC");
  const root = roots.find((root) => isInside(composed, root.normalize("NFC")));
  return root === undefined ? undefined : { root, below: relativePath(root.normalize("NFC"), composed) };
}

/**
 * `path` with the links of its nearest existing ancestor resolved; null if the system does not let us look.
 */
async function nearestReal(path: string): Promise<string | null> {
  let ancestor = path;
  while (true) {
    try {
      return join(await Deno.realPath(ancestor), relativePath(ancestor, path));
    } catch (error) {
      const parent = dirname(ancestor);
      if (!isMissing(error) || parent === ancestor) return null;
      ancestor = parent;
    }
  }
}

/** Whether a part of a relative path starts with a dot. */
function isHidden(relative: string): boolean {
  return relative.split(sep === "\\" ? /[\\/]/ : "/").some((part) => part.startsWith("."));
}

/**
 * The real path of what is at `place`; the system's error if there is nothing. File systems differ in how they
 * keep `é` (one code point or two): the other form is tried when the given one is not there.
 */
async function realInside(place: Place, asked: string): Promise<string> {
  const { below, root } = place;
  let missing: unknown;
  for (const name of new Set([below, below.normalize("NFC"), below.normalize("NFD")])) {
    const candidate = join(root, name);
    try {
      return await Deno.realPath(candidate);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (await leadsOut(candidate, root)) throw new UserError("no_permission", { path: asked });
      missing = error;
    }
  }
  throw missing;
}

/**
 * Whether a path that does not exist passes through a link that is dangling or leads out of the root: the
 * answer "not found" would tell what is there and what is not.
 */
async function leadsOut(path: string, root: string): Promise<boolean> {
  for (let at = path; at !== root && isInside(at, root); at = dirname(at)) {
    try {
      const info = await Deno.lstat(at);
      if (info.isSymlink) return true;
      return !isInside(await Deno.realPath(at), root);
    } catch (error) {
      if (!isMissing(error)) return true;
    }
  }
  return false;
}
