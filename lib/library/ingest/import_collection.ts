/**
 * Reads a collection from a stream (`transfer_stream.ts`) into a store. The index is verified in a temporary file before anything of the
 * store changes.
 */
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { isDiskFull, TemporaryFolder, writeAllSync } from "#foundation/boundary/mod.ts";
import { register } from "#foundation/registry.ts";
import {
  BlobIndex,
  DamagedIndexError,
  HEADER_BYTES,
  IndexReader,
  OutdatedIndexError,
  seal,
} from "#engine/index/mod.ts";
import {
  isPathInside,
  type RecognisedPages,
  type Store,
  type VectorModel,
  type VectorWriter,
  writeAsOne,
} from "#library/store/mod.ts";
import { type BackupFit, fitOf } from "./backup.ts";
import type { IngestContext } from "./types.ts";
import {
  type Frame,
  jsonIn,
  type MovedCounts,
  NOTHING_MOVED,
  readFrames,
  type TransferCounts,
  TransferError,
  type TransferProgress,
  vectorsIn,
} from "./transfer_stream.ts";

/** A collection in a stream, and how it fits the folder that it is for. */
export interface ImportFit extends BackupFit {
  readonly indexedAt: Date;
}

/** Options of {@linkcode importCollection}. */
interface ImportOptions extends Pick<IngestContext, "stateDir" | "log" | "indexKey"> {
  /** Path of a folder for temporary files, which does not exist yet. It needs as much room as the index, once or twice. */
  readonly tempDir: string;
  /** Name of the stream for messages. */
  readonly name: string;
  /** Whether an index that is newer is replaced. */
  readonly force: boolean;
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads a collection from a stream into a store. `accept` is called when the index was read and verified; if it returns false, nothing is
 * changed and the result is `undefined`. The index and the list of removed files are replaced at the end of a whole stream, in one step
 * each. Everything else is added to the entries of the store. Throws `import_damaged`, `import_outdated`, `import_older`, the errors of the store's
 * locks and writers, the reason of `signal`, and what `accept` throws.
 */
export async function importCollection(
  store: Store,
  input: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  accept: (fit: ImportFit) => Promise<boolean>,
): Promise<TransferCounts | undefined> {
  const { name, tempDir } = options;
  await using folder = await TemporaryFolder.make(tempDir);
  try {
    await using incoming = new Incoming(store, folder, options, accept);
    for await (const frame of readFrames(input)) {
      options.signal?.throwIfAborted();
      if (!await incoming.take(frame)) return undefined;
    }
    return await incoming.finish();
  } catch (error) {
    if (error instanceof OutdatedIndexError) {
      throw new UserError("import_outdated", { name, problem: error.message }, { cause: error });
    }
    if (error instanceof TransferError || error instanceof DamagedIndexError || error instanceof z.ZodError) {
      const problem = error instanceof z.ZodError ? "a part has another form" : error.message;
      throw new UserError("import_damaged", { name, problem }, { cause: error });
    }
    if (isDiskFull(error)) throw new UserError("disk_full", { path: tempDir }, { cause: error });
    throw error;
  }
}

type TemporaryFile = ReturnType<TemporaryFolder["create"]>;

/** A collection while it is read from a stream. */
class Incoming implements AsyncDisposable {
  readonly #store: Store;
  readonly #folder: TemporaryFolder;
  readonly #options: ImportOptions;
  readonly #accept: (fit: ImportFit) => Promise<boolean>;
  readonly #stack = new AsyncDisposableStack();
  readonly #counts: MovedCounts = { ...NOTHING_MOVED };
  #file: TemporaryFile | undefined;
  #of: number | undefined;
  #index: BlobIndex | undefined;
  #vectors: VectorWriter | undefined;
  #removed: readonly string[] | undefined;

  constructor(
    store: Store,
    folder: TemporaryFolder,
    options: ImportOptions,
    accept: (fit: ImportFit) => Promise<boolean>,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#options = options;
    this.#accept = accept;
  }

  /** Takes the next frame. Returns false if the collection is not accepted. */
  async take({ kind, content }: Frame): Promise<boolean> {
    this.#counts.bytes += content.length;
    const of = this.#of;
    this.#options.onProgress?.({
      bytes: this.#counts.bytes,
      ...(of !== undefined && { of: Math.max(of, this.#counts.bytes) }),
    });
    const isHead = kind === "header" || kind === "index" || kind === "indexHeader";
    if (isHead ? this.#index !== undefined : this.#index === undefined) {
      throw new TransferError("order of its parts");
    }
    switch (kind) {
      case "header":
        this.#of = jsonIn("header", content).bytes;
        this.#file = this.#folder.create("index");
        this.#file.seekSync(HEADER_BYTES, 0);
        break;
      case "index":
        if (this.#file === undefined) throw new TransferError("order of its parts");
        writeAllSync(this.#file, content);
        break;
      case "indexHeader":
        return await this.#openIndex(content);
      case "model":
        await this.#beginVectors(jsonIn("model", content));
        break;
      case "vectors":
        await this.#addVectors(content);
        break;
      case "recognised": {
        const { key, texts, failed, pictures, ...facts } = jsonIn("recognised", content);
        await this.#store.recognised.set(key, {
          ...facts as Pick<RecognisedPages, "isComplete" | "languages">,
          texts: new Map(texts),
          ...(failed && { failed: new Map(failed) }),
          ...(pictures && { pictures: new Map(pictures as [number, { sha256: string }][]) }),
        });
        this.#counts.recognised++;
        break;
      }
      case "generated": {
        const { key, value } = jsonIn("generated", content);
        if (await this.#store.generated.get(key) === undefined) await this.#store.generated.set(key, value);
        this.#counts.generated++;
        break;
      }
      case "evaluation": {
        const { name, text } = jsonIn("evaluation", content);
        if (await this.#store.evaluations.get(name) === undefined) {
          await this.#store.evaluations.set(name, text);
        }
        this.#counts.evaluations++;
        break;
      }
      case "removed":
        this.#removed = jsonIn("removed", content);
        break;
    }
    return true;
  }

  /** Puts the index and the list of removed files in their places. */
  async finish(): Promise<TransferCounts> {
    const store = this.#store, index = this.#index;
    if (index === undefined || this.#removed === undefined) throw new TransferError("it ends too early");
    await this.#vectors?.flush();
    using backup = await store.openBackup(await this.#forFolder(index));
    await store.restore(backup);
    const wanted = new Set(this.#removed), known = await store.removed.paths();
    await store.removed.delete(known.difference(wanted));
    await store.removed.add(wanted.difference(known));
    const { stateDir, log, name } = this.#options;
    await register(stateDir, store.root, store.elsewhere);
    log.info("import", { root: store.root, name, ...this.#counts });
    return { ...this.#counts, removed: wanted.size };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    this.#file?.close();
    this.#index?.close();
  }

  /** Opens the index, whose header came last. Returns false if the collection is not accepted. */
  async #openIndex(header: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const { indexKey, force } = this.#options;
    const file = this.#file;
    if (file === undefined || header.length !== HEADER_BYTES) throw new TransferError("order of its parts");
    // The user vouches for the stream, so the seal of the other installation is replaced.
    seal(header, indexKey);
    file.seekSync(0, 0);
    writeAllSync(file, header);
    file.seekSync(0, 0);
    this.#file = undefined;
    const reader = IndexReader.open(file, { key: indexKey });
    this.#index = new BlobIndex(reader);
    reader.verify();
    if (!reader.files.every(({ path }) => isPathInside(path))) throw new DamagedIndexError("path of a file");
    const indexedAt = new Date(this.#index.meta.indexedAt);
    const current = await indexedAtOf(this.#store);
    if (current !== undefined && current > indexedAt && !force) {
      throw new UserError("import_older", {
        ...{ name: this.#options.name, dir: this.#store.root },
        ...{ time: indexedAt.toISOString(), current: current.toISOString() },
      });
    }
    const fit = await fitOf(this.#index, this.#store.root);
    if (!await this.#accept({ ...fit, indexedAt })) return false;
    this.#counts.files = this.#index.files.length;
    this.#counts.chunks = this.#index.statistics.chunks;
    // The first lock creates the collection, which must exist before anything else is stored.
    this.#stack.use(await this.#store.lock());
    return true;
  }

  async #beginVectors(model: VectorModel): Promise<void> {
    if (this.#vectors === undefined) this.#stack.use(await this.#store.lock("vectors"));
    else await this.#vectors.flush();
    this.#vectors = this.#stack.use(await this.#store.vectors.write(model));
  }

  async #addVectors(content: Uint8Array<ArrayBuffer>): Promise<void> {
    const vectors = this.#vectors;
    if (vectors === undefined) throw new TransferError("order of its parts");
    const entries = vectorsIn(content, vectors.dimensions);
    const has = await vectors.has(entries.map(({ hash }) => hash));
    await vectors.append(entries.filter((_, i) => !has[i]));
    this.#counts.vectors += entries.length;
  }

  /** Returns the file of the index. An index of another folder is not searched, so it is written again for this folder. */
  async #forFolder(index: BlobIndex): Promise<TemporaryFile> {
    const { indexKey } = this.#options;
    const { root } = this.#store;
    if (index.meta.root === root) return this.#folder.open("index");
    const file = this.#folder.create("here");
    await writeAsOne(index, { meta: { ...index.meta, root }, vectors: index.vectors }, file, indexKey);
    file.seekSync(0, 0);
    return file;
  }
}

/** Returns when the index of a store was written; `undefined` if the store has no readable index. */
async function indexedAtOf(store: Store): Promise<Date | undefined> {
  const loaded = await store.open({ forUpdate: true });
  if (loaded.state !== "ready") return undefined;
  using index = loaded.index;
  return new Date(index.meta.indexedAt);
}
