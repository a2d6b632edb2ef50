import type { NeuralModels } from "../../../embedding/mod.ts";
import { UserError } from "../../../errors.ts";
import { makeNeuralVectors } from "../../../ingest/mod.ts";
import { folderStore, HashSlots, type IndexStore } from "../../../store/mod.ts";
import { warn } from "../../context.ts";
import { printableErrorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { CLOCK, type Clock } from "./clock.ts";

/** Time between two looks whether an index has changed, in milliseconds. */
const LOOK_MS = 1000;
/** Time until a folder is tried again whose vectors another process is making, in milliseconds. */
const BUSY_MS = 10_000;
/** Time until a folder is tried again whose vectors could not be made or written, in milliseconds. */
const FAILED_MS = 300_000;
/** Time to wait while searches are answered, in milliseconds. They need the processor more. */
const YIELD_MS = 20;
/** Time that a run may take to stop when the server ends, in milliseconds. What was made is on the disk. */
const GRACE_MS = 300;

/** The demand of searches, which the work yields to. */
export interface VectorDemand {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** Hashes of texts that searches have met without a vector. */
  readonly wanted?: () => readonly Uint8Array[];
}

/** A folder whose vectors are kept complete. */
interface VectorFolder {
  readonly store: IndexStore;
  /** The models of its texts, as earlier runs found them. */
  readonly routes: HashSlots;
  /** The version of the index whose vectors are complete. */
  complete: string | undefined;
  /** Time before which the folder is left alone. */
  notBefore: number;
  /** The key of the last error, which is not reported twice. */
  told: string | undefined;
}

/**
 * Makes the vectors of local models for the folders of a server, one folder after another, whenever an index has changed.
 * Searches use what is there. Disposing of it stops the work; the next start goes on with it.
 */
export class BackgroundVectors implements AsyncDisposable {
  readonly #session: Session;
  readonly #models: NeuralModels;
  readonly #isBusy: () => boolean;
  readonly #wanted: () => readonly Uint8Array[];
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #folders: readonly VectorFolder[];
  readonly #done: Promise<void>;

  /** Starts the work. */
  constructor(
    session: Session,
    models: NeuralModels,
    { isBusy, wanted = () => [] }: VectorDemand,
    clock: Clock = CLOCK,
  ) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    this.#models = models;
    this.#isBusy = isBusy;
    this.#wanted = wanted;
    this.#clock = clock;
    this.#folders = [...new Set(session.roots)].map((root) => ({
      store: folderStore(root, session.indexKey, session.indexDirs),
      routes: new HashSlots(),
      complete: undefined,
      notBefore: 0,
      told: undefined,
    }));
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#session;
    while (!signal.aborted) {
      for (const folder of this.#folders) {
        if (!signal.aborted && folder.notBefore <= this.#clock.now()) await this.#complete(folder);
      }
      await this.#clock.pause(LOOK_MS, signal);
    }
  }

  /** Makes the vectors of a folder if its index has changed. Never throws. */
  async #complete(folder: VectorFolder): Promise<void> {
    const { store, routes } = folder;
    const { signal, indexKey: key } = this.#session;
    try {
      const version = await store.version();
      if (version === undefined || version === folder.complete) return;
      const { isStale } = await makeNeuralVectors(store, this.#models, {
        key,
        signal,
        routes,
        wanted: this.#wanted,
        pause: () => this.#pause(),
      });
      if (!isStale) folder.complete = version;
      folder.told = undefined;
    } catch (error) {
      if (!signal.aborted) this.#failed(folder, error);
    }
  }

  async #pause(): Promise<void> {
    const { signal } = this.#session;
    do await this.#clock.pause(this.#isBusy() ? YIELD_MS : 0, signal); while (
      this.#isBusy() && !signal.aborted
    );
  }

  #failed(folder: VectorFolder, error: unknown): void {
    const { log, language } = this.#session;
    const key = error instanceof UserError ? error.key : "";
    const isBusy = key === "index_busy";
    folder.notBefore = this.#clock.now() + (isBusy ? BUSY_MS : FAILED_MS);
    if (isBusy || folder.told === key) return;
    folder.told = key;
    const { root } = folder.store;
    log.error("serve.vectors_failed", { root, error: error instanceof Error ? error.stack : String(error) });
    const text = printableErrorText(error, language, log.problem === undefined);
    warn(this.#session, "cli_serve_vectors_failed", { dir: root, text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const patience = new AbortController();
    await Promise.race([this.#done, CLOCK.pause(GRACE_MS, patience.signal)]);
    patience.abort();
  }
}
