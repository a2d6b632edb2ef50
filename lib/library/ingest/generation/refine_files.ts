/**
 * Puts the chunks of an index right. First the model is asked for the operations, while searches and updates go on. Then the files of
 * which all operations are known are read into the index again.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import type { Generator } from "#library/generate/mod.ts";
import { type OpenIndex, openStore } from "#library/store/mod.ts";
import { ingest } from "../ingest.ts";
import { isRecord, readFile } from "../read_file.ts";
import { ingestSettings } from "../settings.ts";
import type { IngestContext } from "../types.ts";
import { Refiner } from "./refiner.ts";

/** How many files of an index have chunks that were put right. */
export interface RefinedShare {
  readonly total: number;
  readonly done: number;
}

/** Options of {@linkcode refineFiles}. */
interface RefineOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: RefinedShare) => void;
  /** Awaited before each file. */
  readonly pause?: () => Promise<void>;
  /** Whether requests are only counted, by a generator that does so, and the index stays as it is. */
  readonly isEstimate?: boolean;
}

/** Files that are read at once, at most; each may have many chunks to ask about. */
const AT_ONCE = 4;

/**
 * Puts the chunks right of files that still need it, as far as the model answers. `made`: number of files. Throws `index_busy` if another
 * process does the same or writes the index, the errors of the store and of {@linkcode ingest}, and the reason of the signal. The answers of
 * the model until then are kept and not asked for again.
 */
export async function refineFiles(
  root: string,
  config: Config,
  context: IngestContext,
  generator: Generator,
  options: RefineOptions = {},
): Promise<RefinedShare & { readonly made: number }> {
  const { signal, onProgress = () => {}, pause = () => Promise.resolve(), isEstimate = false } = options;
  const store = openStore(config, root, context);
  const settings = ingestSettings(root, config, context.ownPlaces);
  if (!hasLines(settings.chunking) || await store.version() === undefined) {
    return { total: 0, done: 0, made: 0 };
  }
  await using _lock = await store.lock("generation");
  const refiner = await Refiner.of(generator, { makes: true, ...(signal && { signal }) });
  const loaded = await store.open();
  if (loaded.state !== "ready") return { total: 0, done: 0, made: 0 };
  const files = loaded.index.files.filter(canBeRefined);
  loaded.index.close();
  const missing = files.filter((file) => refiner.isToRead(file));
  const before = files.length - missing.length;
  onProgress({ total: files.length, done: before });
  const { extractor = Extractor.none() } = context;
  const folder = new FolderFiles(root, { extractor, maxBytes: settings.walk.maxFileBytes });
  const known = new Set<string>();
  const rest = missing.values();
  const work = async () => {
    for (const file of rest) {
      if (generator.ended !== undefined) return;
      await pause();
      signal?.throwIfAborted();
      const read = await readFile(file.path, file, { files: folder, settings, extractor });
      if (isRecord(read) || read.content === undefined || !("document" in read.content)) continue;
      const { refined } = await refiner.refine(read.content.document, settings.chunking);
      if (refined !== undefined) known.add(file.path);
      onProgress({ total: files.length, done: before + known.size });
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  if (known.size > 0 && !isEstimate) {
    const again = { again: known, refiner: await Refiner.of(generator), keepsSettings: true, verify: false };
    await ingest(root, config, context, { ...again, ...(signal && { signal }) });
  }
  return { total: files.length, done: before + known.size, made: known.size };
}

/** Counts the files whose chunks were put right, without a connection. A file with a chunk of which nothing is known is missing. */
export async function refinedShare(
  index: OpenIndex,
  { chunking }: Pick<Config, "chunking">,
  generator: Generator,
): Promise<RefinedShare> {
  if (!hasLines(chunking)) return { total: 0, done: 0 };
  const refiner = await Refiner.of(generator, { makes: true });
  const files = index.files.filter(canBeRefined);
  return { total: files.length, done: files.filter((file) => !refiner.isToRead(file)).length };
}

/** Whether chunks are lines that belong together. Those by meaning are not, and depend on vectors. */
function hasLines({ strategy }: { readonly strategy?: string | undefined }): boolean {
  return strategy !== "semantic";
}

/** Whether the chunks of a file can be put right. Recognised text comes from elsewhere, and has no lines to rely on. */
function canBeRefined({ status, recognised, recognisedImages, recognition }: StoredFile): boolean {
  return status === "indexed" && recognised === undefined && recognisedImages === undefined &&
    recognition === undefined;
}
