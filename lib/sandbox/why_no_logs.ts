import { join } from "node:path";
import { comparable, isInside } from "./paths.ts";
import { sensitiveReasons } from "./sensitive.ts";

/** Input of {@linkcode whyNoLogs}. All paths are real paths. */
export interface LogPlaceOptions {
  /** The user's home folder, if known. */
  readonly home: string | undefined;
  /** The program's state folder, which is always allowed. */
  readonly stateDir: string;
}

/** Places of the system and of a home folder where programs usually keep logs. */
const OF_THE_SYSTEM = ["/var/log", "/var/lib", "/var/cache", "/private/var/log"];
const OF_A_HOME = [".local", ".cache", "Library/Application Support", "AppData/Local"];

/**
 * The system folder or place of keys that contains the log folder `dir` (a real path) and makes it unsuitable; null if it is
 * suitable. Another program could read a log file in such a place as its settings. A home folder, also that of root, is not
 * such a place itself.
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
