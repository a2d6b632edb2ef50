import type { Config } from "../config/mod.ts";
import { LazyTable } from "../embedding/mod.ts";
import { Extractor } from "../extract/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { DamagedIndexError, type IndexReader, IndexTooLargeError } from "../index/mod.ts";
import { message } from "../messages.ts";
import { register } from "../registry/mod.ts";
import {
  ensureDataFolder,
  indexPath,
  type LoadedIndex,
  loadIndex,
  removeLeftovers,
  replaceIndex,
  WriterLock,
} from "../store/mod.ts";
import { Breather } from "./breather.ts";
import { notRead } from "./failures.ts";
import { BuiltinEmbedder, workersFor } from "./builtin_embedder.ts";
import type { ChunkEmbedder } from "./chunk_embedder.ts";
import { keepPaidVectors } from "./keep_paid_vectors.ts";
import { makePlan, type Plan } from "./plan.ts";
import { type PreviousIndex, previousIndex, unreadable } from "./previous_index.ts";
import { ingestSettings, settingsName } from "./settings.ts";
import type { IngestContext, IngestOptions, IngestProgress, IngestSummary } from "./types.ts";
import { similarityBy } from "./similarity.ts";
import { type Counts, hasChanges, writeIndex } from "./write_index.ts";

/**
 * Builds or updates the index of `root` (a real path). Files that are as they were cost a stat; the new index replaces
 * the old one in one step at the end. An old one that cannot be read, or is not believed, is rebuilt. Throws `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, `index_too_large`, `index_unreadable`, or the reason of the
 * signal: the old index is then as it was.
 */
export async function ingest(
  root: string,
  config: Config,
  context: IngestContext,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  await ensureDataFolder(root);
  using _lock = await WriterLock.take(root);
  removeLeftovers(root);
  const settingsId = settingsName(ingestSettings(config, context.ownPlaces));
  const before = options.full ? {} : await previousIndex(root, settingsId, context.indexKey);
  try {
    return await build(root, config, context, options, before);
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    // damaged after it was checked: what is copied from it is checked again
    return await build(root, config, context, options, { reason: unreadable(error) });
  }
}

/** Builds the index upon the one before; the writer lock is held. Throws `DamagedIndexError` where that cannot be read on. */
async function build(
  root: string,
  config: Config,
  context: IngestContext,
  options: IngestOptions,
  { reader, reason, moved }: PreviousIndex,
): Promise<IngestSummary> {
  const began = performance.now();
  const settings = ingestSettings(config, context.ownPlaces);
  const settingsId = settingsName(settings);
  const progress: { -readonly [key in keyof IngestProgress]: IngestProgress[key] } = {
    step: "scan",
    filesDone: 0,
    filesTotal: 0,
    bytesDone: 0,
    bytesTotal: 0,
    chunks: 0,
  };
  const tell = () => options.onProgress?.({ ...progress });
  const breather = new Breather(options.signal, tell, options.spellMs);

  using previous = reader;
  const rebuildReason = reason && message(config.language, reason.key, reason.params);
  context.log.info("ingest.start", { root, full: previous === undefined, rebuildReason });

  tell();
  const plan = await makePlan(
    root,
    {
      ...settings.walk,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      believed: moved === undefined,
    },
    previous?.files ?? [],
    async () => {
      progress.filesTotal++;
      await breather.pause();
    },
  );
  progress.filesTotal = plan.files.length;
  progress.bytesTotal = plan.bytes;
  progress.step = "read";
  tell();

  let counts: Counts = { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 0, bytesRead: 0 };
  let written = false;
  const warnings: string[] = moved === undefined ? [] : [message(config.language, moved.key, moved.params)];
  if (previous === undefined || moved !== undefined || hasChanges(plan, previous)) {
    const onEmbedded = (embedded: number) => {
      progress.embedded = embedded;
      tell();
    };
    try {
      await using embedder = await openEmbedder(
        config,
        { ...context, root, onEmbedded },
        options,
        plan,
        previous,
      );
      const keeping = () => keepPaidVectors(root, context.indexKey, settings.model);
      warnings.push(...await warned(keeping, "ingest.vectors_lost", root, config, context));
      counts = await replaceIndex(root, async (file) => {
        const meta = { settings: settingsId, program: context.version };
        return await writeIndex({
          root,
          file,
          key: context.indexKey,
          previous,
          believed: moved === undefined,
          plan,
          settings,
          meta,
          progress,
          breather,
          embedder,
          extractor: context.extractor ?? Extractor.none(),
          similarity: settings.chunking.strategy === "semantic"
            ? similarityBy(context.table ?? new LazyTable())
            : undefined,
          log: context.log,
        });
      });
      written = true;
      warnings.push(...await warned(() => embedder?.commit(), "ingest.vectors_left", root, config, context));
      warnings.push(...refusedTexts(embedder, config));
    } catch (error) {
      if (error instanceof IndexTooLargeError) throw new UserError("index_too_large", { path: root });
      throw error;
    }
  } else {
    counts = { ...counts, unchanged: previous.files.filter(({ status }) => status === "indexed").length };
  }
  warnings.push(
    ...await warned(() => register(context.stateDir, root), "ingest.not_registered", root, config, context),
  );

  using current = written ? await openWritten(root, context) : undefined;
  const index = (current ?? previous)!;
  const { bytesRead, ...changes } = counts;
  const summary: IngestSummary = {
    root,
    full: previous === undefined,
    ...(rebuildReason === undefined ? {} : { rebuildReason }),
    ...changes,
    ...notRead(plan, index.files, config.language),
    files: index.files.filter(({ status }) => status === "indexed").length,
    chunks: index.chunks.length,
    indexBytes: index.size,
    bytesRead,
    seconds: (performance.now() - began) / 1000,
    written,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  progress.step = "done";
  tell();
  context.log.info("ingest.done", {
    ...summary,
    failed: summary.failed.length,
    emptyPages: summary.emptyPages?.length,
  });
  return summary;
}

/** The index that was just written. Throws `index_unreadable`. */
async function openWritten(root: string, { indexKey }: IngestContext): Promise<IndexReader> {
  const unreadable = (error: string, cause?: unknown) =>
    new UserError("index_unreadable", { path: indexPath(root), error }, { cause });
  let loaded: LoadedIndex;
  try {
    loaded = await loadIndex(root, indexKey);
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(reasonOf(error), error);
  }
  if (loaded.state === "ready") return loaded.reader;
  throw unreadable(loaded.state === "missing" ? "" : loaded.problem);
}

interface EmbedderContext {
  readonly root: string;
  readonly onEmbedded: (embedded: number) => void;
}

/** The embedder of a run; nothing where the configuration wants none. */
async function openEmbedder(
  { embedding }: Config,
  { root, indexKey, table = new LazyTable(), onEmbedded }: IngestContext & EmbedderContext,
  { fresh = false, signal }: IngestOptions,
  { bytes }: Plan,
  previous: IndexReader | undefined,
): Promise<ChunkEmbedder | undefined> {
  if (embedding.provider === "none") return undefined;
  if (embedding.provider === "builtin") return new BuiltinEmbedder(table.get(), workersFor(bytes));
  const { openRemoteEmbedder } = await import("./remote_embedder.ts");
  return await openRemoteEmbedder({
    root,
    key: indexKey,
    config: embedding,
    previous: previous?.vectors?.meta,
    fresh,
    signal,
    onEmbedded,
  });
}

/** A folder is indexed although it cannot be noted, or what is left over cannot be removed: what to tell the user. */
async function warned(
  work: () => Promise<void> | void,
  event: string,
  root: string,
  { language }: Config,
  { log }: IngestContext,
): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    log.warning(event, { root, ...error.params });
    return [message(language, error.key, error.params)];
  }
}

function refusedTexts(embedder: ChunkEmbedder | undefined, { language }: Config): string[] {
  const count = embedder?.refused ?? 0;
  return count === 0 ? [] : [message(language, "embedding_texts_refused", { count })];
}
