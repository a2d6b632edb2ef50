/** The gates of a file: found by a walk of its folder, read, and in the index as it is now. */
import { fileURLToPath } from "node:url";
import { join, relative as relativePath, resolve } from "node:path";
import type { Config } from "#foundation/configuration/mod.ts";
import { folderConfig } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import {
  fileError,
  isFullPath,
  isHostilePath,
  isInside,
  lookAtSync,
  type Resolved,
  toPortable,
} from "#foundation/boundary/mod.ts";
import {
  archivePrefixes,
  excludingRule,
  type Found,
  ignoringRule,
  PathTree,
  type SkipReason,
  walk,
} from "#library/corpus/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { type CitedLines, citedLines } from "../line_range.ts";
import { resolveServed, type ServedLocations } from "../served_collections.ts";
import type { ServedFolder } from "../served_folders.ts";
import { type ServedFiles, withNearestFiles } from "../served_files.ts";
import type { GateFacts, PassedGate, SettingAtGate, WhyNot } from "./types.ts";

/** The parts of a library that tell about files. */
export interface FileParts extends ServedLocations {
  readonly files: ServedFiles;
  readonly config: Config;
  readonly isLimited: boolean;
  readonly ownPlaces: readonly string[];
}

/** The gate that stopped it, as far as that is known without a search. */
export type Stop = Pick<WhyNot, "gate" | "reason" | "by"> & { readonly setting?: SettingAtGate };

/** A file of a served folder. */
export interface NamedFile {
  readonly folder: ServedFolder;
  /** Relative to the folder, `/` between its parts. */
  readonly path: string;
  readonly cited?: CitedLines;
}

/** Finds the file that a request names, whether it is there or not. Throws `UserError` `path_ambiguous`. */
export async function namedFile(asked: string, parts: FileParts): Promise<NamedFile | Stop> {
  if (parts.isLimited && !await parts.files.isServed(asked)) {
    return {
      gate: "found",
      reason: isOutside(asked, parts) ? "outside" : "missing",
      by: await nearest(asked, parts),
    };
  }
  const cited = citedLines(asked);
  try {
    return await placeOf(asked, parts);
  } catch (error) {
    if (!isKnown(error)) throw error;
    try {
      if (cited !== undefined) return { ...await placeOf(cited.path, parts), cited };
    } catch (other) {
      if (!isKnown(other)) throw other;
    }
    return {
      gate: "found",
      reason: error.key === "no_permission" ? "outside" : "missing",
      by: await nearest(asked, parts),
    };
  }
}

function isKnown(error: unknown): error is UserError {
  return error instanceof UserError && ["file_not_found", "no_permission"].includes(error.key);
}

function isOutside(asked: string, { folders }: FileParts): boolean {
  return isFullPath(asked) && !folders.some(({ root }) => isInside(resolve(asked), root));
}

async function nearest(asked: string, { folders, files }: FileParts): Promise<GateFacts> {
  const error = await withNearestFiles(
    new UserError("file_not_found", { path: asked }),
    asked,
    folders,
    files,
  );
  const names = error instanceof UserError ? error.params.nearest : undefined;
  return names === undefined ? {} : { nearest: String(names).split("\0") };
}

async function placeOf(asked: string, parts: FileParts): Promise<NamedFile> {
  const { folders, collections } = parts;
  const roots = folders.map(({ root }) => root);
  const { root, relative } = await resolveServed(asked, roots, collections, (path, within) => {
    return Promise.try(() => byName(path, within, folders));
  });
  return { folder: folders.find((folder) => folder.root === root)!, path: relative };
}

/** The place of a path by its text: links are not followed, since a walk does not follow them either. */
function byName(asked: string, roots: readonly string[], folders: readonly ServedFolder[]): Resolved {
  const path = pathOfUrl(asked);
  if (path === "" || isHostilePath(path)) throw new UserError("no_permission", { path: asked });
  const inward = [...roots].sort((a, b) => b.length - a.length);
  const full = isFullPath(path) ? [resolve(path)] : roots.map((root) => join(root, path));
  const places = full.flatMap((real) => {
    const root = inward.find((root) => isInside(real, root));
    return root === undefined ? [] : [{ real, root, relative: toPortable(relativePath(root, real)) }];
  });
  if (places.length === 0) throw new UserError("no_permission", { path: asked });
  const there = places.filter(({ root, relative }) => {
    const folder = folders.find((folder) => folder.root === root)!;
    return isThere(folder, relative);
  });
  const distinct = new Map(there.map((place) => [place.real, place]));
  if (distinct.size > 1) throw new UserError("path_ambiguous", { path: asked });
  const [first] = distinct.values();
  if (first === undefined) throw new UserError("file_not_found", { path: asked });
  return first;
}

/** The path of a `file://` URL, empty for an invalid one; other texts as they are. */
function pathOfUrl(asked: string): string {
  if (!/^file:/i.test(asked)) return asked;
  try {
    return fileURLToPath(asked);
  } catch {
    return "";
  }
}

/** Whether there is such an entry, or the index has it, or an archive may hold it. */
function isThere(folder: ServedFolder, relative: string): boolean {
  using lease = folder.lease();
  if (lease?.index.files.some(({ path }) => path === relative)) return true;
  const exists = (path: string) => {
    try {
      return lookAtSync(folder.pathOf(path)) !== undefined;
    } catch {
      return true;
    }
  };
  return exists(relative) || archivePrefixes(relative).some(exists);
}

/** A file that passed its gates, or that may still be stopped by one if it is not shown. */
export interface PassedFile {
  readonly passed: readonly PassedGate[];
  readonly record: StoredFile;
  /** The index has an old text of it: that is the reason if it is not shown. */
  readonly doubt?: Stop;
  /** The index was made with other settings. */
  readonly keys?: string;
}

/** Takes a file through its gates. `index`: that of its folder, if it can be searched. */
export async function fileGates(
  { folder, path }: NamedFile,
  index: OpenIndex | undefined,
  parts: FileParts,
): Promise<{ readonly stop: Stop; readonly passed: readonly PassedGate[] } | PassedFile> {
  const passed: PassedGate[] = [];
  const record = index?.files.find((file) => file.path === path);
  const stop = parts.isLimited || !folder.isHere
    ? undefined
    : await notFound(folder, path, index, record, parts.config);
  if (stop !== undefined) return { stop, passed };
  passed.push({ gate: "found", by: {} });
  if (index === undefined) {
    const { state } = folder;
    const known = state ?? (folder.problem === undefined ? undefined : "damaged");
    const stop: Stop = known === undefined
      ? { gate: "indexed", reason: "no_index", by: {} }
      : { gate: "indexed", reason: "unusable", by: { state: known } };
    return { stop, passed };
  }
  const { indexedAt } = index.meta;
  if (record === undefined) return { stop: { gate: "indexed", reason: "new", by: { indexedAt } }, passed };
  const { status, reason, detail, format, pages, emptyPages, chunkCount } = record;
  const problem = present({ problem: reason, detail, format });
  if (status !== "indexed") {
    return {
      stop: { gate: "read", reason: status === "failed" ? "failed" : "by_content", by: problem },
      passed,
    };
  }
  passed.push({ gate: "read", by: present({ format, pages, emptyPages }) });
  const isChanged = record.archive === undefined && archivePrefixes(path).length === 0 &&
    await folder.isOutdated(record);
  const doubt: Stop | undefined = isChanged
    ? { gate: "indexed", reason: "changed", by: { indexedAt } }
    : reason !== undefined
    ? { gate: "read", reason: "old_text", by: problem }
    : undefined;
  const keys = parts.isLimited ? undefined : await otherSettings(folder, index, parts);
  passed.push({ gate: "indexed", by: present({ chunks: chunkCount, indexedAt, keys }) });
  return present({ passed, record, doubt, keys });
}

/** The keys of settings with which an index was made otherwise, `version` for one of another version. */
async function otherSettings(
  { root }: ServedFolder,
  index: OpenIndex,
  { config, ownPlaces }: FileParts,
): Promise<string | undefined> {
  const { ingestSettings, settingsChanged, settingsName } = await import("#library/ingest/mod.ts");
  const changed = settingsChanged(index, settingsName(ingestSettings(root, config, ownPlaces)));
  return changed && String(changed.params.keys ?? "version");
}

/** Why a walk does not find a file, or finds that it cannot be read by its type; `undefined` if it finds it. */
async function notFound(
  folder: ServedFolder,
  path: string,
  index: OpenIndex | undefined,
  record: StoredFile | undefined,
  config: Config,
): Promise<Stop | undefined> {
  const { root, options } = folder;
  if (path === "" || isFolder(folder.pathOf(path))) return { gate: "found", reason: "folder", by: {} };
  if (folder.shows?.(path) === false) return { gate: "found", reason: "inner_rules", by: {} };
  // The files of archives are those that the index knows.
  const entriesOf = (archive: string) =>
    (index?.files ?? []).filter((file) => file.path.startsWith(`${archive}/`))
      .map(({ path, size, mtimeMs }) => ({ path: path.slice(archive.length + 1), size, mtimeMs }));
  let found: Found | undefined;
  try {
    const removed = await folder.store.removed.paths();
    for await (const one of walk(root, { ...options, removed, only: PathTree.of([path]), entriesOf })) {
      if (one.path !== path && !path.startsWith(`${one.path}/`)) continue;
      found = one;
      if (one.kind !== "file" || one.path === path) break;
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    found = { kind: "failed", path: "", error };
  }
  const at = found === undefined || found.path === path ? {} : { at: folder.pathOf(found.path) };
  switch (found?.kind) {
    case "file":
      if (found.skip !== undefined) return await skipped(folder, path, found.skip, config, at);
      return found.path === path || record !== undefined
        ? undefined
        : { gate: "indexed", reason: "new", by: at };
    case "skipped":
      return await skipped(folder, path, found.reason, config, at);
    case "failed": {
      const error = fileError(found.error, folder.pathOf(found.path));
      return { gate: "found", reason: "unreadable", by: { ...at, problem: error.key, detail: error.params } };
    }
    default:
      return { gate: "found", reason: record === undefined ? "own" : "gone", by: {} };
  }
}

function isFolder(path: string): boolean {
  try {
    return lookAtSync(path)?.isDirectory === true;
  } catch {
    return false;
  }
}

/** The gate of a reason for which a walk skips a file, with the rule or the setting that decides. */
async function skipped(
  { root, options }: Pick<ServedFolder, "root" | "options">,
  path: string,
  reason: SkipReason,
  config: Config,
  at: GateFacts,
): Promise<Stop> {
  const full = join(root, ...path.split("/"));
  switch (reason) {
    case "ignored": {
      const rule = await ignoringRule(root, path);
      if (rule === undefined) return { gate: "found", reason, by: at };
      const { path: left, ...facts } = rule;
      return {
        gate: "found",
        reason,
        by: { ...at, rule: facts, ...(left !== path && { at: join(root, left) }) },
      };
    }
    case "excluded": {
      const rule = excludingRule(path, options);
      const setting = { key: rule === undefined ? "files.include" : "files.exclude" };
      if (rule === undefined) return { gate: "found", reason: "not_included", by: at, setting };
      return { gate: "found", reason, by: { ...at, rule: { pattern: rule.pattern } }, setting };
    }
    case "too_large": {
      const bytes = lookAtSync(full)?.size;
      const { max_file_mb: value } = folderConfig(config, root).files;
      const needed = bytes === undefined ? undefined : Math.ceil(bytes / 1_000_000);
      return {
        gate: "found",
        reason,
        by: present({ ...at, bytes, mostBytes: options.maxFileBytes }),
        setting: present({ key: "files.max_file_mb", value, needed }),
      };
    }
    case "archive":
      return {
        gate: "found",
        reason,
        by: at,
        setting: { key: "files.archives", value: "skip", needed: "read" },
      };
    case "removed":
    case "hidden":
    case "own":
    case "link":
    case "link_outside":
    case "special":
      return { gate: "found", reason, by: at };
    default: {
      const isPicture = reason === "image" && !options.pictures;
      const setting = isPicture ? { key: "files.ocr", value: "off", needed: "tesseract" } : undefined;
      return present({
        gate: "read" as const,
        reason: "by_type" as const,
        by: { ...at, problem: reason },
        setting,
      });
    }
  }
}
