import { PROGRAM_ROOT } from "#foundation/program_root.ts";
import {
  WATCHES_SUBFOLDERS,
  watchFolder,
  type WatchOptions,
  type WatchReport,
  type WatchRequest,
} from "./watch_folder.ts";

/** Starts to watch a folder as {@linkcode watchFolder} does. Rejects with the errors of the system. */
export type StartWatch = (root: string, options: WatchOptions) => Promise<Disposable>;

/**
 * Time after which a thread that has not begun a watch counts as stuck, in milliseconds, and more time for each folder. On
 * an idle machine the thread starts within 50 ms, and a folder takes 0.05 ms.
 */
const STUCK_MS = 5000;
const FOLDER_MS = 1;

const WORKER = new URL("lib/foundation/boundary/watch_worker.ts", PROGRAM_ROOT);

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
      deno: {
        permissions: {
          ...{ write: false, net: false, env: false, run: false, ffi: false, sys: false, import: false },
          read: [...this.#roots],
        },
      },
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
