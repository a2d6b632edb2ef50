import { UserError } from "../../../errors.ts";
import { recognisePending } from "../../../ingest/mod.ts";
import { folderStore, type IndexStore } from "../../../store/mod.ts";
import { warn } from "../../context.ts";
import { printableErrorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { CLOCK, type Clock } from "./clock.ts";

/** Time between two looks whether an index has changed, in milliseconds. */
const LOOK_MS = 1000;
/** Time until a folder is tried again whose scans another process recognises, in milliseconds. */
const BUSY_MS = 10_000;
/** Time until a folder is tried again whose scans could not be recognised, in milliseconds. */
const FAILED_MS = 60_000;
/** Time between two updates of an index with new texts, in milliseconds. */
const UPDATE_MS = 15_000;
/** Time to wait while searches are answered, in milliseconds. They need the processor more. */
const YIELD_MS = 20;
/** Time that the work may take to stop when the server ends, in milliseconds. What was recognised is on the disk. */
const GRACE_MS = 300;

/** The parts of the server that the work uses. */
export interface RecognitionHost {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** Makes an update look at files of a folder soon. `paths`: relative to it. */
  readonly takeUp: (root: string, paths: ReadonlySet<string>) => void;
}

/** A folder whose scans are recognised. */
interface ScannedFolder {
  readonly store: IndexStore;
  /** The version of the index in which no scan waits, or none that can be read. */
  complete: string | undefined;
  /** Time before which the folder is left alone. */
  notBefore: number;
  /** Files with new texts that no update has been told of, and the time when one was. */
  done: Set<string>;
  toldAt: number;
  /** The key of the last error, which is not reported twice. */
  problem: string | undefined;
}

/**
 * Recognises the text of scans for the folders of a server, one after another, whenever an index has changed. Disposing of
 * it stops the work; the next start goes on with it.
 */
export class BackgroundRecognition implements AsyncDisposable {
  readonly #session: Session;
  readonly #host: RecognitionHost;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #folders: readonly ScannedFolder[];
  readonly #done: Promise<void>;

  /** Starts the work. */
  constructor(session: Session, host: RecognitionHost, clock: Clock = CLOCK) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    this.#host = host;
    this.#clock = clock;
    this.#folders = [...new Set(session.roots)].map((root) => ({
      store: folderStore(root, session.indexKey, session.indexDirs),
      complete: undefined,
      notBefore: 0,
      done: new Set(),
      toldAt: -Infinity,
      problem: undefined,
    }));
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#session;
    while (!signal.aborted) {
      for (const folder of this.#folders) {
        if (!signal.aborted && folder.notBefore <= this.#clock.now()) await this.#recognise(folder);
      }
      await this.#clock.pause(LOOK_MS, signal);
    }
  }

  /** Recognises the scans of a folder if its index has changed. Never throws. */
  async #recognise(folder: ScannedFolder): Promise<void> {
    const { store } = folder;
    const { config, signal } = this.#session;
    try {
      const version = await store.version();
      if (version === undefined || version === folder.complete) return;
      await recognisePending(store.root, config, this.#session, {
        signal,
        pause: () => this.#pause(),
        onDone: (path) => {
          folder.done.add(path);
          if (this.#clock.now() - folder.toldAt >= UPDATE_MS) this.#tell(folder);
        },
      });
      folder.complete = version;
      folder.problem = undefined;
    } catch (error) {
      if (!signal.aborted) this.#failed(folder, error);
    } finally {
      this.#tell(folder);
    }
  }

  #tell(folder: ScannedFolder): void {
    if (folder.done.size === 0 || this.#session.signal.aborted) return;
    this.#host.takeUp(folder.store.root, folder.done);
    folder.done = new Set();
    folder.toldAt = this.#clock.now();
  }

  async #pause(): Promise<void> {
    const { signal } = this.#session;
    while (this.#host.isBusy() && !signal.aborted) await this.#clock.pause(YIELD_MS, signal);
  }

  #failed(folder: ScannedFolder, error: unknown): void {
    const { log, language } = this.#session;
    const key = error instanceof UserError ? error.key : "";
    const isBusy = key === "index_busy";
    folder.notBefore = this.#clock.now() + (isBusy ? BUSY_MS : FAILED_MS);
    if (isBusy || folder.problem === key) return;
    folder.problem = key;
    const { root } = folder.store;
    log.error("serve.recognition_failed", {
      root,
      error: error instanceof Error ? error.stack : String(error),
    });
    const text = printableErrorText(error, language, log.problem === undefined);
    warn(this.#session, "cli_serve_recognition_failed", { dir: root, text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const patience = new AbortController();
    await Promise.race([this.#done, CLOCK.pause(GRACE_MS, patience.signal)]);
    patience.abort();
  }
}
