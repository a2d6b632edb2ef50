import { UserError } from "../errors.ts";
import { fileError, HOST_STYLE, linkLeadsOut, listFolder, lookAtSync, pathModule } from "../sandbox/mod.ts";
import { DATA_FOLDER } from "./data_folder.ts";
import { readIgnoreFiles } from "./_ignore_files.ts";
import { StrangeNames } from "./_strange_names.ts";
import { NameRules, type RuleOptions } from "./_name_rules.ts";
import type { Found, SkipReason } from "./types.ts";

/** Options of a walk: which files it takes. */
export interface WalkOptions extends RuleOptions {
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between the pauses in which timers and messages get through. */
const PAUSE_EVERY = 20;

/**
 * Folders below more others are left out. To ask the system whether a path is real takes time that grows with the square of
 * its depth, and every folder is asked about some fifteen times: 800 in one another took minutes, 100 take a second.
 */
const MAX_DEPTH = 100;

const { join } = pathModule(HOST_STYLE);

/**
 * Lists what is in the folder `root` (a real path), ordered by path (UTF-16 code units). Links are never
 * followed. A file or folder that cannot be looked at is told as `failed` and the walk goes on; if `root`
 * itself cannot be, it throws `UserError`. `.muxue_rag` is passed over in silence. Throws the reason of
 * `signal` soon after it is aborted.
 *
 * An ignore file that cannot be obeyed leaves out all that it could speak of: the folder that it is in is told as `failed`,
 * and nothing in it is listed. In `root` that would be everything: there the walk throws `ignore_file_…` instead, and what is
 * known of the folder stays.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<Found> {
  const { signal } = options;
  let resumed = performance.now();

  yield* folder("", NameRules.of(root, options), 0);

  async function* folder(path: string, inherited: NameRules, depth: number): AsyncGenerator<Found> {
    signal?.throwIfAborted();
    if (depth > MAX_DEPTH) {
      const error = new UserError("folder_too_deep", { limit: MAX_DEPTH });
      yield { kind: "failed", path, error, leftOut: true };
      return;
    }
    let entries: Deno.DirEntry[];
    try {
      entries = listFolder(join(root, path));
    } catch (error) {
      if (path === "") throw directoryError(error, root);
      yield { kind: "failed", path, error };
      return;
    }
    let rules = inherited;
    try {
      const ignored = options.ignoreFiles
        ? await readIgnoreFiles(root, path, entries.map(({ name }) => name))
        : null;
      if (ignored !== null) rules = inherited.withIgnored(ignored);
    } catch (error) {
      if (path === "") throw error;
      yield { kind: "failed", path, error, leftOut: true };
      return;
    }

    const strange = new StrangeNames(join(root, path), entries);
    for (const entry of inOrder(entries)) {
      // Asking for the time costs as much as the rest of a file's turn if done through the event loop: look
      // first.
      if (performance.now() - resumed > PAUSE_EVERY) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        signal?.throwIfAborted();
        resumed = performance.now();
      }
      const below = (name: string) => path === "" ? name : `${path}/${name}`;
      const child = below(entry.name);
      if (entry.name === DATA_FOLDER) continue;
      const reason = rules.byName(entry, child);
      const told = reason === null ? strange.nameOf(entry) : undefined;
      if (reason !== null) yield { kind: "skipped", path: child, reason };
      else if (told !== undefined) {
        yield { kind: "failed", path: below(told), error: new UserError("name_not_unicode") };
      } else if (entry.isSymlink) {
        yield { kind: "skipped", path: child, reason: await linkReason(root, child) };
      } else if (entry.isDirectory) yield* folder(child, rules.below(entry.name), depth + 1);
      else {
        const found = file(root, child, options.maxFileBytes);
        if (found !== null) yield found;
      }
    }
  }
}

/** By full path: a folder's content comes where its name with a `/` would. */
function inOrder(entries: readonly Deno.DirEntry[]): Deno.DirEntry[] {
  return entries
    .map((entry) => ({ entry, key: entry.isDirectory ? `${entry.name}/` : entry.name }))
    .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
    .map(({ entry }) => entry);
}

async function linkReason(root: string, path: string): Promise<SkipReason> {
  return await linkLeadsOut(join(root, path), root) ? "link_outside" : "link";
}

/** A file's facts, or null when it is gone since its folder was listed. */
function file(root: string, path: string, maxFileBytes: number): Found | null {
  let info: Deno.FileInfo | undefined;
  try {
    info = lookAtSync(join(root, path));
  } catch (error) {
    return { kind: "failed", path, error };
  }
  if (info === undefined) return null;
  if (!info.isFile) return { kind: "skipped", path, reason: "special" };
  if (info.size === 0) return { kind: "skipped", path, reason: "empty" };
  if (info.size > maxFileBytes) return { kind: "skipped", path, reason: "too_large" };
  const { size, mtime, ctime } = info;
  return {
    kind: "file",
    path,
    size,
    mtimeMs: mtime?.getTime() ?? 0,
    ...(ctime ? { ctimeMs: ctime.getTime() } : {}),
  };
}

function directoryError(error: unknown, root: string): UserError {
  const known = fileError(error, root);
  return known.key === "file_not_found"
    ? new UserError("directory_not_found", { path: root }, { cause: error })
    : known;
}
