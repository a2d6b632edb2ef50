import { join } from "node:path";
import { type Found, walk, type WalkOptions } from "../corpus/mod.ts";
import { isMissed, type StoredFile } from "../index/mod.ts";
import { openInside } from "../sandbox/mod.ts";
import { withoutChunks } from "./read_document.ts";
import type { SkipReason } from "./types.ts";

/** A file of the folder and what the index knew of it. */
export interface PlannedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs?: number;
  /** Number in the previous index. */
  readonly known?: number;
  /** True if size and times are as they were, or if it cannot be read now: what is known of it stays. */
  readonly unchanged: boolean;
  /** Why it cannot be looked at, if the previous index does not say so already. */
  readonly problem?: unknown;
}

/** The work of an indexing run. */
export interface Plan {
  /** In the order of their paths. */
  readonly files: readonly PlannedFile[];
  /** Files of the previous index that are gone, or left out now. */
  readonly removed: readonly StoredFile[];
  /** Left out by name or place. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Those among them that may hold what somebody looks for, see {@linkcode isMissed}. */
  readonly missed: readonly { readonly path: string; readonly reason: SkipReason }[];
  /** Folders, and files without a stat, that could not be looked at. */
  readonly unreadable: readonly Unreadable[];
  /** Bytes to read at most. */
  readonly bytes: number;
}

/** A path that could not be looked at, and why. `known`: the run before could not either. */
interface Unreadable {
  readonly path: string;
  readonly error: unknown;
  readonly known: boolean;
}

/** Reasons that can go away without a trace in a file's size and time: every run looks whether they have. */
const PASSING = new Set(["no_permission", "file_not_found", "file_unreadable", "extractor_unavailable"]);

/** How {@linkcode makePlan} compares. */
export interface PlanOptions extends WalkOptions {
  /**
   * Whether sizes, times and texts of the previous index are believed without a look at the file; else every file is read,
   * and nothing stays of one that cannot be. Default: true.
   */
  readonly believed?: boolean;
}

const NO_STAT = { size: 0, mtimeMs: 0 };

/** Compares the folder with the files of the previous index, by path, size and times. */
export async function makePlan(
  root: string,
  { believed = true, ...options }: PlanOptions,
  previous: readonly StoredFile[],
  onFound: (found: Found) => Promise<void>,
): Promise<Plan> {
  const known = new Map(previous.map((file, i) => [file.path, i]));
  const files: PlannedFile[] = [];
  const skipped: Partial<Record<SkipReason, number>> = {};
  const missed: { path: string; reason: SkipReason }[] = [];
  const unreadable: (Unreadable & { leftOut?: boolean })[] = [];
  for await (const found of walk(root, options)) {
    await onFound(found);
    if (found.kind === "skipped") {
      skipped[found.reason] = (skipped[found.reason] ?? 0) + 1;
      if (isMissed(found.reason)) missed.push({ path: found.path, reason: found.reason });
    } else if (found.kind === "failed") {
      const { path, error, leftOut = false } = found;
      const index = known.get(path);
      const old = index === undefined ? undefined : previous[index]!;
      if (believed && old?.status === "indexed" && !leftOut) {
        const { size, mtimeMs } = old;
        const problem = old.reason === undefined ? { problem: error } : {};
        files.push({ path, size, mtimeMs, known: index!, unchanged: true, ...problem });
      } else {
        const isKnown = believed && old?.status === "failed" &&
          old.reason === withoutChunks(path, NO_STAT, error).reason;
        unreadable.push({ path, error, known: isKnown, leftOut });
      }
      if (old?.status === "failed" || !leftOut && old?.status === "indexed") known.delete(path);
    } else {
      const { path, size, mtimeMs, ctimeMs } = found;
      const index = known.get(path);
      const old = index === undefined ? undefined : previous[index]!;
      known.delete(path);
      if (believed && old !== undefined && isPassing(old) && !await canOpen(join(root, ...path.split("/")))) {
        files.push({ path, size: old.size, mtimeMs: old.mtimeMs, known: index!, unchanged: true });
        continue;
      }
      files.push({
        path,
        size,
        mtimeMs,
        ...(ctimeMs === undefined ? {} : { ctimeMs }),
        ...(index === undefined ? {} : { known: index }),
        unchanged: believed && old !== undefined && isAsItWas(found, old) && !isPassing(old),
      });
    }
  }
  // what lies in a folder that cannot be read just now is not gone
  const closed = new Set(believed ? unreadable.flatMap(({ path, leftOut }) => leftOut ? [] : path) : []);
  for (const [path, index] of known) {
    if (!isBelow(path, closed)) continue;
    const { size, mtimeMs } = previous[index]!;
    files.push({ path, size, mtimeMs, known: index, unchanged: true });
    known.delete(path);
  }
  files.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return {
    files,
    removed: [...known.values()].map((index) => previous[index]!),
    skipped,
    missed,
    unreadable,
    bytes: files.reduce((sum, file) => sum + (file.unchanged ? 0 : file.size), 0),
  };
}

/** Whether a path lies in one of the folders. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    if (folders.has(path.slice(0, slash))) return true;
  }
  return false;
}

/**
 * Whether a file has the size and times that the index knows. The change time shows a content that was exchanged for another
 * of the same size and time; rights, names and copying change it as well: a file is read again then, but no text is embedded
 * again. Inode numbers say no more, and on network drives may change by themselves.
 */
export function isAsItWas(
  now: Pick<StoredFile, "size" | "mtimeMs" | "ctimeMs">,
  old: Pick<StoredFile, "size" | "mtimeMs" | "ctimeMs">,
): boolean {
  const isSame = now.ctimeMs === undefined || old.ctimeMs === undefined || now.ctimeMs === old.ctimeMs;
  return now.size === old.size && now.mtimeMs === old.mtimeMs && isSame;
}

function isPassing({ reason }: StoredFile): boolean {
  return reason !== undefined && PASSING.has(reason);
}

async function canOpen(real: string): Promise<boolean> {
  try {
    (await openInside({ real })).close();
    return true;
  } catch {
    return false;
  }
}
