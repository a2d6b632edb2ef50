/** The state of an index beside its folder: files, reasons, and what is out of date. */
import { join } from "node:path";
import type { Config } from "#foundation/configuration/mod.ts";
import { type Language, message, type MessageKey, MESSAGES, phraseText } from "#foundation/messages/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { type FileKind, isUnread, kindsOf } from "#library/corpus/mod.ts";
import { hasFilesHere, type OpenIndex, openStore, type Store, type StoreAccess } from "#library/store/mod.ts";
import {
  damageOf,
  isSameContent,
  reasonFor,
  type RebuildReason,
  settingsChanged,
  settingsName,
  storeSettings,
} from "./settings.ts";
import {
  type FolderStatus,
  type IngestContext,
  type NotRead,
  recognitionOf,
  type SkipReason,
} from "./types.ts";
import { hasSameStat, isFailure, type PlannedFile, planUpdate, type UpdatePlan } from "./update_plan.ts";
import { formatByName } from "#documents/mod.ts";
import { present } from "#foundation/present.ts";
import { lookAtSync } from "#foundation/boundary/mod.ts";
import { withoutChunks } from "./read_file.ts";

/** Reports on the index of `root` (a real path), its failures, and how the folder differs from it now. Writes nothing. */
export async function folderStatus(
  root: string,
  config: Config,
  context: StoreAccess & Pick<IngestContext, "ownPlaces">,
): Promise<FolderStatus> {
  const { unusable, index: opened, busy, lacking = [] } = await openForReport(root, config, context);
  if (opened === undefined) return unusable;
  using index = opened;
  const damage = await damageOf(index);
  if (damage !== undefined) {
    return { root, state: "damaged", detail: message(config.language, damage.key, damage.params), busy };
  }
  const store = openStore(config, root, context);
  const { plan, other, stale } = await compareWithFolder(index, store, config, context.ownPlaces);
  const { statistics, vectors } = index;
  return present({
    root,
    state: "ready" as const,
    detail: other && message(config.language, other.key, other.params),
    lacking: lacking.length > 0 ? lacking.map((phrase) => phraseText(config.language, phrase)) : undefined,
    indexedAt: new Date(index.meta.indexedAt),
    files: index.files.filter(({ status }) => status === "indexed").length,
    chunks: statistics.chunks,
    terms: statistics.terms,
    model: vectors?.model,
    dimensions: vectors?.dimensions,
    textBytes: statistics.textBytes,
    indexBytes: statistics.bytes,
    recognition: recognitionOf(index.files),
    ...notRead(plan, index.files, config.language),
    // the files of a part that is missing are not new
    stale: lacking.length > 0 ? undefined : stale,
    ...placeOf(store),
    filesElsewhere: stale === undefined ? true as const : undefined,
    busy,
  });
}

/** Opens the index of a folder for a report, which is `unusable` if there is none that can be searched. */
export async function openForReport(root: string, config: Config, context: StoreAccess) {
  const store = openStore(config, root, context);
  const busy = await store.isLocked();
  const loaded = await store.open();
  if (loaded.state === "ready") return { index: loaded.index, lacking: loaded.lacking, busy };
  if (loaded.state === "missing") {
    return { unusable: { root, state: loaded.state, ...placeOf(store), busy }, busy };
  }
  const { key, params } = reasonFor(loaded.state, loaded.problem);
  return {
    unusable: { root, state: loaded.state, detail: message(config.language, key, params), busy },
    busy,
  };
}

/** The place of an index for a report, unless it is the folder's own. */
export function placeOf({ isShared, location }: Store): Pick<FolderStatus, "store"> {
  return isShared === true ? { store: location } : {};
}

type Stale = NonNullable<FolderStatus["stale"]>;

/** How an index differs from its folder and from the configuration. */
interface Comparison {
  readonly plan: Pick<UpdatePlan, "skipped" | "missed">;
  /** Set if it was made with other settings than those of the configuration. The next run rebuilds it. */
  readonly other: RebuildReason | undefined;
  /** Files that the next run reads or removes; absent where the files are on another machine. */
  readonly stale: Stale | undefined;
}

/** Of a folder that is on another machine. */
const NO_FILES = { skipped: {}, missed: [] };

/** Compares an open index with the folder of its store by sizes and times of the files, and with the settings. */
export async function compareWithFolder(
  index: OpenIndex,
  store: Store,
  config: Config,
  ownPlaces: IngestContext["ownPlaces"],
): Promise<Comparison> {
  const settings = await storeSettings(store, config, ownPlaces);
  const other = settingsChanged(index, settingsName(settings));
  if (!hasFilesHere(store)) return { plan: NO_FILES, other, stale: undefined };
  const plan = await planUpdate(store.root, settings.walk, index.files);
  const stale = staleOf(plan, index.files);
  // An index with other settings is rebuilt by the next run, so every file counts as changed.
  const all = plan.files.filter((file) => file.known !== undefined).length;
  return { plan, other, stale: other === undefined ? stale : { ...stale, changed: all } };
}

/** Counts the files that an update of an index with the same settings would find changed. */
export function staleOf({ files, removed }: UpdatePlan, known: readonly StoredFile[]): Stale {
  const touched = files.filter(({ unchanged }) => !unchanged);
  return {
    new: touched.filter((file) => file.known === undefined).length,
    // every run tries failed files again; that alone does not make an index stale
    changed: touched.filter((file) => {
      const old = file.known === undefined ? undefined : known[file.known];
      return old !== undefined && !hasSameStat(file, old);
    }).length,
    removed: removed.filter(({ status }) => status === "indexed").length,
  };
}

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
  /** The same for pictures inside of it, and the number of those beyond the limit for a file. */
  readonly unrecognisedImages?: readonly {
    readonly image: number;
    readonly reason: string;
    readonly detail: string;
  }[];
  readonly leftImages?: number;
  /** When reading the file or recognising its text failed, ISO 8601. */
  readonly failedAt?: string;
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
 * that cannot be used counts as missing. Takes time linear in the number of files. `indexedAt`: absent without an index. `errors`: the
 * failures that are known with their time, the latest first.
 */
export async function folderFiles(
  root: string,
  config: Config,
  context: StoreAccess & Pick<IngestContext, "ownPlaces">,
): Promise<{ indexedAt?: Date; files: readonly ListedFile[]; errors: readonly FileError[] }> {
  const store = openStore(config, root, context);
  const loaded = await store.open();
  using index = loaded.state === "ready" ? loaded.index : undefined;
  const known = index?.files ?? [];
  const settings = await storeSettings(store, config, context.ownPlaces);
  const isCurrent = index === undefined || isSameContent(index.meta.settings, settingsName(settings));
  const { language } = config;

  if (!hasFilesHere(store)) return listing(known.map((old) => knownFile(old, old.status)));
  const listed = new Map<string, ListedFile>();
  const add = (file: ListedFile) => listed.set(file.path, file);
  const plan = await planUpdate(root, settings.walk, known, {
    onSkipped: ({ path, reason }) => void add(skippedFile(root, path, reason)),
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
  return listing([...listed.values()]);

  function listing(all: readonly ListedFile[]) {
    const files = all.toSorted((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
    return {
      ...(index && { indexedAt: new Date(index.meta.indexedAt) }),
      files,
      errors: files.flatMap((file) => errorOf(file) ?? [])
        .sort((a, b) => a.time > b.time ? -1 : a.time < b.time ? 1 : 0),
    };
  }

  function skippedFile(root: string, path: string, reason: string): ListedFile {
    const info = lookAt(join(root, ...path.split("/")));
    return present({
      path: info?.isDirectory ? `${path}/` : path,
      state: "skipped" as const,
      reason,
      detail: reasonText({ reason }, language),
      unread: isUnread({ status: "skipped", reason }),
      format: info?.isDirectory ? undefined : formatByName(path),
      chunks: 0,
      size: info?.isFile ? info.size : undefined,
      modified: info?.isFile ? info.mtime?.toISOString() : undefined,
    });
  }

  function knownFile(old: StoredFile, state: FileState, size = old.size): ListedFile {
    const { path, status, reason, format, pages, emptyPages, chunkCount, mtimeMs, sha256, failedMs } = old;
    const withDetail = (reason: string) => ({
      reason,
      detail: reasonText({ reason: `recognition_${reason}` }, language),
    });
    const unrecognised = old.unrecognised?.map(([page, reason]) => ({ page, ...withDetail(reason) }));
    const unrecognisedImages = old.unrecognisedImages?.map(([image, reason]) => ({
      image,
      ...withDetail(reason),
    }));
    return present({
      path,
      state,
      reason,
      detail: reason === undefined ? undefined : reasonText(old, language),
      unread: isUnread(present({ status, reason })),
      format,
      pages,
      emptyPages,
      chunks: chunkCount,
      size,
      // The record of a folder that cannot be listed has no time.
      modified: mtimeMs > 0 ? new Date(mtimeMs).toISOString() : undefined,
      sha256: sha256 || undefined,
      recognition: old.recognition ?? (unrecognised && "failed" as const),
      unrecognised,
      unrecognisedImages,
      leftImages: old.leftImages,
      failedAt: failedMs === undefined ? undefined : new Date(failedMs).toISOString(),
    });
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
  const modified = new Date(mtimeMs).toISOString();
  const facts = { path, state: "new" as const, unread: false, format: formatByName(path) };
  return present({ ...facts, chunks: 0, size, modified });
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

/** Lists the files of a folder that were not read, or only in part. `files`: the files of its index. */
export function notRead(
  { skipped, missed }: Pick<UpdatePlan, "skipped" | "missed">,
  files: readonly StoredFile[],
  language: Language,
): NotRead {
  const unread = unreadKinds(missed, files);
  const emptyPages = files.filter((file) => file.status === "indexed" && file.emptyPages?.length)
    .map(({ path, pages = 0, emptyPages = [] }) => ({ path, pages, emptyPages }));
  return present({
    skipped: skippedCounts(skipped, files),
    // Some of them have the text of an earlier run.
    failed: files.filter(isFailure).map((file) => ({ path: file.path, reason: reasonText(file, language) })),
    unread: unread.length > 0 ? unread : undefined,
    emptyPages: emptyPages.length > 0 ? emptyPages : undefined,
  });
}

/** Returns the reason of a file's state in the user's language. */
export function reasonText(
  { reason, detail }: Pick<StoredFile, "reason" | "detail">,
  language: Language,
): string {
  for (const name of [reason, `cli_skip_${reason}`]) {
    if (name !== undefined && Object.hasOwn(MESSAGES, name)) {
      return message(language, name as MessageKey, { count: 1, ...detail });
    }
  }
  return reason ?? "?";
}

function unreadKinds(missed: UpdatePlan["missed"], files: readonly StoredFile[]): FileKind[] {
  const byName = missed.map((file) => present({ ...file, format: formatByName(file.path) }));
  return kindsOf([...files.filter((file) => isUnread(file) || isFailure(file)), ...byName]);
}

/** Counts skipped files by reason: those skipped by name, and those skipped by content. */
function skippedCounts(
  byName: Readonly<Record<string, number>>,
  files: readonly StoredFile[],
): Partial<Record<SkipReason, number>> {
  const counts: Record<string, number> = { ...byName };
  for (const { status, reason } of files) {
    if (status === "skipped" && reason !== undefined && reason !== "opened") {
      counts[reason] = (counts[reason] ?? 0) + 1;
    }
  }
  return counts;
}
