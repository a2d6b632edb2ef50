/**
 * A run that several writers do together. The one with the lock of the index walks the folder and divides what is new into batches; each
 * writer reads, splits and embeds one batch after the other and publishes it as a whole. Then the holder of the lock finishes as after any
 * run: with what is left, removed files, and the segments united. A writer that ends early is missed by nobody: its batch is claimed by
 * another, and if it had the lock, one of the others takes that when all batches are done.
 */
import { UserError } from "#foundation/errors.ts";
import { walk, type WalkOptions } from "#library/corpus/mod.ts";
import type { SharedBatch, SharedFile, SharedWork, Store, StoreLock } from "#library/store/mod.ts";
import type { PlannedFile, UpdatePlan } from "./update_plan.ts";

/** New files, and bytes of them, from which on a run is divided: fewer are indexed before another writer has begun. */
const WORTH_FILES = 512;
const WORTH_BYTES = 2 ** 26;
/** Files and bytes of a batch, unless one file is larger. A writer has one batch that is not published. */
const BATCH_FILES = 64;
const BATCH_BYTES = 2 ** 24;
/** The batches of large runs are larger: each is a segment of the index until the end of the run. */
const MOST_BATCHES = 128;
/** How often a writer looks for a batch, or for the end of the run. */
const WAIT_MS = 250;
/** How often it looks for the run of a writer that has just taken the lock. */
const MOST_LOOKS = 4;

/** The files of a folder that a writer may read, by path, as it sees them. */
export type OwnFiles = ReadonlyMap<string, Pick<SharedFile, "size" | "mtimeMs">>;

/** How a writer takes part. */
export interface SharedRun {
  readonly work: SharedWork;
  /** The settings of the index and the version of the program: writers with others make other chunks. */
  readonly settings: string;
  readonly signal: AbortSignal | undefined;
  /** Reads the files of a batch that are here and publishes them. */
  readonly write: (batch: SharedBatch, own: OwnFiles) => Promise<unknown>;
}

/**
 * Takes the lock of the index. Helps while another writer has it whose run can be helped, and waits for it. `onJoined` is called once, before
 * that. Throws `index_busy` if the other one does not divide its run, and as {@linkcode Store.lock}.
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
      // With the lock, the batches of others would end: it is taken when they are done.
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

/** Divides the new files of a plan and writes them together with whoever helps. Returns false if they are too few. */
export async function writeShared(run: SharedRun, plan: UpdatePlan): Promise<boolean> {
  const fresh = plan.files.filter(isFresh);
  const bytes = fresh.reduce((sum, { size }) => sum + size, 0);
  if (fresh.length < WORTH_FILES && bytes < WORTH_BYTES) {
    await run.work.end();
    return false;
  }
  await run.work.divide(batchesOf(fresh, bytes));
  const own = new Map(fresh.map((file) => [file.path, file]));
  while (true) {
    run.signal?.throwIfAborted();
    if (await helpOnce(run, own)) continue;
    if (!await run.work.isUnfinished()) break;
    await wait(run.signal);
  }
  // Nobody publishes from here on. The run stays, so that others wait for its end.
  await run.work.divide([]);
  return true;
}

/** The plan that a writer carries out for a batch: of its files those that are here as they were where the run was divided. */
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

/** The files of the folder on this machine by its own rules: what a database names beside them is not read. */
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
