/**
 * Keeping the indexes of a server current: updates after changes, now and then as a whole,
 * and when a client asks for one.
 */
import { LazyTable } from "#models/embedding/mod.ts";
import { present } from "#foundation/present.ts";
import { reasonOf, traceOf, UserError } from "#foundation/errors.ts";
import { ingest, renewNeuralVectors } from "#library/ingest/mod.ts";
import type { FolderState, IngestOptions, IngestProgress, IngestSummary } from "#library/ingest/types.ts";
import { type MessageKey, printable } from "#foundation/messages/mod.ts";
import { type Watcher, watcherOf } from "#foundation/boundary/mod.ts";
import { note, printableErrorText, warn } from "../../say.ts";
import type { Session } from "../../request.ts";
import { traced, updateIndex } from "../../update_index.ts";
import { CLOCK, type Clock, type LocalModels, waitFor } from "./background_work.ts";
import {
  FolderSchedule,
  LONG_MS,
  type RequestedRun,
  type RequestedUpdate,
  RequestedUpdates,
  SETTLE_MS,
  WatchedFolder,
} from "./update_schedule.ts";
import type { ReembeddedDocument, UpkeepRequest, WorkUnderWay } from "#server/mod.ts";
import { openStore } from "#library/store/mod.ts";

/**
 * Time for an update to stop when the server ends, in milliseconds, after the answers in hand. An update
 * that takes longer ends with the process: the lock of the index is released, and the next run removes what it left.
 */
const UPDATES_GRACE_MS = 300;
/** Delay before the first update, so that the first requests of a client are answered before. */
const HEAD_START_MS = 300;
/** Longest time that an update computes before it yields: 10 ms halve the wait of a request that 50 ms cause. */
const SPELL_MS = 10;
/** Longest time between two looks whether the folders are there, in milliseconds. */
const LOOK_MS = 2000;
/** A timer that fires so many milliseconds late has slept with the machine, and events may have been lost. */
const ASLEEP_MS = 60_000;

/**
 * Keeps the indexes of folders current while they are searched: each folder is updated at the start, after its files have
 * changed, and now and then as a whole, since events may get lost. A search uses the old index until the new one is
 * complete. One folder is updated at a time. A folder that fails is reported once and tried again later. A folder that
 * another process is updating is tried again until it is free, since that process may end early. Disposing of the updates
 * stops them.
 */
export class BackgroundUpdates implements AsyncDisposable {
  /** The built-in table of word vectors, shared with the searches. */
  readonly table: LazyTable = new LazyTable();
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #watcher: Watcher;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  readonly #folders: readonly KeptFolder[];
  #wake: () => void = () => {};

  /** `unasked`: folders that are updated only when a user asks for it the first time. */
  constructor(
    session: Session,
    clock: Clock = CLOCK,
    watcher: Watcher = watcherOf(session.roots),
    unasked: readonly string[] = [],
  ) {
    this.#session = { ...session, signal: AbortSignal.any([session.signal, this.#stop.signal]) };
    this.#clock = clock;
    this.#watcher = watcher;
    const firstAt = clock.now() + HEAD_START_MS;
    this.#folders = [...new Set(session.roots)].map((root) =>
      unasked.includes(root) ? { ...this.#keep(root, Infinity), state: "unasked" } : this.#keep(root, firstAt)
    );
    this.#done = this.#run();
  }

  /** The folders whose changes are being taken up, `/notes (37 %)`, or alone if another process does it. */
  underWay(roots?: readonly string[]): readonly string[] {
    return this.#of(roots).filter((folder) => isUnderWay(folder) && !isUnchecked(folder)).map(shownUpdate);
  }

  /** All folders as {@linkcode underWay}, with those that were not looked at since the start. They may have no index yet. */
  get pending(): readonly string[] {
    return this.#folders.filter(isUnderWay).map(shownUpdate);
  }

  /** Whether every change of the folders that was reported is in their indexes. */
  isCurrent(roots?: readonly string[]): boolean {
    return this.#of(roots).every((folder) =>
      folder.state === "current" && folder.watch.isComplete && !isUnderWay(folder)
    );
  }

  /** Whether changes of a folder are noticed and taken up soon. */
  keeps(root: string): boolean {
    return this.#of([root]).some(({ state, watch }) =>
      state === "current" ? watch.isWatched : state === "new" || state === "busy"
    );
  }

  /** Makes an update look at files of a folder soon, although they have not changed. `paths`: relative to it. */
  takeUp(root: string, paths: ReadonlySet<string>): void {
    for (const { watch, schedule } of this.#of([root])) {
      watch.giveBack(paths);
      if (schedule.changed(this.#clock.now())) this.#wake();
    }
  }

  /** The update of a folder that is under way and finds changes, or that another process does. */
  workOn(root: string): WorkUnderWay | undefined {
    const [folder] = this.#of([root]);
    if (folder?.state === "busy" && folder.share === undefined) return { isElsewhere: true };
    if (folder?.share === undefined) return undefined;
    return { isElsewhere: false, ...(folder.progress && { progress: folder.progress }) };
  }

  /**
   * Updates a folder as soon as no other update is under way, and resolves with the summary. Requests that wait share one
   * update; it stops when the signals of all have aborted. Throws what `ingest` throws, `index_busy` if another process
   * updates the folder for a long time, and `directory_not_found`.
   */
  async update(root: string, request: RequestedUpdate): Promise<IngestSummary> {
    this.#session.signal.throwIfAborted();
    const [folder] = this.#of([root]);
    if (folder === undefined || folder.state === "gone") throw new UserError("directory_not_found");
    const summary = folder.requests.add(request, this.#clock.now());
    this.#wake();
    return await summary;
  }

  #of(roots: readonly string[] | undefined): readonly KeptFolder[] {
    return roots === undefined ? this.#folders : this.#folders.filter(({ root }) => roots.includes(root));
  }

  #keep(root: string, firstAt: number): KeptFolder {
    const schedule = new FolderSchedule(firstAt);
    const events = {
      onChange: () => schedule.changed(this.#clock.now()) && this.#wake(),
      onFlood: () => schedule.flooded(this.#clock.now()),
      onUnwatched: (error: unknown) => {
        schedule.unwatched(this.#clock.now());
        this.#tell(folder, "cli_serve_not_watched", { dir: root, text: printable(reasonOf(error)) });
      },
    };
    const watch = new WatchedFolder(root, events, this.#watcher.watch);
    const folder: KeptFolder = {
      root,
      watch,
      schedule,
      requests: new RequestedUpdates(),
      verifiedAt: -Infinity,
      told: new Map(),
      state: "new",
      share: undefined,
      progress: undefined,
      last: undefined,
    };
    return folder;
  }

  async #run(): Promise<void> {
    const { signal } = this.#session;
    while (!signal.aborted) {
      for (const folder of this.#folders) await this.#look(folder);
      const [next] = this.#folders.toSorted((a, b) => dueAt(a) - dueAt(b));
      const wait = next === undefined ? LOOK_MS : dueAt(next) - this.#clock.now();
      if (next !== undefined && wait <= 0) await this.#update(next);
      else await this.#pause(Math.min(wait, LOOK_MS));
    }
    for (const { watch, requests } of this.#folders) {
      watch[Symbol.dispose]();
      requests.close(signal.reason);
    }
    this.#watcher[Symbol.dispose]();
  }

  /** Waits so many milliseconds, or until a change is reported. */
  async #pause(ms: number): Promise<void> {
    const began = this.#clock.wall();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await Promise.race([promise, this.#clock.pause(ms, this.#session.signal)]);
    if (this.#clock.wall() - began - ms < ASLEEP_MS) return;
    for (const { schedule } of this.#folders) schedule.reconcile(this.#clock.now());
  }

  /** Looks whether a folder has disappeared or is back. */
  async #look(folder: KeptFolder): Promise<void> {
    const seen = await folder.watch.look();
    if (seen === "gone") {
      folder.state = "gone";
      folder.requests.close(new UserError("directory_not_found"));
      const { isShared } = openStore(this.#session.config, folder.root, this.#session);
      const isElsewhere = isShared === true && folder.last === undefined;
      this.#tell(folder, isElsewhere ? "cli_serve_files_elsewhere" : "cli_serve_folder_gone", {
        dir: folder.root,
      });
    } else if (seen === "other") {
      if (folder.state === "gone") folder.state = "new";
      folder.told.clear();
      folder.schedule.reconcile(this.#clock.now());
    }
  }

  async #update(folder: KeptFolder): Promise<void> {
    const { schedule, watch } = folder;
    const asked = folder.requests.dueAt <= this.#clock.now() ? folder.requests.take() : undefined;
    const isReported = schedule.hasChanges || asked !== undefined;
    if (asked !== undefined) schedule.reconcile(this.#clock.now());
    const cause = schedule.begin(this.#clock.now());
    // An update that finds nothing is not worth a remark.
    folder.share = isReported ? 0 : undefined;
    const { isWatched: watched } = watch;
    const paths = watch.take();
    const since = cause === "changes" ? folder.last : undefined;
    const began = this.#clock.now();
    const verifies = cause === "reconciliation" &&
      (asked === undefined || began >= folder.verifiedAt + LONG_MS);
    try {
      const summary = await this.#ingest(folder, asked, {
        ...(since === undefined || paths === undefined ? {} : { changes: { since, paths } }),
        ...(asked !== undefined && { full: asked.full, again: asked.again, onEnds: asked.onEnds }),
        onState: (state) => void (folder.last = state),
        // A file that never stops changing is taken as it is now and then.
        settleMs: cause === "changes" ? SETTLE_MS : 0,
        // a large index takes seconds to check, and long to write as a whole
        ...(verifies ? {} : { verify: false }),
        merge: cause === "reconciliation",
        onProgress: (progress) => {
          folder.requests.report(progress);
          folder.progress = progress;
          if (folder.share === undefined && progress.step !== "write" && progress.bytesTotal === 0) return;
          folder.share = shareOf(progress);
        },
      });
      const last = folder.last!;
      folder.state = "current";
      if (verifies) folder.verifiedAt = began;
      folder.told.delete("cli_serve_update_failed");
      const { written } = summary;
      const unsettled = last.unsettled.size > 0;
      schedule.end(this.#clock.now(), { state: "done", written, unsettled, watched });
      asked?.done(summary);
      void this.#follow(folder, last);
    } catch (error) {
      watch.giveBack(paths);
      folder.state = await this.#failed(folder, asked, error);
      if (folder.state === "unasked") schedule.rest();
      else schedule.end(this.#clock.now(), { state: folder.state === "failed" ? "failed" : "busy", watched });
    } finally {
      folder.share = undefined;
      folder.progress = undefined;
    }
  }

  /** Watches the folder. It takes a while in a large one, and longer while another program changes it all the time. */
  async #follow({ watch, told, schedule }: KeptFolder, last: FolderState): Promise<void> {
    if (!await watch.follow(last)) return;
    told.delete("cli_serve_not_watched");
    schedule.checkSoon(this.#clock.now());
    this.#wake();
  }

  /** Updates an index. The result of the first update of a folder is reported on stderr; later ones are in the log. */
  async #ingest(
    { root, state }: KeptFolder,
    asked: RequestedRun | undefined,
    ofUpdate: IngestOptions,
  ): Promise<IngestSummary> {
    const signal = asked === undefined
      ? this.#session.signal
      : AbortSignal.any([this.#session.signal, asked.signal]);
    const session = { ...this.#session, signal };
    const options = { ...ofUpdate, spellMs: SPELL_MS };
    const { table } = this;
    if (state === "current") {
      const unseen = { ...options, keepsSettings: true, signal };
      return await traced(
        session,
        root,
        present({ cause: asked === undefined ? "change" : "request", principal: asked?.principal }),
        (span) => ingest(root, session.config, { ...session, table }, { ...unseen, span }),
        ({ written }) => written || asked !== undefined,
      );
    }
    const summary = await updateIndex(
      session,
      root,
      present({ ...options, table, quiet: true, principal: asked?.principal }),
    );
    const { written, new: added, changed, renamed, removed } = summary;
    if (written) note(session, "cli_updated", { dir: root, new: added, changed, renamed, removed });
    return summary;
  }

  /** Tells the clients that wait, and the user if the problem is new. Returns the folder's state. */
  async #failed(
    folder: KeptFolder,
    asked: RequestedRun | undefined,
    error: unknown,
  ): Promise<KeptFolder["state"]> {
    const { log, language, signal } = this.#session;
    const { root, state } = folder;
    if (error instanceof UserError && error.key === "index_busy") {
      asked?.busy(error, this.#clock.now());
      if (state !== "busy") log.info("serve.update_busy", error.params);
      return "busy";
    }
    // Those who asked have gone, and their update would be the next one anyway.
    const isCancelled = asked?.signal.aborted === true;
    asked?.failed(error);
    if (signal.aborted) return "failed";
    if (isCancelled) return state === "current" ? "busy" : state;
    // The next look reports that the folder is gone.
    if (await folder.watch.look() === "gone") return "failed";
    const text = printableErrorText(error, language, log.problem === undefined);
    const isNew = this.#tell(folder, "cli_serve_update_failed", { dir: root, text });
    if (isNew) log.error("serve.update_failed", { root, error: traceOf(error) });
    return "failed";
  }

  /** Warns of a problem unless it was reported and still holds. Returns whether it warned. */
  #tell({ told }: KeptFolder, key: MessageKey, params: { dir: string; text?: string }): boolean {
    const { text = "" } = params;
    if (told.get(key) === text) return false;
    told.set(key, text);
    warn(this.#session, key, params);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await waitFor(this.#done, UPDATES_GRACE_MS);
  }
}

/** A document whose vectors are made again. */
interface ReembedRequest extends Omit<UpkeepRequest, "full"> {
  readonly root: string;
  /** Relative to the folder. */
  readonly path: string;
}

/** Makes the vectors of a document again, by an update and, where there are local models, beside their work. See {@linkcode Upkeep.reembed}. */
export async function reembed(
  session: Session,
  updates: Pick<BackgroundUpdates, "update">,
  local: LocalModels | undefined,
  { root, path, signal, onProgress, principal }: ReembedRequest,
): Promise<ReembeddedDocument> {
  const { config } = session;
  if (config.embedding.provider === "none") throw new UserError("no_vectors_made");
  const again = new Set([path]);
  const { warnings } = await updates.update(root, present({ again, signal, onProgress, principal }));
  const store = openStore(config, root, session);
  const loaded = await store.open();
  using index = loaded.state === "ready" ? loaded.index : undefined;
  const file = index?.files.find((file) => file.path === path && file.status === "indexed");
  if (index === undefined || file === undefined) throw new UserError("document_not_indexed", { path });
  const { chunkCount: chunks } = file;
  const ofIndex = index.vectors === undefined ? [] : [index.vectors.model];
  const told = warnings === undefined ? {} : { warnings };
  if (local === undefined) return { chunks, models: ofIndex, refused: 0, ...told };
  const { models, vectors } = local;
  const renewed = await vectors.instead(() => renewNeuralVectors(store, models, path, { signal }));
  return { chunks, models: [...ofIndex, ...renewed.models], refused: renewed.refused, ...told };
}

interface KeptFolder {
  readonly root: string;
  readonly watch: WatchedFolder;
  readonly schedule: FolderSchedule;
  /** The updates that clients ask for. */
  readonly requests: RequestedUpdates;
  /** When the last update that checked all bytes of the index began: a client may ask for one update after the other. */
  verifiedAt: number;
  /** Result of the last update. `new`: there was none since the folder appeared. `unasked`: none until it is asked for. */
  state: "new" | "unasked" | "current" | "busy" | "failed" | "gone";
  /** Share of the work of the update under way, 0 … 1; `undefined` while there is none that finds changes. */
  share: number | undefined;
  /** The progress of that update. */
  progress: IngestProgress | undefined;
  /** The folder as the last update found it. */
  last: FolderState | undefined;
  /** The problems that hold, as they were reported. */
  readonly told: Map<MessageKey, string>;
}

function dueAt({ requests, schedule, state }: KeptFolder): number {
  return state === "gone" ? Infinity : Math.min(requests.dueAt, schedule.dueAt);
}

/** The folder as answers name it while it is updated: with the share of the work done, or alone if another process does it. */
function shownUpdate({ root, state, share = 0 }: KeptFolder): string {
  return state === "busy" ? root : `${root} (${Math.floor(share * 100)} %)`;
}

/** Whether the first update of a folder has not found a change so far. */
function isUnchecked({ state, share }: KeptFolder): boolean {
  return state === "new" && share === undefined;
}

/** Whether changes of the folder are not in its index yet. */
function isUnderWay({ state, share, schedule }: KeptFolder): boolean {
  if (state === "gone" || state === "failed") return false;
  if (state === "unasked") return share !== undefined;
  return state !== "current" || share !== undefined || schedule.hasChanges;
}

/** The share of the files' bytes that an update has processed, 0 to 1. */
function shareOf({ bytesDone, bytesTotal }: IngestProgress): number {
  return bytesTotal === 0 ? 0 : Math.min(1, bytesDone / bytesTotal);
}
