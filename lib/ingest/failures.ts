import { formatByName } from "../document/mod.ts";
import { type FileKind, isUnread, kindsOf, type StoredFile } from "../index/mod.ts";
import { type Language, message, type MessageKey, MESSAGES } from "../messages.ts";
import type { FileFailure, NotRead, PartlyRead, SkipReason } from "./types.ts";
import type { UpdatePlan } from "./update_plan.ts";

/** Lists the files of a folder that were not read, or only in part. `files`: the files of its index. */
export function notRead(
  { skipped, missed }: Pick<UpdatePlan, "skipped" | "missed">,
  files: readonly StoredFile[],
  language: Language,
): NotRead {
  const unread = unreadKinds(missed, files);
  const emptyPages = partlyRead(files);
  return {
    skipped: skippedCounts(skipped, files),
    failed: failuresOf(files, language),
    ...(unread.length > 0 ? { unread } : {}),
    ...(emptyPages.length > 0 ? { emptyPages } : {}),
  };
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

/** Lists the files that failed in the last run, with their reasons. Some of them have the text of an earlier run. */
function failuresOf(files: readonly StoredFile[], language: Language): FileFailure[] {
  return files.filter(isFailure).map((file) => ({ path: file.path, reason: reasonText(file, language) }));
}

function isFailure({ status, reason }: StoredFile): boolean {
  return status === "failed" || status === "indexed" && reason !== undefined;
}

function unreadKinds(missed: UpdatePlan["missed"], files: readonly StoredFile[]): FileKind[] {
  const byName = missed.map((file) => {
    const format = formatByName(file.path);
    return { ...file, ...(format === undefined ? {} : { format }) };
  });
  return kindsOf([...files.filter((file) => isUnread(file) || isFailure(file)), ...byName]);
}

function partlyRead(files: readonly StoredFile[]): PartlyRead[] {
  return files.flatMap(({ path, status, pages = 0, emptyPages = [] }) =>
    status === "indexed" && emptyPages.length > 0 ? [{ path, pages, emptyPages }] : []
  );
}

/** Counts skipped files by reason: those skipped by name, and those skipped by content. */
function skippedCounts(
  byName: Readonly<Record<string, number>>,
  files: readonly StoredFile[],
): Partial<Record<SkipReason, number>> {
  const counts: Record<string, number> = { ...byName };
  for (const { status, reason } of files) {
    if (status === "skipped" && reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
