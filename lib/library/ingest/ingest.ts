/** Builds or updates the index of a folder: plan, read, embed, write, replace. */
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { reasonOf, ThreadError, UserError } from "#foundation/errors.ts";
import { DamagedIndexError, IndexTooLargeError, type StoredFile, TermThread } from "#engine/index/mod.ts";
import {
  type IngestSettings,
  type PreviousIndex,
  previousIndex,
  settingsName,
  storeSettings,
  unreadable,
} from "./settings.ts";
import {
  type FileCounts,
  type IngestContext,
  type IngestOptions,
  type IngestSummary,
  recognitionOf,
} from "./types.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { present } from "#foundation/present.ts";
import { message } from "#foundation/messages/mod.ts";
import { register } from "#foundation/registry.ts";
import { PROGRAM_ROOT } from "#foundation/runtime.ts";
import {
  type IndexChanges,
  type IndexWriter,
  type LoadedIndex,
  type OpenIndex,
  openStore,
  type SharedBatch,
  type Store,
  type StoreLock,
} from "#library/store/mod.ts";
import { BuiltinEmbedder, similarityBy, workersFor } from "./chunk_embedder.ts";
import { notRead } from "./status.ts";
import type { Refiner } from "./generation/refiner.ts";
import { factsOfRun, IngestTrace, methodsOf } from "./ingest_trace.ts";
import { ProgressReporter } from "./progress_reporter.ts";
import { openRecognition, type Recognition } from "./recognition.ts";
import { hasChanges, planUpdate, type UpdatePlan } from "./update_plan.ts";
import { writeIndex } from "./write_index.ts";
import type { OwnFiles, SharedRun } from "./shared_run.ts";

/** Module of the thread that finds terms. The engine does not name it, because it also runs in Node. */
const TERM_WORKER = new URL("lib/engine/index/postings/term_worker.ts", PROGRAM_ROOT);

/**
 * Builds or updates the index of `root` (a real path). An unchanged file costs one stat; the new index replaces the old one
 * in a single step at the end. An old index that cannot be read or is not trusted is rebuilt. Throws `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, `index_too_large`, `index_unreadable`, with `keepsSettings`
 * `index_settings_differ`, or the reason of the signal; the old index then stays as it was, except that a run which was divided has
 * published new files.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { loadConfig } from "#foundation/configuration/mod.ts";
 * import { NO_LOG } from "#foundation/log.ts";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.writeTextFile(`${root}/notes.txt`, "Descale the coffee machine.");
 * const { config } = await loadConfig({ cwd: root, env: {} });
 * const context = { stateDir: `${root}/.state`, log: NO_LOG, version: "1.0.0", indexKey: new Uint8Array(32) };
 * equal((await ingest(root, config, context)).new, 1);
 * equal((await ingest(root, config, context)).unchanged, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function ingest(
  root: string,
  config: Config,
  context: IngestContext,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  const store = openStore(config, root, context);
  const trace = options.span && new IngestTrace(options.span);
  trace?.begin("store", { method: "open" });
  const given = { root, store, config, context, options, trace };
  const shared = options.full ? undefined : await sharedRun(given);
  await using lock = await (shared?.lock() ?? store.lock());
  const settings = await storeSettings(store, config, context.ownPlaces);
  const input = { ...given, settings, takenAway: lock.takenAway, shared: shared?.run };
  const open = async () =>
    options.full
      ? {}
      // A complete check of an index that several machines share would fetch all of it. The parts that are read are checked in any case.
      : await previousIndex(store, settingsName(settings), options.verify ?? store.isShared !== true);
  const before = await open();
  trace?.end("store", present({ reason: before.reason?.key }));
  if (before.reason?.key === "rebuild_settings" && options.keepsSettings) {
    throw new UserError("index_settings_differ", { path: root, ...before.reason.params });
  }
  let from = before, hasThreads = true;
  for (;;) {
    try {
      return await new IngestRun({ ...input, hasThreads }, from).run();
    } catch (error) {
      if (error instanceof ThreadError && hasThreads) {
        context.log.warning("ingest.without_threads", { root, reason: error.message });
        hasThreads = false;
        // The run has closed the index.
        if (from.reason === undefined) from = await open();
      } else if (error instanceof DamagedIndexError && from.reason === undefined) {
        // The old index was damaged after it was verified. Data that is copied from it is checked again.
        from = { reason: unreadable(error) };
      } else throw error;
    }
  }
}

/**
 * Returns how a run is shared with other writers; `undefined` in a store where one writer works alone. A run with `onJoined` also helps other
 * runs. It is announced before its files are known, so that other runs wait for their share.
 */
async function sharedRun(given: Omit<RunInput, "settings" | "takenAway" | "shared" | "hasThreads">) {
  const { store, config, context, options } = given;
  const work = await store.sharedWork?.();
  if (work === undefined) return undefined;
  const settings = await storeSettings(store, config, context.ownPlaces);
  // Texts that are recognised or put right are made by one writer.
  if (settings.ocr || options.refiner !== undefined) return undefined;
  const helper = new IngestRun(
    { ...given, settings, takenAway: [], shared: undefined, hasThreads: true },
    {},
  );
  const run: SharedRun = {
    work,
    settings: JSON.stringify([settingsName(settings), context.version]),
    isAnnounced: options.onJoined !== undefined,
    signal: options.signal,
    write: helper.writeBatch,
  };
  const lock = async () => {
    if (options.onJoined === undefined) return await store.lock();
    const { lockOrHelp } = await import("./shared_run.ts");
    const taken = await lockOrHelp(store, run, settings.walk, options.onJoined);
    try {
      await work.begin(run.settings);
    } catch (error) {
      await taken[Symbol.asyncDispose]();
      throw error;
    }
    return taken;
  };
  return { run, lock };
}

/** Input of an {@linkcode IngestRun}. */
interface RunInput {
  readonly root: string;
  readonly store: Store;
  readonly config: Config;
  readonly context: IngestContext;
  readonly options: IngestOptions;
  readonly settings: IngestSettings;
  /** The things that lay in the place of the store's files and were taken away. */
  readonly takenAway: StoreLock["takenAway"];
  /** How the run is shared with other writers. */
  readonly shared: SharedRun | undefined;
  /** Whether threads help. Without them a run takes longer. */
  readonly hasThreads: boolean;
  readonly trace: IngestTrace | undefined;
}

/** One attempt to update the index from the previous one, by the holder of the writer lock. */
class IngestRun {
  readonly #began = performance.now();
  readonly #input: RunInput;
  #before: PreviousIndex;
  #progress: ProgressReporter;
  readonly #warnings: string[] = [];
  #recognition: Recognition | undefined;
  /** The files that were written together with other writers; absent if none were. */
  #added: ReadonlySet<string> | undefined;
  #toRead: { readonly files: number; readonly bytes: number } | undefined;
  #table: LazyTable | undefined;

  constructor(input: RunInput, before: PreviousIndex) {
    this.#input = input;
    this.#before = before;
    this.#progress = new ProgressReporter(input.options);
  }

  /** Throws `DamagedIndexError` if the previous index turns out to be damaged. */
  async run(): Promise<IngestSummary> {
    using opened = new DisposableStack();
    const { index: first } = this.#before;
    opened.use(first);
    const { root, store, context, options, settings } = this.#input;
    const { reason } = this.#before;
    const rebuildReason = reason && this.#words(reason);
    context.log.info("ingest.start", { root, full: first === undefined, rebuildReason });
    if (settings.ocr) {
      this.#recognition = await openRecognition(store, context, options, this.#progress.reportRecognised);
    }
    let plan = await this.#plan();
    if (await this.#writeShared(plan)) {
      opened.use(this.#before.index);
      plan = await this.#plan();
    }
    const { index: previous } = this.#before;
    for (const { path, aside } of this.#input.takenAway) {
      const key = aside === undefined ? "data_entry_removed" : "data_entry_moved";
      this.#warn({ key, params: present({ path, aside }) });
    }
    if (this.#before.moved !== undefined) this.#warn(this.#before.moved);
    const counts = this.#needsWriting(plan) ? await this.#write(plan) : undefined;
    try {
      await register(context.stateDir, root, store.elsewhere);
    } catch (error) {
      // The index does not depend on it.
      if (!(error instanceof UserError)) throw error;
      context.log.warning("ingest.not_registered", { root, ...error.params });
      this.#warn(error);
    }
    using written = counts && await openWritten(store);
    const index = (written ?? previous)!;
    const { statistics: { chunks, bytes } } = index;
    this.#input.trace?.end("store", { counts: { files: index.files.length, chunks, bytes } });
    await this.#endRecognition(index);
    const summary = this.#summary(plan, counts, index, first === undefined);
    options.span?.add(factsOfRun(summary, index.files.length, this.#before.reason?.key));
    options.onState?.({ ...plan.walked, indexedAt: index.meta.indexedAt });
    if (options.onEnds !== undefined) {
      const { fileEnds } = await import("./file_ends.ts");
      options.onEnds(fileEnds({ root, plan, before: first?.files ?? [], after: index.files }));
    }
    this.#progress.begin("done");
    const [failed, emptyPages] = [summary.failed.length, summary.emptyPages?.length];
    context.log.info("ingest.done", { ...summary, failed, emptyPages });
    return summary;
  }

  /** Reads the files of a batch that are here, and publishes them. */
  readonly writeBatch = async (batch: SharedBatch, own: OwnFiles): Promise<boolean> => {
    const { planOf } = await import("./shared_run.ts");
    const { settings: { model }, context, store } = this.#input;
    const plan = planOf(batch, own);
    await using embedder = model === undefined ? undefined : new BuiltinEmbedder(
      (context.table ?? (this.#table ??= new LazyTable())).get(),
      this.#workersFor(plan),
    );
    this.#toRead ??= { files: own.size, bytes: own.values().reduce((sum, { size }) => sum + size, 0) };
    this.#progress.startReading(this.#toRead.files, this.#toRead.bytes);
    const isPublished = await batch.publish(
      embedder?.meta,
      (writer) => this.#writeInto(writer, plan, embedder, undefined),
    );
    context.log.info("ingest.batch", { store: store.location, files: plan.files.length, isPublished });
    return isPublished;
  };

  /**
   * Writes the new files of a plan together with other writers if they are many, and opens the index that has them. Returns false if they
   * are too few.
   */
  async #writeShared(plan: UpdatePlan): Promise<boolean> {
    const { shared, store, settings } = this.#input;
    if (shared === undefined) return false;
    const { index, moved, reason } = this.#before;
    // Batches are added to the previous index, so an index that is replaced as a whole cannot get any.
    if (moved !== undefined || reason !== undefined) {
      await shared.work.end();
      return false;
    }
    const { writeShared } = await import("./shared_run.ts");
    if (!await writeShared({ ...shared, write: this.writeBatch }, plan)) return false;
    const before = new Set(index?.files.map(({ path }) => path));
    this.#before = await previousIndex(store, settingsName(settings), false);
    const after = this.#before.index?.files ?? [];
    this.#added = new Set(after.map(({ path }) => path).filter((path) => !before.has(path)));
    this.#progress = new ProgressReporter(this.#input.options);
    return true;
  }

  async #endRecognition({ files }: OpenIndex): Promise<void> {
    await this.#recognition?.removeOthers(files);
    const problem = this.#recognition?.problemWith(files);
    if (problem !== undefined) this.#warn(problem);
  }

  async #plan(): Promise<UpdatePlan> {
    const { root, settings, trace, options: { signal, settleMs, changes, again, refiner } } = this.#input;
    const { index, moved } = this.#before;
    this.#progress.report();
    const believed = moved === undefined;
    // Another index may differ from the folder in other places.
    const isOfIndex = changes?.since.indexedAt === index?.meta.indexedAt && believed;
    trace?.begin("walk", { method: isOfIndex && changes !== undefined ? "changes" : "whole" });
    const plan = await planUpdate(
      root,
      {
        ...settings.walk,
        signal,
        believed,
        settleMs,
        changes: isOfIndex ? changes : undefined,
        extractor: this.#input.context.extractor ?? Extractor.none(),
        isToRead: isToRead(this.#recognition, again, refiner ?? this.#wantsRefined),
      },
      index?.files ?? [],
      { onPaths: this.#progress.pathsFound },
    );
    this.#progress.startReading(plan.files.length, plan.bytes);
    trace?.end("walk", factsOfPlan(plan));
    return plan;
  }

  /** Whether files may stay refined, although this run does not refine any. */
  get #wantsRefined(): boolean {
    const { llm } = folderConfig(this.#input.config, this.#input.root);
    return llm.provider !== "none" && llm.tasks.includes("refine");
  }

  #needsWriting(plan: UpdatePlan): boolean {
    const { index, moved } = this.#before;
    return index === undefined || moved !== undefined || hasChanges(plan, index) || this.#isMerge ||
      this.#added !== undefined;
  }

  /** Whether the run writes the whole index again because it is fragmented. */
  get #isMerge(): boolean {
    return this.#input.options.merge === true && this.#before.index?.isFragmented === true;
  }

  /** How much the plan changes; `undefined` if the whole index must be written. */
  #changes(plan: UpdatePlan): IndexChanges | undefined {
    const { index, moved } = this.#before;
    if (index === undefined || moved !== undefined || this.#isMerge) return undefined;
    const replaced = plan.files.filter(({ unchanged, known }) => !unchanged && known !== undefined)
      .map(({ known }) => index.files[known!]!);
    const chunks = [...plan.removed, ...replaced].reduce((sum, { chunkCount }) => sum + chunkCount, 0);
    return { bytes: plan.bytes, chunks };
  }

  /** Writes the new index in the place of the old one. */
  async #write(plan: UpdatePlan): Promise<FileCounts> {
    const { root, store } = this.#input;
    const { index: previous } = this.#before;
    this.#beginFiles();
    const replaced = previous === undefined ? await filesOf(store) : undefined;
    try {
      const { settings: { model }, context: { table = new LazyTable() } } = this.#input;
      await using embedder = model === undefined
        ? undefined
        : new BuiltinEmbedder(table.get(), this.#workersFor(plan));
      using thread = previous === undefined && this.#workersFor(plan) > 0
        ? new TermThread(TERM_WORKER)
        : undefined;
      const made = await store.replace(
        { previous, vectors: embedder?.meta, changes: this.#changes(plan), thread },
        (writer) => this.#writeInto(writer, plan, embedder, replaced),
      );
      const { vectorProblem } = store;
      if (vectorProblem !== undefined) {
        this.#warn({ key: "vectors_not_sent", params: { problem: this.#words(vectorProblem) } });
      }
      return made;
    } catch (error) {
      if (error instanceof IndexTooLargeError) throw new UserError("index_too_large", { path: root });
      throw error;
    }
  }

  #workersFor({ bytes }: UpdatePlan): number {
    return this.#input.hasThreads ? workersFor(bytes) : 0;
  }

  #beginFiles(): void {
    const { trace, settings, options: { refiner } } = this.#input;
    if (trace === undefined) return;
    const [recognises, refines] = [this.#recognition !== undefined, refiner !== undefined];
    trace.beginFiles(methodsOf(settings, { recognises, refines }));
  }

  #writeInto(
    writer: IndexWriter,
    plan: UpdatePlan,
    embedder: BuiltinEmbedder | undefined,
    replaced: ReadonlyMap<string, StoredFile> | undefined,
  ): Promise<FileCounts> {
    const { root, context, settings, options: { again, refiner } } = this.#input;
    return writeIndex({
      root,
      writer,
      again,
      previous: this.#before.index,
      believed: this.#before.moved === undefined,
      plan,
      replaced,
      added: this.#added,
      settings,
      meta: { settings: settingsName(settings), program: context.version },
      progress: this.#progress,
      embedder,
      extractor: context.extractor ?? Extractor.none(),
      recogniser: this.#recognition?.recogniser,
      similarity: settings.chunking.strategy === "semantic"
        ? similarityBy(context.table ?? new LazyTable())
        : undefined,
      refiner,
      log: context.log,
      trace: this.#input.trace,
    });
  }

  #summary(
    plan: UpdatePlan,
    counts: FileCounts | undefined,
    index: OpenIndex,
    full: boolean,
  ): IngestSummary {
    const { root, config: { language } } = this.#input;
    const { reason } = this.#before;
    const files = index.files.filter(({ status }) => status === "indexed").length;
    const { bytesRead, ...changes } = counts ??
      { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: files, bytesRead: 0 };
    const { unsettled } = plan.walked;
    return present({
      root,
      full,
      rebuildReason: reason && this.#words(reason),
      ...changes,
      ...notRead(plan, index.files, language),
      files,
      recognition: recognitionOf(index.files),
      chunks: index.statistics.chunks,
      indexBytes: index.statistics.bytes,
      bytesRead,
      seconds: (performance.now() - this.#began) / 1000,
      written: counts !== undefined,
      warnings: this.#warnings.length > 0 ? this.#warnings : undefined,
      unsettled: unsettled.size > 0 ? [...unsettled] : undefined,
    });
  }

  #warn(problem: Pick<UserError, "key" | "params">): void {
    this.#warnings.push(this.#words(problem));
  }

  #words({ key, params }: Pick<UserError, "key" | "params">): string {
    return message(this.#input.config.language, key, params);
  }
}

/** The facts about a plan. */
function factsOfPlan({ files, removed, skipped, unreadable, bytes, walked }: UpdatePlan) {
  const unchanged = files.filter((file) => file.unchanged).length;
  return {
    counts: {
      ...{ files: files.length, toRead: files.length - unchanged, unchanged, removed: removed.length },
      ...{ folders: walked.folders.size, unreadable: unreadable.length, bytes },
    },
    skipped,
  };
}

/**
 * Whether a file that has not changed is read nevertheless: its scans were recognised, its chunks are to be refined or not to be refined
 * any more, or the caller wants it.
 */
function isToRead(
  recognition: Recognition | undefined,
  again: IngestOptions["again"],
  refiner: Refiner | boolean,
): (old: StoredFile) => boolean | Promise<boolean> {
  const isOther = (old: StoredFile) =>
    typeof refiner === "boolean" ? !refiner && old.refined !== undefined : refiner.isToRead(old);
  return (old) => again?.has(old.path) || isOther(old) || (recognition?.isToRead(old) ?? false);
}

/** The files of an index that is made anew, by path; none if it cannot be read. */
async function filesOf(store: Store): Promise<Map<string, StoredFile>> {
  try {
    const loaded = await store.open();
    using index = loaded.state === "ready" ? loaded.index : undefined;
    return new Map(index?.files.map((file) => [file.path, file]));
  } catch {
    return new Map();
  }
}

/** Opens the index that was just written. Throws `index_unreadable`. */
async function openWritten(store: Store): Promise<OpenIndex> {
  const unreadable = (error: string, cause?: unknown) =>
    new UserError("index_unreadable", { path: store.indexLocation, error }, { cause });
  let loaded: LoadedIndex;
  try {
    loaded = await store.open();
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(reasonOf(error), error);
  }
  if (loaded.state === "ready") return loaded.index;
  throw unreadable(loaded.state === "missing" ? "" : loaded.problem);
}
