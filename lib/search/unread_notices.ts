import { type FileKind, isMissed, isUnread, kindsOf, kindText, type StoredFile } from "../index/mod.ts";
import { type Language, message, suggestedCommand } from "../messages.ts";
import type { OpenIndex } from "../store/mod.ts";
import { belowTest } from "./query/mod.ts";
import type { Below } from "./scope.ts";
import type { SearchedFolder } from "./searched_folders.ts";

/** Kinds that a notice tells. */
const KINDS_SHOWN = 5;
const LIST_ALL = "status --files";
/** A document with text on fewer of its pages is a scan for the most part; single empty pages are usual. */
const LEAST_SHARE_OF_TEXT = 0.5;

/**
 * Notices about files that were not read, for searches that find nothing or only weak matches: the answer may be in one of
 * them. These are documents that failed, scans, documents of formats without a loader, and files over the size limit. Files
 * that the user keeps out of the index, media, and texts made for machines hold no answer; they are named only where a
 * folder has nothing else.
 */
export class UnreadNotices {
  readonly #language: Language;
  /** The files of each index that have no text, or little. */
  readonly #files = new WeakMap<OpenIndex, readonly StoredFile[]>();

  constructor(language: Language) {
    this.#language = language;
  }

  /** The notices about folders that were searched. */
  of(searched: readonly SearchedFolder[], below: Below): string[] {
    const isEmpty = ({ folder, index }: SearchedFolder) =>
      !below.has(folder.root) && index.statistics.chunks === 0;
    const others = searched.filter((folder) => !isEmpty(folder));
    return [
      ...searched.filter(isEmpty).map(({ folder, index }) => this.#nothingThere(folder.root, index)),
      ...this.#nothingBelow(searched, below),
      ...this.#unreadIn(others, below),
    ];
  }

  #nothingThere(path: string, index: OpenIndex): string {
    const kinds = [...kindsOf(index.files), ...leftOut(index)].sort((a, b) => b.count - a.count);
    if (kinds.length === 0) return message(this.#language, "folder_is_empty", { path });
    return message(this.#language, "nothing_to_search", {
      path,
      kinds: this.#kindsText(kinds),
      command: suggestedCommand(LIST_ALL, [path]),
    });
  }

  #nothingBelow(searched: readonly SearchedFolder[], below: Below): string[] {
    return searched.flatMap(({ folder, index }) =>
      (below.get(folder.root) ?? []).filter((path) => {
        const isBelow = belowTest([path]);
        return !index.files.some((file) => file.chunkCount > 0 && isBelow(file.path));
      }).map((path) => ({ path: folder.pathOf(path), command: suggestedCommand(LIST_ALL, [folder.root]) }))
    ).map((params) => message(this.#language, "nothing_indexed_below", params));
  }

  #unreadIn(searched: readonly SearchedFolder[], below: Below): string[] {
    const files = searched.flatMap(({ folder, index }) => {
      const isBelow = belowTest(below.get(folder.root));
      return this.#filesOf(index).filter(({ path }) => isBelow(path));
    });
    const unread = kindsOf(files.filter(isUnread));
    // of these the index knows only how many there are
    const whole = searched.filter(({ folder }) => !below.has(folder.root));
    unread.push(...missedIn(whole.map(({ index }) => index)));
    const partly = kindsOf(
      files.filter((file) => !isUnread(file)).map(({ path, format }) => ({
        path,
        reason: "mostly_scanned",
        ...(format === undefined ? {} : { format }),
      })),
    );
    const kinds = [...unread, ...partly];
    if (kinds.length === 0) return [];
    return [
      message(this.#language, partly.length === 0 ? "documents_unread" : "documents_unread_partly", {
        count: sum(kinds.map(({ count }) => count)),
        kinds: this.#kindsText(kinds),
        command: suggestedCommand("status --files --failed", searched.map(({ folder }) => folder.root)),
      }),
    ];
  }

  #filesOf(index: OpenIndex): readonly StoredFile[] {
    let files = this.#files.get(index);
    if (files === undefined) {
      files = index.files.filter((file) => isUnread(file) || isMostlyScanned(file));
      this.#files.set(index, files);
    }
    return files;
  }

  #kindsText(kinds: readonly FileKind[]): string {
    const comma = message(this.#language, "list_comma");
    const texts = kinds.slice(0, KINDS_SHOWN).map((kind) => kindText(kind, this.#language));
    return `${texts.join(comma)}${kinds.length > KINDS_SHOWN ? " …" : ""}`;
  }
}

function isMostlyScanned({ pages, emptyPages }: StoredFile): boolean {
  if (pages === undefined || emptyPages === undefined) return false;
  return emptyPages.length > pages * (1 - LEAST_SHARE_OF_TEXT);
}

function leftOut({ meta }: OpenIndex): FileKind[] {
  return Object.entries(meta.leftOut ?? {}).map(([reason, count]) => ({ reason, count, paths: [] }));
}

/** Files that the walk left out although they may hold an answer, by reason. */
function missedIn(indexes: readonly OpenIndex[]): FileKind[] {
  const counts = new Map<string, number>();
  for (const { reason, count } of indexes.flatMap(leftOut).filter(({ reason }) => isMissed(reason))) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count, paths: [] }));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
