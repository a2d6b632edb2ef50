import { join } from "node:path";
import type { Config } from "../config/mod.ts";
import { formatByName } from "../document/mod.ts";
import { isUnread, type StoredFile } from "../index/mod.ts";
import { lookAtSync } from "../sandbox/mod.ts";
import { folderStore } from "../store/mod.ts";
import { reasonText } from "./failures.ts";
import { withoutChunks } from "./read_document.ts";
import { ingestSettings, isSameContent, settingsName } from "./settings.ts";
import type { IngestContext } from "./types.ts";
import { hasSameStat, type PlannedFile, planUpdate } from "./update_plan.ts";

/** State of a file: the result of the last run, or the change that the next run would find. */
export type FileState = "indexed" | "skipped" | "failed" | "new" | "changed" | "removed";

/** A file of a folder, or a folder that is skipped as a whole. */
export interface ListedFile {
  /** Relative to the folder, `/` between its parts. The path of a folder ends with `/`. */
  readonly path: string;
  readonly state: FileState;
  /** Name of the reason, and its text in the user's language. */
  readonly reason?: string;
  readonly detail?: string;
  /** Whether it may hold an answer, but could not be read: see {@linkcode isUnread}. */
  readonly unread: boolean;
  /** Name of the document format; absent for plain text and markup. */
  readonly format?: string;
  readonly pages?: number;
  readonly emptyPages?: readonly number[];
  /** Chunks in the index. */
  readonly chunks: number;
  /** In bytes; absent for folders, and where the size is not known. */
  readonly size?: number;
  /** When the file was modified, ISO 8601; absent where it is not known. */
  readonly modified?: string;
  /** SHA-256 of the content that the index knows, in hexadecimal. */
  readonly sha256?: string;
  /** `pending`: text is still to be recognised in its scans. `failed`: it could not be recognised in some of them. */
  readonly recognition?: "pending" | "failed";
  /** The pages whose text could not be recognised, and why. */
  readonly unrecognised?: readonly {
    readonly page: number;
    readonly reason: string;
    readonly detail: string;
  }[];
  /** When reading the file or recognising its text failed, ISO 8601. */
  readonly failedAt?: string;
}

/** The files of a folder. */
export interface FolderFiles {
  /** When the index was written; absent without one. */
  readonly indexedAt?: Date;
  readonly files: readonly ListedFile[];
  /** The failures that are known with their time, the latest first. */
  readonly errors: readonly FileError[];
}

/** A failure to read a file or to recognise its text. */
export interface FileError {
  readonly path: string;
  /** ISO 8601. */
  readonly time: string;
  /** In the user's language. */
  readonly text: string;
}

/**
 * Lists every file of `root` (a real path) in the order of the paths, with its state in the index. Writes nothing. An index
 * that cannot be used counts as missing. Takes time linear in the number of files.
 */
export async function folderFiles(
  root: string,
  config: Config,
  { indexKey, indexDirs, ownPlaces }: Pick<IngestContext, "indexKey" | "indexDirs" | "ownPlaces">,
): Promise<FolderFiles> {
  const loaded = await folderStore(root, indexKey, indexDirs).open();
  using index = loaded.state === "ready" ? loaded.index : undefined;
  const known = index?.files ?? [];
  const settings = ingestSettings(root, config, ownPlaces);
  const isCurrent = index === undefined || isSameContent(index.meta.settings, settingsName(settings));
  const { language } = config;

  const listed = new Map<string, ListedFile>();
  const add = (file: ListedFile) => listed.set(file.path, file);
  const plan = await planUpdate(root, settings.walk, known, (found) => {
    if (found.kind === "skipped") add(skippedFile(root, found.path, found.reason));
    return Promise.resolve();
  });
  for (const file of plan.files) {
    const old = file.known === undefined ? undefined : known[file.known]!;
    add(old === undefined ? newFile(file) : knownFile(old, stateOf(file, old, isCurrent), file.size));
  }
  for (const { path, error } of plan.unreadable) {
    const record = { ...withoutChunks(path, { size: 0, mtimeMs: 0 }, error), firstChunk: 0, chunkCount: 0 };
    const { size: _, ...rest } = knownFile(record, "failed");
    add(rest);
  }
  for (const old of plan.removed) {
    // an indexed file that is skipped now is listed as skipped
    if (old.status === "indexed" && !listed.has(old.path)) add(knownFile(old, "removed"));
  }
  const files = [...listed.values()].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return {
    ...(index === undefined ? {} : { indexedAt: new Date(index.meta.indexedAt) }),
    files,
    errors: files.flatMap((file) => errorOf(file) ?? [])
      .sort((a, b) => a.time > b.time ? -1 : a.time < b.time ? 1 : 0),
  };

  function skippedFile(root: string, path: string, reason: string): ListedFile {
    const info = lookAt(join(root, ...path.split("/")));
    const format = formatByName(path);
    return {
      path: info?.isDirectory ? `${path}/` : path,
      state: "skipped",
      reason,
      detail: reasonText({ reason }, language),
      unread: isUnread({ status: "skipped", reason }),
      ...(format === undefined || info?.isDirectory ? {} : { format }),
      chunks: 0,
      ...(info?.isFile ? { size: info.size } : {}),
      ...(info?.isFile && info.mtime ? { modified: info.mtime.toISOString() } : {}),
    };
  }

  function knownFile(old: StoredFile, state: FileState, size = old.size): ListedFile {
    const { path, status, reason, format, pages, emptyPages, chunkCount, mtimeMs, sha256, failedMs } = old;
    const unrecognised = old.unrecognised?.map(([page, reason]) => ({
      page,
      reason,
      detail: reasonText({ reason: `recognition_${reason}` }, language),
    }));
    const recognition = old.recognition ?? (unrecognised === undefined ? undefined : "failed");
    return {
      path,
      state,
      ...(reason === undefined ? {} : { reason, detail: reasonText(old, language) }),
      unread: isUnread({ status, ...(reason === undefined ? {} : { reason }) }),
      ...(format === undefined ? {} : { format }),
      ...(pages === undefined ? {} : { pages }),
      ...(emptyPages === undefined ? {} : { emptyPages }),
      chunks: chunkCount,
      size,
      // The record of a folder that cannot be listed has no time.
      ...(mtimeMs > 0 ? { modified: new Date(mtimeMs).toISOString() } : {}),
      ...(sha256 === "" ? {} : { sha256 }),
      ...(recognition === undefined ? {} : { recognition }),
      ...(unrecognised === undefined ? {} : { unrecognised }),
      ...(failedMs === undefined ? {} : { failedAt: new Date(failedMs).toISOString() }),
    };
  }
}

function errorOf(
  { path, failedAt: time, detail = "", unrecognised = [] }: ListedFile,
): FileError | undefined {
  if (time === undefined) return undefined;
  const pages = unrecognised.map(({ detail }) => detail);
  return { path, time, text: [...new Set(pages.length > 0 ? pages : [detail])].join("; ") };
}

function newFile({ path, size, mtimeMs }: PlannedFile): ListedFile {
  const format = formatByName(path);
  return {
    path,
    state: "new",
    unread: false,
    ...(format === undefined ? {} : { format }),
    chunks: 0,
    size,
    modified: new Date(mtimeMs).toISOString(),
  };
}

/** An index with other settings is rebuilt by the next run, so its files count as changed. */
function stateOf(file: PlannedFile, old: StoredFile, isCurrent: boolean): FileState {
  const isSame = file.unchanged || hasSameStat(file, old);
  return isSame && (isCurrent || old.status !== "indexed") ? old.status : "changed";
}

function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return lookAtSync(path);
  } catch {
    return undefined;
  }
}
