/**
 * Watching folders for changes, in whatever thread calls it,
 * and the messages of the thread that does it on Linux (`watch_thread.ts`, `watch_worker.ts`).
 */
import { relative } from "node:path";
import { isMissing, lookAtSync } from "./look.ts";
import { comparable, HOST_STYLE, isInside, pathModule, toPortable } from "./paths.ts";

/**
 * Whether one watch covers all subfolders. Not on Linux: a recursive watch of the runtime follows links there, out of the
 * folder and through whole file systems, so each folder is watched by its name.
 */
export const WATCHES_SUBFOLDERS: boolean = Deno.build.os !== "linux";

/** How often a watch is tried while folders disappear. */
const ATTEMPTS = 3;

/**
 * Events within {@linkcode SPAN_MS} after which a folder is not watched any more. A program that renames files all the time
 * makes them faster than they can be read.
 */
const MOST_EVENTS = 1000;
const SPAN_MS = 2000;

/**
 * Length of the runtime's queue of events (denoland/deno#11373). It drops events without a word while the queue is full. So
 * many events within {@linkcode BURST_MS} may have filled it.
 */
const QUEUE = 16;
const BURST_MS = 250;

/** Input of {@linkcode watchFolder}. */
export interface WatchOptions {
  /**
   * Folders to watch, relative to the root (`""`), `/` between their parts. Not needed where {@linkcode WATCHES_SUBFOLDERS}.
   */
  readonly folders: Iterable<string>;
  /** Called with the relative path of an entry that was changed; `""` for the root, and where events may have been lost. */
  readonly onChange: (path: string) => void;
  /** Called if the watch ends by itself: with the system's error, or without one after too many events. */
  readonly onEnd: (error?: unknown) => void;
}

/**
 * Reports changes below the folder `root` (a real path) until it is disposed of. Links are not followed, and paths outside
 * of the root are not reported. An event is only a hint: the file has to be looked at. Throws the errors of the system, such
 * as a limit of watched folders.
 *
 * On Linux the call does not return while another program changes files in the folders without a pause:
 * {@linkcode WatchThread} makes it in a thread of its own.
 *
 * A folder that another process exchanges for a link at the moment of the call may be watched at the link's target. Its
 * events have paths below `root`, and say no more than that something has changed.
 */
export function watchFolder(root: string, { folders, onChange, onEnd }: WatchOptions): Disposable {
  const watcher = WATCHES_SUBFOLDERS
    ? Deno.watchFs(root, { recursive: true })
    : watchEach(root, [...folders].map((folder) => pathModule(HOST_STYLE).join(root, folder)));
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    watcher.close();
  };
  const report = async () => {
    let count = 0;
    let since = performance.now();
    /** Times of the events before, in a ring. */
    const times = new Array<number>(QUEUE - 1).fill(-Infinity);
    let next = 0;
    for await (const { kind, paths, flag } of watcher) {
      if (isClosed) return;
      const now = performance.now();
      if (now - since > SPAN_MS) [count, since] = [0, now];
      if (++count > MOST_EVENTS) {
        close();
        return onEnd();
      }
      const isBurst = now - times[next]! < BURST_MS;
      times[next] = now;
      next = (next + 1) % times.length;
      if (isBurst || flag === "rescan") onChange("");
      if (kind === "access") continue;
      for (const path of paths) if (isInside(path, root)) onChange(toPortable(relative(root, path)));
    }
  };
  report().catch((error) => isClosed || onEnd(error));
  return { [Symbol.dispose]: close };
}

function watchEach(root: string, folders: readonly string[]): Deno.FsWatcher {
  for (let attempt = 1;; attempt++) {
    try {
      return Deno.watchFs([root, ...folders.filter(isRealFolder)], { recursive: false });
    } catch (error) {
      if (!isMissing(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function isRealFolder(path: string): boolean {
  try {
    return lookAtSync(path)?.isDirectory === true && comparable(Deno.realPathSync(path)) === comparable(path);
  } catch {
    return false;
  }
}

/** A request to the thread that watches: watch these folders of a root under a number, or end the watch with that number. */
export type WatchRequest =
  | { readonly id: number; readonly root: string; readonly folders: readonly string[] }
  | { readonly id: number; readonly root?: undefined };

/**
 * A message of the thread that watches: the watch has begun, or could not begin; paths that were changed; the watch has
 * ended, with the system's error or after too many events.
 */
export type WatchReport =
  & { readonly id: number }
  & (
    | { readonly begun: true }
    | { readonly refused: string }
    | { readonly changed: readonly string[] }
    | { readonly ended: string | undefined }
  );
