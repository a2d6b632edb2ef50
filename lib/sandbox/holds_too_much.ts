import { comparable, isInside } from "./paths.ts";
import { sensitiveReason } from "./sensitive.ts";

/**
 * Whether a folder holds too much for it to be opened for what the program itself writes: a drive, a home folder, a folder
 * of the system or of keys as a whole, or one that has any of `others` in it, or is one of them. All are real paths.
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
