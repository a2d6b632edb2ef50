/**
 * A run that several writers do together. The one with the lock of the index walks the folder and divides what is new into batches; each
 * writer reads, splits and embeds one batch after the other and publishes it as a whole. Then the holder of the lock finishes as after any
 * run: it writes the other files, leaves out removed ones, and unites the segments. If a writer ends early, another one claims its batch,
 * and if it had the lock, one of the others takes the lock when all batches are done.
 */
import { UserError } from "#foundation/errors.ts";
import { walk, type WalkOptions } from "#library/corpus/mod.ts";
import type { SharedBatch, SharedFile, SharedWork, Store, StoreLock } from "#library/store/mod.ts";
import type { PlannedFile, UpdatePlan } from "./update_plan.ts";

/** Number of new files, and their bytes, from which on a run is divided. Fewer are indexed before another writer has begun. */
const WORTH_FILES = 512;
const WORTH_BYTES = 2 ** 26;
/** Files and bytes of a batch, unless one file is larger. If a writer is killed, one batch is done again. */
const BATCH_FILES = 64;
const BATCH_BYTES = 2 ** 24;
/** Batches of a run, approximately; those of large runs are larger. Each batch is a segment of the index until the end of the run. */
const MOST_BATCHES = 128;
/** Milliseconds between two looks for a batch, or for the end of the run. */
const WAIT_MS = 250;
/** Looks for the run of a writer that has just taken the lock and has not begun it yet. */
const MOST_LOOKS = 4;

/** The files of a folder that a writer may read, by path, as it sees them. */
export type OwnFiles = ReadonlyMap<string, Pick<SharedFile, "size" | "mtimeMs">>;

/** How a writer takes part. */
export interface SharedRun {
  readonly work: SharedWork;
  /** The settings of the index and the version of the program: writers with others make other chunks. */
  readonly settings: string;
  /** Whether the run begins when the lock is taken, and not only when it is divided. */
  readonly isAnnounced: boolean;
  readonly signal: AbortSignal | undefined;
  /** Reads the files of a batch that are here and publishes them. */
  readonly write: (batch: SharedBatch, own: OwnFiles) => Promise<unknown>;
}

/**
 * Takes the lock of the index. While another writer has it and shares its run, helps with the batches and waits for the lock; `onJoined`
 * is called once before that. Throws `index_busy` if the other writer does not share its run, and as {@linkcode Store.lock}.
 */
export async function lockOrHelp(
  store: Store,
  run: SharedRun,
  walked: WalkOptions,
  onJoined: () => void,
): Promise<StoreLock> {
  const { work, settings, signal } = run;
  let own: OwnFiles | undefined;
  let hasHelped = false, looks = 0;
  while (true) {
    signal?.throwIfAborted();
    try {
      // Taking the lock would end the batches of others, so it is taken when they are done.
      if (own === undefined || !await work.isUnfinished()) return await store.lock();
    } catch (error) {
      if (!(error instanceof UserError && error.key === "index_busy")) throw error;
      const found = hasHelped ? settings : await work.settings();
      if (found === undefined && own === undefined && looks++ < MOST_LOOKS) {
        await wait(signal);
        continue;
      }
      if (found !== settings) throw error;
      if (own === undefined) {
        onJoined();
        own = await filesOf(store.root, walked);
      }
    }
    if (await helpOnce(run, own!)) hasHelped = true;
    else await wait(signal);
  }
}

/**
 * Divides the new files of a plan into batches and writes them, alone or together with other writers. A batch needs little memory, and searches
 * find the batches that are published. Returns false if the files are too few.
 */
export async function writeShared(run: SharedRun, plan: UpdatePlan): Promise<boolean> {
  const fresh = plan.files.filter(isFresh);
  const bytes = fresh.reduce((sum, { size }) => sum + size, 0);
  if (fresh.length < WORTH_FILES && bytes < WORTH_BYTES) {
    if (run.isAnnounced) await run.work.end();
    return false;
  }
  if (!run.isAnnounced) await run.work.begin(run.settings);
  await run.work.divide(batchesOf(fresh, bytes));
  const own = new Map(fresh.map((file) => [file.path, file]));
  while (true) {
    run.signal?.throwIfAborted();
    if (await helpOnce(run, own)) continue;
    if (!await run.work.isUnfinished()) break;
    await wait(run.signal);
  }
  // No batch is published from here on. The run stays, so that other writers wait for its end.
  await run.work.divide([]);
  return true;
}

/** Returns the plan for a batch: those of its files that are on this machine with the size and time that they had where the run was divided. */
export function planOf(batch: SharedBatch, own: OwnFiles): UpdatePlan {
  const files = batch.files.filter(({ path, size, mtimeMs }) => {
    const here = own.get(path);
    return here?.size === size && here.mtimeMs === mtimeMs;
  });
  return {
    files: files.map((file) => ({ ...file, unchanged: false })),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...{ removed: [], skipped: {}, missed: [], unreadable: [] },
    walked: { folders: new Set(), skipped: new Map(), unsettled: new Set(), hasLinkedRules: false },
  };
}

/**
 * Whether a file is new and can be read by itself. Others need what the index has of them, the archive that they are in, or the documents
 * beside them.
 */
function isFresh({ path, known, archive, within, skip, unchanged }: PlannedFile): boolean {
  return !unchanged && known === undefined && archive === undefined && within === undefined &&
    skip === undefined && !/\.bib$/i.test(path);
}

function batchesOf(files: readonly PlannedFile[], allBytes: number): SharedFile[][] {
  const mostFiles = Math.max(BATCH_FILES, Math.ceil(files.length / MOST_BATCHES));
  const mostBytes = Math.max(BATCH_BYTES, Math.ceil(allBytes / MOST_BATCHES));
  const batches: SharedFile[][] = [];
  let bytes = 0;
  for (const { path, size, mtimeMs, ctimeMs } of files) {
    const last = batches.at(-1);
    const file = { path, size, mtimeMs, ...(ctimeMs === undefined ? {} : { ctimeMs }) };
    if (last === undefined || last.length >= mostFiles || bytes + size > mostBytes) {
      batches.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return batches;
}

/** Does a batch, if there is one. */
async function helpOnce({ work, settings, write }: SharedRun, own: OwnFiles): Promise<boolean> {
  await using batch = await work.claim(settings);
  if (batch === undefined) return false;
  await write(batch, own);
  return true;
}

/** Returns the files of the folder on this machine, by the rules of this machine. Other paths that a batch names are not read. */
async function filesOf(root: string, options: WalkOptions): Promise<OwnFiles> {
  const files = new Map<string, Pick<SharedFile, "size" | "mtimeMs">>();
  for await (const found of walk(root, options)) {
    if (found.kind === "file" && found.within === undefined) files.set(found.path, found);
  }
  return files;
}

function wait(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const ended = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", ended);
      resolve();
    };
    const timer = setTimeout(ended, WAIT_MS);
    signal?.addEventListener("abort", ended);
  });
}
