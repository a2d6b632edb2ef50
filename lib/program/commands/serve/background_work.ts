/**
 * Work that the indexes of a server do not wait for: vectors of local models and text recognition,
 * folder by folder, while no search is under way.
 */
import { setTimeout } from "node:timers/promises";
import { traceOf, UserError } from "#foundation/errors.ts";
import { ServerFailure } from "#models/remote/mod.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { HashSlots, openStore, type Store } from "#library/store/mod.ts";
import { note, printableErrorText, warn } from "../../say.ts";
import type { Session } from "../../request.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import { makeNeuralVectors, type NeuralProgress, recognisePending } from "#library/ingest/mod.ts";
import { WantedTexts } from "#library/search/mod.ts";
import { estimatedTime, modelFacts, traced } from "../../update_index.ts";

/** Time between two looks whether an index has changed, in milliseconds. */
const LOOK_MS = 1000;
/** Time until a folder is tried again whose data another process is writing, in milliseconds. */
const BUSY_MS = 10_000;
/** Time to wait while searches are answered, in milliseconds. They need the processor more. */
const YIELD_MS = 20;
/** Time that the work may take to stop when the server ends, in milliseconds. Finished parts are on the disk. */
const GRACE_MS = 300;

/** The demand of searches, which work in the background yields to. */
interface Demand {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** The texts that searches have met without a vector. */
  readonly wanted?: WantedTexts;
}

/** Work on the folders of a server that their indexes do not wait for. */
interface WorkOnFolders extends Demand {
  /**
   * Does the work on a folder. Returns whether it is complete until the index changes. `pause` is awaited between pieces, and
   * waits while searches are under way. May throw; the reason of the signal is not an error.
   */
  readonly run: (store: Store, signal: AbortSignal, pause: () => Promise<void>) => Promise<boolean>;
  /** Time until a folder is tried again for which the work failed, in milliseconds. */
  readonly failedMs: number;
  /** Event in the log, and warning to the user, for a failure. */
  readonly event: string;
  readonly warning: MessageKey;
}

interface FolderWork {
  readonly store: Store;
  /** The version of the index for which the work is complete. */
  complete: string | undefined;
  /** Time before which the folder is left alone. */
  notBefore: number;
  /** The key of the last error, which is not reported twice. */
  told: string | undefined;
}

/** Works on the folders of a server, one after another, whenever an index has changed. */
class BackgroundWork implements AsyncDisposable {
  readonly #session: Session;
  readonly #work: WorkOnFolders;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #folders: readonly FolderWork[];
  readonly #done: Promise<void>;
  /** Stops the work on one folder. */
  #interruption = new AbortController();
  #working: Promise<void> = Promise.resolve();
  /** Other work that this work waits for. */
  #others: Promise<unknown> = Promise.resolve();

  constructor(session: Session, work: WorkOnFolders, clock: Clock = CLOCK) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    this.#work = work;
    this.#clock = clock;
    this.#folders = [...new Set(session.roots)].map((root) => ({
      store: openStore(session.config, root, session),
      complete: undefined,
      notBefore: 0,
      told: undefined,
    }));
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#session;
    while (!signal.aborted) {
      const isUrgent = ({ store }: FolderWork) => this.#work.wanted?.has(store.root) ?? false;
      for (const rest = new Set(this.#folders); rest.size > 0;) {
        const folder = rest.values().find(isUrgent) ?? rest.values().next().value!;
        rest.delete(folder);
        await this.#others;
        if (signal.aborted || folder.notBefore > this.#clock.now()) continue;
        this.#interruption = new AbortController();
        await (this.#working = this.#workOn(folder));
      }
      await this.#clock.pause(LOOK_MS, signal);
    }
  }

  /** Does other work with the same files while this work rests. Calls run one after another. */
  async instead<T>(other: () => Promise<T>): Promise<T> {
    const earlier = this.#others;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#others = promise;
    try {
      await earlier;
      this.#interruption.abort();
      await this.#working;
      return await other();
    } finally {
      resolve();
    }
  }

  /** Works on a folder if its index has changed. Never throws. */
  async #workOn(folder: FolderWork): Promise<void> {
    const { store } = folder;
    const signal = AbortSignal.any([this.#session.signal, this.#interruption.signal]);
    try {
      const version = await store.version();
      if (version === undefined || version === folder.complete) return;
      if (await this.#work.run(store, signal, () => this.#pause(signal))) folder.complete = version;
      folder.told = undefined;
    } catch (error) {
      if (!signal.aborted) this.#failed(folder, error);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await this.#clock.pause(0, signal);
    while (this.#work.isBusy() && !signal.aborted) await this.#clock.pause(YIELD_MS, signal);
  }

  #failed(folder: FolderWork, error: unknown): void {
    const { log, language } = this.#session;
    const { failedMs, event, warning } = this.#work;
    const key = error instanceof UserError ? error.key : "";
    const isBusy = key === "index_busy" || key === "vectors_busy";
    const asked = error instanceof ServerFailure ? error.retryAfterMs ?? 0 : 0;
    folder.notBefore = this.#clock.now() + Math.max(asked, isBusy ? BUSY_MS : failedMs);
    if (isBusy || folder.told === key) return;
    folder.told = key;
    const { root } = folder.store;
    log.error(event, { root, error: traceOf(error) });
    const text = printableErrorText(error, language, log.problem === undefined);
    warn(this.#session, warning, { dir: root, text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await waitFor(this.#done, GRACE_MS);
  }
}

/** Milliseconds until vectors that failed are tried again: by a model in this program, and by a server. */
const VECTORS_FAILED_MS = 300_000, SERVER_FAILED_MS = 15_000;
/** Time after which `index --wait` and `reembed` may take over, in milliseconds. */
const OFFER_MS = 2000;
/** Estimated tokens of texts from which a folder's vectors take minutes, and the user is told. */
const MANY_TOKENS = 100_000;
/** Time after which another folder gets a turn, in milliseconds. */
const TURN_MS = 30_000;

/** Makes the vectors of neural models for the folders of a server. Searches use what is there. */
export class BackgroundVectors extends BackgroundWork {
  constructor(
    session: Session,
    models: NeuralModels,
    { isBusy, wanted = new WantedTexts() }: Demand,
    clock: Clock = CLOCK,
  ) {
    /** The models of each folder's texts, as earlier runs found them. */
    const routes = new Map<string, HashSlots>();
    const told = new Set<string>();
    const tell = (dir: string, { done, total, tokensLeft }: NeuralProgress) => {
      if (models.server !== undefined || tokensLeft < MANY_TOKENS || told.has(dir)) return;
      told.add(dir);
      const left = estimatedTime(tokensLeft, 1);
      note(session, "cli_serve_vectors_begin", { dir, count: total - done, left });
    };
    super(session, {
      async run(store, signal, pause) {
        const ofFolder = routes.get(store.root) ?? new HashSlots();
        routes.set(store.root, ofFolder);
        const options = {
          signal,
          routes: ofFolder,
          pause,
          offerMs: OFFER_MS,
          wanted: () => wanted.take(store.root),
          onProgress: (progress: NeuralProgress) => tell(store.root, progress),
          turnMs: session.roots.length > 1 ? TURN_MS : Infinity,
        };
        const summary = await traced(session, store.root, { cause: "background" }, async (span) => {
          const stage = span?.child("embed", modelFacts(models, session));
          const { isStale, ...counts } = await makeNeuralVectors(store, models, options);
          stage?.add({ counts });
          return { isStale, ...counts };
        }, ({ embedded }) => embedded > 0);
        return !summary.isStale;
      },
      isBusy,
      wanted,
      failedMs: models.server === undefined ? VECTORS_FAILED_MS : SERVER_FAILED_MS,
      event: "serve.vectors_failed",
      warning: models.server === undefined ? "cli_serve_vectors_failed" : "cli_serve_server_failed",
    }, clock);
  }
}

/** The local models of a server, and the work that makes their vectors in the background. */
export interface LocalModels {
  readonly models: NeuralModels;
  readonly vectors: BackgroundVectors;
}

/** Time until a folder is tried again whose scans could not be recognised, in milliseconds. */
const RECOGNITION_FAILED_MS = 60_000;
/** Time between two updates of an index with new texts, in milliseconds. */
const UPDATE_MS = 15_000;

interface RecognitionHost extends Demand {
  /** Makes an update look at files of a folder soon. `paths`: relative to it. */
  readonly takeUp: (root: string, paths: ReadonlySet<string>) => void;
}

/** Recognises the text of scans for the folders of a server. */
export class BackgroundRecognition extends BackgroundWork {
  constructor(session: Session, { isBusy, takeUp }: RecognitionHost, clock: Clock = CLOCK) {
    super(session, {
      async run(store, signal, pause) {
        /** Files with new texts that no update has been told of, and the time when one was. */
        let done = new Set<string>();
        let toldAt = -Infinity;
        const tell = () => {
          if (done.size === 0 || signal.aborted) return;
          takeUp(store.root, done);
          done = new Set();
          toldAt = clock.now();
        };
        try {
          await traced(session, store.root, { cause: "background" }, async (span) => {
            const stage = span?.child("recognise", { provider: "tesseract" });
            let files = 0;
            const waiting = await recognisePending(store.root, session.config, session, {
              signal,
              pause,
              onDone: (path) => {
                stage?.add({ counts: { files: ++files } });
                done.add(path);
                if (clock.now() - toldAt >= UPDATE_MS) tell();
              },
            });
            return waiting;
          }, (waiting) => waiting > 0);
          return true;
        } finally {
          tell();
        }
      },
      isBusy,
      failedMs: RECOGNITION_FAILED_MS,
      event: "serve.recognition_failed",
      warning: "cli_serve_recognition_failed",
    }, clock);
  }
}

/** Time until a folder is tried again for which a language model failed, in milliseconds. */
const TEXTS_FAILED_MS = 60_000;

/** Makes what the tasks of language models on the indexes of a server lack. An index is complete without. */
export class BackgroundTexts extends BackgroundWork {
  constructor(session: Session, { isBusy }: Demand, clock: Clock = CLOCK) {
    super(session, {
      async run({ root }, signal, pause) {
        const { runTasks } = await import("../../generated_texts.ts");
        return await traced(
          session,
          root,
          { cause: "background" },
          (span) => runTasks(session, root, { signal, pause, span }),
          (isNothingLeft) => !isNothingLeft,
        );
      },
      isBusy,
      failedMs: TEXTS_FAILED_MS,
      event: "serve.texts_failed",
      warning: "llm_serve_failed",
    }, clock);
  }
}

/** The time, for what has to be done later. */
export interface Clock {
  /** Milliseconds since any fixed time. It never goes back, and may stand still while the machine sleeps. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Resolves when the work is done, or after so many milliseconds. */
export async function waitFor(work: Promise<unknown>, ms: number): Promise<void> {
  const patience = new AbortController();
  await Promise.race([work, CLOCK.pause(ms, patience.signal)]);
  patience.abort();
}

/** The time of the machine. */
export const CLOCK: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
};
