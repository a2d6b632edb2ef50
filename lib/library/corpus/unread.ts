/** The files of an index that were not read, counted by reason and format, and told in words. */
import type { FileRecord } from "#engine/index/types.ts";
import { type Language, message, type MessageKey, MESSAGES, pageList } from "#foundation/messages/mod.ts";

/** Reasons for skipping a file that may contain an answer. */
const UNREAD: ReadonlySet<string> = new Set(["no_text", "no_loader", "too_large"]);
/** Number of example paths for each kind. */
const NAMED = 3;
/** A list of page numbers of more UTF-16 units is replaced by their number. */
const MAX_PAGE_LIST = 40;

/** Files of one format that were not read for one reason. */
export interface FileKind {
  readonly reason: string;
  /** Name of the format that a loader reads; absent for other files. */
  readonly format?: string;
  readonly count: number;
  /** The first paths. */
  readonly paths: readonly string[];
}

/**
 * Returns whether a file may contain an answer but could not be read: it failed, is a scan or too large, or its format has
 * no loader. Files that the user excludes, media, and generated texts do not count.
 */
export function isUnread({ status, reason }: Pick<FileRecord, "status" | "reason">): boolean {
  return status === "failed" || status === "skipped" && reason !== undefined && isMissed(reason);
}

/** Returns whether files that are skipped for this reason count for {@linkcode isUnread}. */
export function isMissed(reason: string): boolean {
  return UNREAD.has(reason);
}

/** Counts files by reason and format, the most frequent kind first. */
export function kindsOf(files: Iterable<Pick<FileRecord, "path" | "reason" | "format">>): FileKind[] {
  const kinds = new Map<string, FileKind & { count: number; readonly paths: string[] }>();
  for (const { path, reason = "other", format } of files) {
    const key = `${reason}\0${format ?? ""}`;
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = { reason, ...(format === undefined ? {} : { format }), count: 0, paths: [] };
      kinds.set(key, kind);
    }
    kind.count++;
    if (kind.paths.length < NAMED) kind.paths.push(path);
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count);
}

/** Returns a number of files of a kind in words: `3 PDFs protected by a password`, `2 archives`. */
export function kindText(
  { reason, format, count }: Omit<FileKind, "paths">,
  language: Language,
): string {
  const skipped = `cli_skip_${reason}`;
  if (isKey(skipped) && !UNREAD.has(reason)) {
    return message(language, "kind_skipped", {
      count,
      what: message(language, skipped, { count }),
    });
  }
  const name = isKey(`format_${format}`) ? `format_${format}` as MessageKey : "format_file";
  const problem = isKey(`unread_${reason}`) ? `unread_${reason}` as MessageKey : "unread_other";
  const what = message(language, name, { count });
  return message(language, "kind_unread", {
    count,
    // In Chinese, a space separates Chinese characters and Latin letters.
    what: language === "zh" && /^\w/.test(what) ? ` ${what}` : what,
    problem: message(language, problem),
  });
}

/** Returns the pages without text of a document with `of` pages, in words: `no text on pages 3–7`. */
export function emptyPagesText(pages: readonly number[], of: number, language: Language): string {
  const list = pageList(pages);
  const count = pages.length;
  return list.length <= MAX_PAGE_LIST
    ? message(language, "pages_without_text", { pages: list, count })
    : message(language, "many_pages_without_text", { count, of });
}

function isKey(name: string): name is MessageKey {
  return Object.hasOwn(MESSAGES, name);
}
