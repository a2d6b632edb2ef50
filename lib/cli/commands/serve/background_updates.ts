import { LazyTable } from "../../../embedding/mod.ts";
import { UserError } from "../../../errors.ts";
import type { IngestProgress } from "../../../ingest/types.ts";
import { note, warn } from "../../context.ts";
import { printableErrorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { updateIndex } from "../../update_index.ts";
import { ENDING } from "./ending.ts";

/** A client's first requests come at once: they are answered before the work begins. */
const HEAD_START_MS = 300;
/** A request takes several turns, and may wait so long before each: 10 ms halve the wait of 50 and cost nothing measurable. */
const SPELL_MS = 10;
/** How long after another process was found at a folder it is looked again whether it still is. */
const LOOK_AGAIN_MS = 2000;

/**
 * Brings the indexes of folders up to date, one after another, while others search them: the old index answers until the
 * new one is in its place. Disposing of it stops the work. A folder that fails is told of, and the next one follows. One that
 * another process is at comes again until it is free: that process may end before it is done.
 */
export class BackgroundUpdates implements AsyncDisposable {
  /** The built-in table that they use, for those to use too who search the folders. */
  readonly table: LazyTable = new LazyTable();
  readonly #session: Session;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  /** Shares of the work that are done, 0 … 1, by folder; those that come later have 0, those that others are at none. */
  readonly #shares = new Map<string, number | undefined>();

  /** Begins with the folders of the session. */
  constructor(session: Session) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    for (const root of session.roots) this.#shares.set(root, 0);
    this.#done = this.#run();
  }

  /**
   * The folders that are not done yet, each with the share of the work that is, in whole percents: `/notes (37 %)`; without
   * it where another process does the work.
   */
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

  /** False if another process is at the folder. */
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
    await Promise.race([this.#done, pause(ENDING.updates, patience.signal)]);
    patience.abort();
  }
}

function shareOf({ bytesDone, bytesTotal }: IngestProgress): number {
  return bytesTotal === 0 ? 0 : Math.min(1, bytesDone / bytesTotal);
}

/** Waits so many milliseconds, or until the signal is aborted. */
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
