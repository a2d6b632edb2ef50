import type { StoredFile } from "../index/mod.ts";
import { type Language, message, type MessageKey, MESSAGES } from "../messages.ts";
import type { FileFailure, SkipReason } from "./types.ts";

/** The files of an index that failed, or whose text is that of an earlier run because they did, with their reasons in words. */
export function failuresOf(files: readonly StoredFile[], language: Language): FileFailure[] {
  const failed = files.filter(({ status, reason }) =>
    status === "failed" || status === "indexed" && reason !== undefined
  );
  return failed.map(({ path, reason, detail }) => ({
    path,
    reason: reason !== undefined && reason in MESSAGES
      ? message(language, reason as MessageKey, detail)
      : reason ?? "?",
  }));
}

/** How many files are left out for each reason: those the walk left out and those whose content was looked at. */
export function skippedCounts(
  byName: Readonly<Record<string, number>>,
  files: readonly StoredFile[],
): Partial<Record<SkipReason, number>> {
  const counts: Record<string, number> = { ...byName };
  for (const { status, reason } of files) {
    if (status === "skipped" && reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
