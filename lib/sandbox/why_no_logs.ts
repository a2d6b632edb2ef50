import { join } from "node:path";
import { comparable, isInside } from "./paths.ts";
import { sensitiveReasons } from "./sensitive.ts";

/** Input of {@linkcode whyNoLogs}, as real paths. */
export interface LogPlaceOptions {
  /** The user's home folder, if known. */
  readonly home: string | undefined;
  /** The user's state folder: the program's own, wherever it lies. */
  readonly stateDir: string;
}

/** Places of the system, and of a home folder, that programs do keep their logs below. */
const OF_THE_SYSTEM = ["/var/log", "/var/lib", "/var/cache", "/private/var/log"];
const OF_A_HOME = [".local", ".cache", "Library/Application Support", "AppData/Local"];

/**
 * The place of the system or of keys that a folder lies in which is meant for log files, or null: no other program may take
 * for its settings what is written there. `dir` is a real path; a home folder itself is no place of the system here, even
 * where it is that of root.
 */
export function whyNoLogs(dir: string, { home, stateDir }: LogPlaceOptions): string | null {
  if (isInside(dir, stateDir)) return null;
  const open = [...OF_THE_SYSTEM, ...(home === undefined ? [] : OF_A_HOME.map((name) => join(home, name)))];
  for (const { place } of sensitiveReasons(dir, { home })) {
    const isHome = home !== undefined && comparable(place) === comparable(home);
    const isOpen = open.some((each) =>
      isInside(each, place) && isInside(dir, each) && comparable(dir) !== comparable(each)
    );
    if (!isHome && !isOpen) return place;
  }
  return null;
}
