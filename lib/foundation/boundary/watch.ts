/**
 * Watching folders for changes: in whatever thread calls it, and on Linux in a thread of its own (`watch_worker.ts`), which may read
 * these folders and do nothing else.
 */
import { relative } from "node:path";
import { mayRead, OS, PROGRAM_ROOT } from "#foundation/runtime.ts";
import { comparable, HOST_STYLE, isInside, isMissing, lookAtSync, pathModule, toPortable } from "./paths.ts";

/** Something that starts watches. */
export interface Watcher extends Disposable {
  readonly watch: StartWatch;
}

/** Watches folders below these roots (real paths), until it is disposed of. */
export function watcherOf(roots: readonly string[]): Watcher {
  return WATCHES_SUBFOLDERS
    ? { watch: (root, options) => Promise.try(watchFolder, root, options), [Symbol.dispose]: () => {} }
    : new WatchThread(roots);
}

/** Starts to watch a folder as {@linkcode watchFolder} does. Rejects with the errors of the system. */
export type StartWatch = (root: string, options: WatchOptions) => Promise<Disposable>;

/** Input of {@linkcode watchFolder}. */
export interface WatchOptions {
  /** Folders to watch, relative to the root (`""`), `/` between their parts. Not needed where {@linkcode WATCHES_SUBFOLDERS}. */
  readonly folders: Iterable<string>;
  /** Called with the relative path of an entry that was changed; `""` for the root, and where events may have been lost. */
  readonly onChange: (path: string) => void;
  /** Called if the watch ends by itself: with the system's error, or without one after too many events. */
  readonly onEnd: (error?: unknown) => void;
}

/**
 * Whether one watch covers all subfolders. Not on Linux: a recursive watch of the runtime follows links there, out of the
 * folder and through whole file systems, so each folder is watched by its name.
 */
export const WATCHES_SUBFOLDERS: boolean = OS !== "linux";

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

/**
 * Time after which a thread that has not begun a watch counts as stuck, in milliseconds, and more time for each folder. On
 * an idle machine the thread starts within 50 ms, and a folder takes 0.05 ms.
 */
const STUCK_MS = 5000;
const FOLDER_MS = 1;

const WORKER = new URL("lib/foundation/boundary/watch_worker.ts", PROGRAM_ROOT);

interface Watch extends Pick<WatchOptions, "onChange" | "onEnd"> {
  /** Settled when the watch has begun. */
  readonly begun: PromiseWithResolvers<void>;
}

/**
 * Watches folders in a thread of its own, which may read them and nothing else. The thread can be stuck in a call of the
 * system, and cannot be ended then. All watches end with `onEnd()`, and `watch` rejects until the call returns.
 */
export class WatchThread implements Watcher {
  readonly #roots: readonly string[];
  readonly #stuckMs: number;
  readonly #module: URL;
  readonly #watches = new Map<number, Watch>();
  #thread: Worker | undefined;
  #isStuck = false;
  #next = 0;

  /** `roots`: real paths of the folders that may be read. `module`: main module of the thread. */
  constructor(roots: readonly string[], { stuckMs = STUCK_MS, module = WORKER } = {}) {
    this.#roots = roots;
    this.#stuckMs = stuckMs;
    this.#module = module;
  }

  readonly watch: StartWatch = async (root, { folders, onChange, onEnd }) => {
    if (this.#isStuck) throw tooFast();
    const id = this.#next++;
    const begun = Promise.withResolvers<void>();
    const list = [...folders];
    this.#watches.set(id, { onChange, onEnd, begun });
    this.#send({ id, root, folders: list });
    const timer = setTimeout(() => this.#giveUp(id), this.#stuckMs + list.length * FOLDER_MS);
    try {
      await begun.promise;
    } catch (error) {
      this.#watches.delete(id);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return { [Symbol.dispose]: () => this.#watches.delete(id) && this.#send({ id }) };
  };

  #send(request: WatchRequest): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(request);
  }

  #start(): Worker {
    const thread = new Worker(this.#module, {
      type: "module",
      name: "watch",
      deno: { permissions: mayRead(this.#roots) },
    });
    thread.onmessage = ({ data }: MessageEvent<WatchReport>) => this.#receive(data);
    thread.onerror = (event) => {
      event.preventDefault();
      this.#thread = undefined;
      this.#isStuck = false;
      this.#endAll(new Error(event.message));
    };
    return thread;
  }

  #receive(report: WatchReport): void {
    this.#isStuck = false;
    const watch = this.#watches.get(report.id);
    if (watch === undefined) {
      if ("begun" in report) this.#send({ id: report.id });
    } else if ("begun" in report) watch.begun.resolve();
    else if ("refused" in report) watch.begun.reject(new Error(report.refused));
    else if ("changed" in report) report.changed.forEach(watch.onChange);
    else {
      this.#watches.delete(report.id);
      watch.onEnd(report.ended === undefined ? undefined : new Error(report.ended));
    }
  }

  #giveUp(id: number): void {
    this.#isStuck = true;
    this.#watches.get(id)?.begun.reject(tooFast());
    this.#watches.delete(id);
    this.#endAll();
  }

  #endAll(error?: Error): void {
    const watches = [...this.#watches.entries()];
    this.#watches.clear();
    for (const [id, { begun, onEnd }] of watches) {
      this.#thread?.postMessage({ id } satisfies WatchRequest);
      // Has no effect on a watch that has begun.
      begun.reject(error ?? tooFast());
      onEnd(error);
    }
  }

  [Symbol.dispose](): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    for (const { begun } of this.#watches.values()) begun.reject(tooFast());
    this.#watches.clear();
  }
}

function tooFast(): Error {
  return new Error("the files change too fast");
}
