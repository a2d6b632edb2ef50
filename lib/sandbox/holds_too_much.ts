import { comparable, isInside } from "./paths.ts";
import { sensitiveReason } from "./sensitive.ts";

/**
 * Returns whether a folder is too large for write permission: a drive, a home folder, a whole system or key folder, or a
 * folder that contains or is one of `others`. All paths are real paths.
 */
export function holdsTooMuch(
  folder: string,
  others: readonly string[],
  home: string | undefined,
): boolean {
  const reason = sensitiveReason(folder, { home });
  if (reason !== null && (reason.scope === "exact" || comparable(reason.place) === comparable(folder))) {
    return true;
  }
  return [...others, ...(home === undefined ? [] : [home])].some((other) => isInside(other, folder));
}
