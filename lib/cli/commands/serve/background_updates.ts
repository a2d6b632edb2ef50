import { LazyTable } from "../../../embedding/mod.ts";
import { UserError } from "../../../errors.ts";
import type { IngestProgress } from "../../../ingest/types.ts";
import { note, warn } from "../../context.ts";
import { printableErrorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { updateIndex } from "../../update_index.ts";

/**
 * Time for an update to stop when the server ends, in milliseconds, after the answers in hand (`ANSWERS_GRACE_MS`). An update
 * that takes longer ends with the process: the lock of the index is released, and the next run removes what it left.
 */
const UPDATES_GRACE_MS = 300;

/** Delay before the first update, so that the first requests of a client are answered before. */
const HEAD_START_MS = 300;
/**
 * Longest time that an update computes before it yields. A request takes several turns and may wait this long before each:
 * 10 ms halve the wait that 50 ms cause, at no measurable cost.
 */
const SPELL_MS = 10;
/** Time until a folder that another process is updating is tried again. */
const LOOK_AGAIN_MS = 2000;

/**
 * Updates the indexes of folders one after another while they are searched. A search uses the old index until the new one is
 * complete. A folder that fails is reported, and the next one follows. A folder that another process is updating is tried
 * again until it is free, since that process may end early. Disposing of the updates stops them.
 */
export class BackgroundUpdates implements AsyncDisposable {
  /** The built-in table of word vectors, shared with the searches. */
  readonly table: LazyTable = new LazyTable();
  readonly #session: Session;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  /** Share of the work done by folder, 0 … 1: 0 before the start, `undefined` while another process updates the folder. */
  readonly #shares = new Map<string, number | undefined>();

  /** Starts to update the folders of the session. */
  constructor(session: Session) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    for (const root of session.roots) this.#shares.set(root, 0);
    this.#done = this.#run();
  }

  /** The unfinished folders, each with the share of the work done, `/notes (37 %)`, or alone if another process updates it. */
  get underWay(): readonly string[] {
    return [...this.#shares].map(([root, share]) =>
      share === undefined ? root : `${root} (${Math.floor(share * 100)} %)`
    );
  }

  async #run(): Promise<void> {
    const { signal, roots } = this.#session;
    await pause(HEAD_START_MS, signal);
    for (let waiting = roots; waiting.length > 0;) {
      const taken: string[] = [];
      for (const root of waiting) {
        if (signal.aborted) return;
        if (await this.#update(root)) this.#shares.delete(root);
        else taken.push(root);
      }
      waiting = taken;
      if (taken.length > 0) await pause(LOOK_AGAIN_MS, signal);
    }
  }

  /** Updates a folder. False if another process is updating it. */
  async #update(root: string): Promise<boolean> {
    const session = this.#session;
    const onProgress = (progress: IngestProgress) => void this.#shares.set(root, shareOf(progress));
    try {
      const { written, new: added, changed, renamed, removed } = await updateIndex(session, root, {
        onProgress,
        table: this.table,
        spellMs: SPELL_MS,
      });
      if (written) note(session, "cli_updated", { dir: root, new: added, changed, renamed, removed });
    } catch (error) {
      if (session.signal.aborted) return true;
      const { log, language } = session;
      if (error instanceof UserError && error.key === "index_busy") {
        if (this.#shares.get(root) !== undefined) log.info("serve.update_busy", error.params);
        this.#shares.set(root, undefined);
        return false;
      }
      log.error("serve.update_failed", { root, error: error instanceof Error ? error.stack : String(error) });
      const text = printableErrorText(error, language, log.problem === undefined);
      warn(session, "cli_serve_update_failed", { dir: root, text });
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const patience = new AbortController();
    await Promise.race([this.#done, pause(UPDATES_GRACE_MS, patience.signal)]);
    patience.abort();
  }
}

function shareOf({ bytesDone, bytesTotal }: IngestProgress): number {
  return bytesTotal === 0 ? 0 : Math.min(1, bytesDone / bytesTotal);
}

/** Resolves after so many milliseconds, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
