/**
 * The user's documents: paths are resolved, files opened and folders listed
 * only inside the allowed folders, with all links resolved.
 */
import { fileURLToPath } from "node:url";
import { UserError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { fileError, holdAtOnce, isTrulyAt, openToRead, type ReadableFile } from "./open_file.ts";
import {
  comparable,
  HOST_STYLE,
  isFullPath,
  isHostilePath,
  isInside,
  isMissing,
  isNetworkPath,
  isSameFile,
  lookAtSync,
  pathModule,
  toPortable,
} from "./paths.ts";

/** A file or folder inside one of the allowed folders. */
export interface Resolved {
  /** Its real path, without links. Open this path, not the requested one. */
  readonly real: string;
  /** The allowed folder that contains it; the innermost one if they are nested. */
  readonly root: string;
  /** Its path below the root with `/` as separator; empty for the root itself. */
  readonly relative: string;
}

/** A kind of entry, with the errors for a missing entry and for one of another kind. */
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

const { dirname, join, relative: relativePath, resolve, sep } = pathModule(HOST_STYLE);

/**
 * Finds the file at `path` inside `roots`, which are *real* paths of folders: a root that has become a link is not followed.
 * `path` is a full path, a `file://` URL, or relative to one of the roots. It must lie inside a root as written *and*, with
 * its links resolved, inside the same root. No part below the root may be hidden.
 *
 * Throws `UserError` with `path`: `no_permission` for every path outside, whether it exists or not (so that clients cannot
 * probe what exists), and where the system refuses access; `file_not_found`; `not_a_file` for folders, devices, sockets and
 * pipes; `path_ambiguous` if a relative path fits several roots.
 */
export function resolveInside(path: string, roots: readonly string[]): Promise<Resolved> {
  return resolvePath(path, roots, FILE);
}

/**
 * {@linkcode resolveInside} for a folder: a root itself or a folder below it. Throws `directory_not_found` and
 * `not_a_directory` instead of `file_not_found` and `not_a_file`.
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

/** A request: `path` without a scheme, and `asked`, the path as the client wrote it, for messages. */
interface WantedPath {
  readonly path: string;
  readonly asked: string;
  readonly kind: Kind;
}

/** The path of a `file://` URL. Other texts are returned as they are, with any `%` in them. Null for an invalid URL. */
function withoutScheme(path: string): string | null {
  if (!/^file:/i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return null;
  }
}

async function resolveRelative(wanted: WantedPath, roots: readonly string[]): Promise<Resolved> {
  const { asked, kind } = wanted;
  const found = new Map<string, Resolved>();
  const failed = new Map<string, UserError>();
  for (const root of roots) {
    // The path may lead into another root inside this one, but not by `..` into one beside it.
    const within = roots.filter((other) => isInside(other, root));
    try {
      const resolved = await resolveFull({ ...wanted, path: join(root, wanted.path) }, within);
      found.set(resolved.real, resolved);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.set(error.key, error);
    }
  }
  const [first, second] = found.values();
  if (second !== undefined) throw new UserError("path_ambiguous", { path: asked });
  if (first !== undefined) return first;
  throw failed.get(kind.other) ?? failed.get(kind.missing) ?? [...failed.values()][0] ??
    new UserError("no_permission", { path: asked });
}

async function resolveFull({ path, asked, kind }: WantedPath, roots: readonly string[]): Promise<Resolved> {
  const location = await locate(resolve(path), roots);
  if (location === null || isHidden(location.below)) throw new UserError("no_permission", { path: asked });

  try {
    const real = await realInside(location, asked);
    // Checked again with links resolved, because a harmless name may be a link to another place.
    if (!isInside(real, location.root)) throw new UserError("no_permission", { path: asked });
    const below = asListed(location.root, relativePath(location.root, real));
    if (below === undefined || isHidden(below)) throw new UserError("no_permission", { path: asked });
    const listed = below === "" ? real : join(location.root, below);
    if (!kind.fits(await Deno.lstat(listed))) throw new UserError(kind.other, { path: asked });
    return { real: listed, root: location.root, relative: toPortable(below) };
  } catch (error) {
    if (isMissing(error)) throw new UserError(kind.missing, { path: asked }, { cause: error });
    throw fileError(error, asked);
  }
}

/** Location of a path by its text: the root and the part below it. */
interface Location {
  readonly root: string;
  /** Relative to the root, as the system writes it; empty for the root itself. */
  readonly below: string;
}

async function locate(path: string, roots: readonly string[]): Promise<Location | null> {
  // The innermost of nested roots comes first.
  const inward = [...roots].sort((a, b) => b.length - a.length);
  const find = (name: string): Location | undefined => {
    const root = inward.find((root) => isInside(name, root));
    return root === undefined ? undefined : { root, below: relativePath(root, name) };
  };
  const location = find(path) ?? findComposed(path, inward);
  // A network path outside is never accessed, because the access alone gives something away.
  if (location !== undefined || isNetworkPath(path)) return location ?? null;
  // The root may have another name: `/tmp` is `/private/tmp` on macOS.
  const alias = await nearestReal(path);
  return (alias === null ? undefined : find(alias)) ?? null;
}

/** Compares names like {@linkcode isInside}, but treats `é` as one code point and as two as equal. */
function findComposed(path: string, roots: readonly string[]): Location | undefined {
  const composed = path.normalize("NFC");
  const root = roots.find((root) => isInside(composed, root.normalize("NFC")));
  return root === undefined ? undefined : { root, below: relativePath(root.normalize("NFC"), composed) };
}

/** `path` with the links of its nearest existing ancestor resolved; null if the system refuses access. */
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
 * The real path of the entry at `location`. File systems store `é` as one code point or as two, so both forms are tried for each name.
 * Throws the error of the system if nothing exists there.
 */
async function realInside(location: Location, asked: string): Promise<string> {
  const { below, root } = location;
  try {
    return await realBelow(root, below, asked);
  } catch (error) {
    const other = isMissing(error) ? inEitherForm(root, below) : below;
    if (other === below) throw error;
    return await realBelow(root, other, asked);
  }
}

async function realBelow(root: string, below: string, asked: string): Promise<string> {
  const path = join(root, below);
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (isMissing(error) && await leadsOut(path, root)) throw new UserError("no_permission", { path: asked });
    throw error;
  }
}

/** A path below `root`, each of its names in the form that exists. */
function inEitherForm(root: string, below: string): string {
  let at = root;
  for (const name of below.split(sep)) {
    const forms = [name, name.normalize("NFC"), name.normalize("NFD")];
    at = join(at, forms.find((form) => isThere(join(at, form))) ?? name);
  }
  return relativePath(root, at);
}

function isThere(path: string): boolean {
  try {
    return lookAtSync(path) !== undefined;
  } catch {
    return false;
  }
}

/**
 * A path below `root` in the spelling in which its folders list the names, which the rules for names compare. On Linux the real path keeps the
 * spelling of the request on file systems that ignore case or Unicode's form, and on FAT also dots at the end. `undefined` if a name is found
 * and not listed.
 */
function asListed(root: string, below: string): string | undefined {
  // Windows gives the listed names as the real path.
  if (HOST_STYLE === "windows" || below === "") return below;
  const names: string[] = [];
  for (const name of below.split(sep)) {
    const listed = listedName(join(root, ...names), name);
    if (listed === undefined) return undefined;
    names.push(listed);
  }
  return names.join(sep);
}

function listedName(folder: string, name: string): string | undefined {
  const isOne = !mayBeAlias(name) && !otherSpellings(name).some((other) => isThere(join(folder, other)));
  if (isOne) return name;
  const listed = Array.from(Deno.readDirSync(folder), (entry) => entry.name);
  if (listed.includes(name)) return name;
  const info = lookAtSync(join(folder, name));
  return info && listed.find((other) => {
    const same = lookAtSync(join(folder, other));
    return same !== undefined && isSameFile(same, info);
  });
}

/** Whether no folder may list a name: the short names of FAT and NTFS (`2026-0~1`) and the streams of NTFS are second names. */
function mayBeAlias(name: string): boolean {
  return /~\d|:/.test(name);
}

/** Spellings of a name of which a file system that takes several as equal finds at least one, too. */
function otherSpellings(name: string): string[] {
  const plain = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[. ]+$/, "");
  const all = [name.toLowerCase(), name.toUpperCase(), name.normalize("NFC"), name.normalize("NFD"), plain];
  return [...new Set(all)].filter((other) => other !== name && other !== "");
}

/**
 * Whether a path that does not exist passes through a link that is dangling or leads out of the root. "Not found" would then
 * reveal what exists outside.
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

/**
 * Opens a resolved file for reading; the caller closes it. Only regular files are opened. A pipe that takes the file's place
 * at that moment is not waited for ({@linkcode openToRead}).
 *
 * After opening, the file must still be at its real path. So a link that replaces it, or any folder above it, in the
 * meantime gives access to nothing ({@linkcode isTrulyAt}). Comparing the change times of the folders would be faster, but
 * the locked worker may not read those above the allowed folder.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (the file was swapped), each with `path`, and the errors of the
 * runtime.
 */
export function openInside({ real }: Pick<Resolved, "real">): Promise<ReadableFile> {
  return Promise.try(() => openInsideSync(real));
}

/** Synchronous, because no call in it blocks and a thread switch would take longer. */
function openInsideSync(real: string): ReadableFile {
  const before = Deno.lstatSync(real);
  if (before.isSymlink) throw new UserError("no_permission", { path: real });
  if (!before.isFile) throw new UserError("not_a_file", { path: real });

  const file = openToReadAt(real);
  try {
    const opened = file.statSync();
    if (!opened.isFile) throw new UserError("not_a_file", { path: real });
    if (!isTrulyAt(real, opened, () => isRealSync(real))) {
      throw new UserError("no_permission", { path: real });
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** An open file, and what the system says about it. */
export interface OpenedFile {
  readonly file: ReadableFile;
  readonly facts: ReturnType<ReadableFile["statSync"]>;
}

/**
 * Opens files of the folder whose real path is `folder`, as {@linkcode openInside} does; the caller closes them. Their places are checked
 * together, in half of the time: the path of the folder has to be real, and the file of each name the opened one, all at the same time.
 * Returns `undefined` if any of them cannot be opened. Opened alone, it gives the reason.
 */
export function openTogether(folder: string, names: readonly string[]): OpenedFile[] | undefined {
  const paths = names.map((name) => join(folder, name));
  const opened: OpenedFile[] = [];
  try {
    for (const path of paths) {
      if (!Deno.lstatSync(path).isFile) break;
      const file = openToRead(path);
      opened.push({ file, facts: file.statSync() });
    }
    const areOpened = opened.map(({ facts }, i) => () => isSameFile(Deno.lstatSync(paths[i]!), facts));
    const areFiles = opened.length === paths.length && opened.every(({ facts }) => facts.isFile);
    if (areFiles && holdAtOnce(() => isRealSync(folder), ...areOpened)) return opened;
  } catch {
    // A file has gone, is closed to the user, or was exchanged for a link.
  }
  for (const { file } of opened) file.close();
  return undefined;
}

function openToReadAt(real: string): ReadableFile {
  try {
    return openToRead(real);
  } catch (error) {
    // A link took its place just now.
    if (!(error instanceof Deno.errors.FilesystemLoop)) throw error;
    throw new UserError("no_permission", { path: real }, { cause: error });
  }
}

/**
 * The entries of the folder whose real path is `real`, unordered. Several names that are not UTF-8 may be returned as the
 * same text.
 *
 * The folder is listed sixteen times, and only entries of every listing are returned. So another process that
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
  const real = Deno.realPathSync(path);
  return real === path || comparable(real) === comparable(path);
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
  if (HOST_STYLE === "windows") return false;
  const info = lookAtSync(join(folder, name));
  return otherSpellings(name).every((other) => {
    const same = lookAtSync(join(folder, other));
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
