/**
 * Moves a whole collection from one store to another through a stream of bytes (`transfer_stream.ts`): the index, the vectors of neural
 * models, recognised texts, results of language models, runs of evaluations, and the list of removed files. A backup has the index alone,
 * and only the installation that made it can restore it.
 */
import * as z from "zod";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { isDiskFull, TemporaryFolder, writeAllSync } from "#foundation/boundary/mod.ts";
import { register } from "#foundation/registry.ts";
import {
  BlobIndex,
  DamagedIndexError,
  HASH_BYTES,
  HEADER_BYTES,
  IndexReader,
  IndexWriter,
  OutdatedIndexError,
  quantizeRow,
  seal,
} from "#engine/index/mod.ts";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import {
  type ByteSink,
  type ContentVector,
  HashSlots,
  isPathInside,
  type OpenIndex,
  openReady,
  pictureKey,
  type RecognisedPages,
  type Store,
  type VectorModel,
  vectorOf,
  type VectorWriter,
} from "#library/store/mod.ts";
import { type BackupFit, fitOf } from "./backup.ts";
import type { IngestContext } from "./types.ts";
import { type Frame, FrameWriter, readFrames, TransferError } from "./transfer_stream.ts";

/** Bytes of the index in a frame, and vectors and chunks that are looked at together. */
const PIECE_BYTES = 1 << 20, VECTORS = 1000;
/** Files that an index takes over without a pause. */
const FILES_AT_ONCE = 256;

const SHA256 = z.string().regex(/^[0-9a-f]{64}$/);
const HEADER = z.object({ format: z.literal(1), program: z.string().max(100), bytes: z.number().min(0) });
const MODEL = z.object({ id: z.string().min(1).max(1000), dimensions: z.int().min(1).max(MAX_DIMENSIONS) });
const NUMBER = z.int().min(0);
const FAILED = z.enum(["too_complex", "unreadable"]);
const PICTURE = z.object({ sha256: SHA256, text: z.string().optional(), failed: FAILED.optional() });
const RECOGNISED = z.object({
  key: z.string().regex(/^[0-9a-f]{64}(-picture)?$/),
  texts: z.array(z.tuple([NUMBER, z.string()])),
  failed: z.array(z.tuple([NUMBER, FAILED])).optional(),
  pictures: z.array(z.tuple([NUMBER, PICTURE])).optional(),
  left: NUMBER.optional(),
  isComplete: z.boolean(),
  languages: z.string(),
});
const GENERATED = z.object({ key: SHA256, value: z.unknown() });
const EVALUATION = z.object({ name: z.string().regex(/^\d{4}[0-9A-Za-z-]{1,60}$/), text: z.string() });
const REMOVED = z.array(z.string().refine(isPathInside));

/** The numbers of things that were moved. */
export interface TransferCounts {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly recognised: number;
  readonly generated: number;
  readonly evaluations: number;
  readonly removed: number;
  /** Of the stream. */
  readonly bytes: number;
}

type Counts = { -readonly [Name in keyof TransferCounts]: number };

const NOTHING: Counts = {
  ...{ files: 0, chunks: 0, vectors: 0, recognised: 0, generated: 0, evaluations: 0, removed: 0, bytes: 0 },
};

/** How far a transfer is: bytes so far, and about how many there will be, where that is known. */
export interface TransferProgress {
  readonly bytes: number;
  readonly of?: number;
}

/** Options of {@linkcode exportCollection}. */
interface ExportOptions {
  /** Takes all bytes of the stream. */
  readonly write: (bytes: Uint8Array) => void;
  /** Ids of the neural models whose vectors are moved. */
  readonly models: readonly string[];
  readonly version: string;
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
}

/** Writes a collection as a stream. Throws `index_not_ready`, the reason of `signal`, and what `write` throws. */
export async function exportCollection(
  store: Store,
  { write, models, version, onProgress = () => {}, signal }: ExportOptions,
): Promise<TransferCounts> {
  using index = await openReady(store);
  try {
    await index.verify();
  } catch (error) {
    throw new UserError("index_not_ready", { path: store.root, problem: reasonOf(error) }, { cause: error });
  }
  const { bytes, chunks } = index.statistics;
  const frames = new FrameWriter((bytes) => {
    signal?.throwIfAborted();
    write(bytes);
  });
  const counts = { ...NOTHING, files: index.files.length, chunks };
  const pause = async () => {
    onProgress({ bytes: frames.size, of: Math.max(bytes, frames.size) });
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  };
  frames.json("header", { format: 1, program: version, bytes });
  const sink = new IndexSink(frames);
  await store.backUp(index, sink);
  sink.end();
  await pause();
  for (const model of models) counts.vectors += await exportVectors(store, index, model, frames, pause);
  counts.recognised = await exportRecognised(store, index, frames, pause);
  for (const key of await store.generated.keys()) {
    const value = await store.generated.get(key);
    if (value === undefined) continue;
    frames.json("generated", { key, value });
    if (++counts.generated % FILES_AT_ONCE === 0) await pause();
  }
  for (const name of await store.evaluations.names()) {
    const text = await store.evaluations.get(name);
    if (text === undefined) continue;
    frames.json("evaluation", { name, text });
    counts.evaluations++;
  }
  const removed = [...await store.removed.paths()];
  frames.json("removed", removed);
  frames.end();
  return { ...counts, removed: removed.length, bytes: frames.size };
}

/** Takes the bytes of an index. Its header, which is written last, becomes a frame of its own. */
class IndexSink implements ByteSink {
  readonly #frames: FrameWriter;
  readonly #header = new Uint8Array(HEADER_BYTES);
  readonly #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;
  #at = 0;
  /** Offset of the next byte that is not in a frame or the piece. */
  #end = HEADER_BYTES;

  constructor(frames: FrameWriter) {
    this.#frames = frames;
  }

  writeSync(bytes: Uint8Array): number {
    if (this.#at < HEADER_BYTES) {
      const some = bytes.subarray(0, HEADER_BYTES - this.#at);
      this.#header.set(some, this.#at);
      this.#at += some.length;
      return some.length;
    }
    if (this.#at !== this.#end) throw new TypeError("an index is written from its start to its end");
    const some = bytes.subarray(0, PIECE_BYTES - this.#filled);
    this.#piece.set(some, this.#filled);
    this.#filled += some.length;
    this.#at = this.#end += some.length;
    if (this.#filled === PIECE_BYTES) this.#flush();
    return some.length;
  }

  seekSync(offset: number): number {
    return this.#at = offset;
  }

  syncSync(): void {}

  end(): void {
    this.#flush();
    this.#frames.frame("indexHeader", this.#header);
  }

  #flush(): void {
    if (this.#filled > 0) this.#frames.frame("index", this.#piece.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

/** Writes the vectors that a model has for the texts of an index. Returns their number. */
async function exportVectors(
  store: Store,
  index: OpenIndex,
  id: string,
  frames: FrameWriter,
  pause: () => Promise<void>,
): Promise<number> {
  const dimensions = await store.vectors.dimensions(id);
  if (dimensions === undefined) return 0;
  using reader = store.vectors.read({ id, dimensions });
  await reader.refresh();
  frames.json("model", { id, dimensions } satisfies VectorModel);
  const seen = new HashSlots();
  let count = 0;
  for (let from = 0; from < index.statistics.chunks; from += VECTORS) {
    const length = Math.min(VECTORS, index.statistics.chunks - from);
    const hashes = (await index.contentHashes(Int32Array.from({ length }, (_, i) => from + i)))
      .filter((hash) => {
        const isNew = seen.get(hash) === undefined;
        if (isNew) seen.set(hash, 0);
        return isNew;
      });
    const rows = await reader.rowsOf(hashes);
    const known = hashes.flatMap((hash, i) => rows[i]! < 0 ? [] : [{ hash, row: rows[i]! }]);
    const vectors = await reader.vectors(Int32Array.from(known, ({ row }) => row));
    if (known.length > 0) {
      frames.frame(
        "vectors",
        recordsOf(known.map(({ hash }, i) => ({ hash, vector: vectors[i]! })), dimensions),
      );
    }
    count += known.length;
    await pause();
  }
  return count;
}

function recordsOf(entries: readonly ContentVector[], dimensions: number): Uint8Array {
  const size = HASH_BYTES + 4 + dimensions;
  const bytes = new Uint8Array(entries.length * size);
  const view = new DataView(bytes.buffer), numbers = new Int8Array(bytes.buffer);
  for (const [i, { hash, vector }] of entries.entries()) {
    const at = i * size;
    bytes.set(hash.subarray(0, HASH_BYTES), at);
    view.setFloat32(at + HASH_BYTES, quantizeRow(vector, numbers, at + HASH_BYTES + 4), true);
  }
  return bytes;
}

/** Reads what {@linkcode recordsOf} wrote. Throws {@linkcode TransferError}. */
function entriesIn(bytes: Uint8Array<ArrayBuffer>, dimensions: number): ContentVector[] {
  const size = HASH_BYTES + 4 + dimensions;
  if (bytes.length % size !== 0) throw new TransferError("length of vectors");
  const view = new DataView(bytes.buffer), numbers = new Int8Array(bytes.buffer);
  return Array.from({ length: bytes.length / size }, (_, i) => {
    const at = i * size, from = at + HASH_BYTES + 4;
    const scale = view.getFloat32(at + HASH_BYTES, true);
    // The greatest number of a vector of length 1 is at most 1.
    if (!(scale >= 0 && scale <= 1 / 126)) throw new TransferError("scale of a vector");
    return {
      hash: bytes.subarray(at, at + HASH_BYTES),
      vector: vectorOf(numbers.subarray(from, from + dimensions), scale),
    };
  });
}

/** Writes the texts that were recognised in the documents of an index, and in their pictures. Returns their number. */
async function exportRecognised(
  store: Store,
  { files }: OpenIndex,
  frames: FrameWriter,
  pause: () => Promise<void>,
): Promise<number> {
  const done = new Set<string>();
  const add = async (key: string): Promise<RecognisedPages | undefined> => {
    if (done.has(key)) return undefined;
    const pages = await store.recognised.get(key);
    if (pages === undefined) return undefined;
    done.add(key);
    const { texts, failed, pictures, ...facts } = pages;
    const lists = { texts: [...texts], failed: failed && [...failed], pictures: pictures && [...pictures] };
    frames.json("recognised", { key, ...facts, ...lists });
    await pause();
    return pages;
  };
  for (
    const { sha256, recognised, recognisedImages, recognition, unrecognised, unrecognisedImages } of files
  ) {
    const was = recognised ?? recognisedImages ?? recognition ?? unrecognised ?? unrecognisedImages;
    if (was === undefined || sha256 === "") continue;
    const pages = await add(sha256);
    for (const picture of pages?.pictures?.values() ?? []) await add(pictureKey(picture.sha256));
  }
  return done.size;
}

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
 * Reads a collection from a stream into a store. `accept` is asked when the index was read and verified; if it says no, nothing is changed
 * and the result is `undefined`. The index and the list of removed files are replaced at the end of a whole stream, in one step each; what
 * is kept by content is added to what is there. Throws `import_damaged`, `import_outdated`, `import_older`, the errors of the store's
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
  readonly #counts: Counts = { ...NOTHING };
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
        this.#of = HEADER.parse(jsonOf(content)).bytes;
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
        await this.#beginVectors(MODEL.parse(jsonOf(content)));
        break;
      case "vectors":
        await this.#addVectors(content);
        break;
      case "recognised": {
        const { key, texts, failed, pictures, ...facts } = RECOGNISED.parse(jsonOf(content));
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
        const { key, value } = GENERATED.parse(jsonOf(content));
        if (await this.#store.generated.get(key) === undefined) await this.#store.generated.set(key, value);
        this.#counts.generated++;
        break;
      }
      case "evaluation": {
        const { name, text } = EVALUATION.parse(jsonOf(content));
        if (await this.#store.evaluations.get(name) === undefined) {
          await this.#store.evaluations.set(name, text);
        }
        this.#counts.evaluations++;
        break;
      }
      case "removed":
        this.#removed = REMOVED.parse(jsonOf(content));
        break;
    }
    return true;
  }

  /** Puts the index and the list of removed files in their places. */
  async finish(): Promise<TransferCounts> {
    const { store, index } = { store: this.#store, index: this.#index };
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
    // It begins a collection of which nothing is kept.
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
    const entries = entriesIn(content, vectors.dimensions);
    const has = await vectors.has(entries.map(({ hash }) => hash));
    await vectors.append(entries.filter((_, i) => !has[i]));
    this.#counts.vectors += entries.length;
  }

  /** The file of the index, written anew if it was made for another folder: an index of another folder is not searched. */
  async #forFolder(index: BlobIndex): Promise<TemporaryFile> {
    const { indexKey } = this.#options;
    const { root } = this.#store;
    if (index.meta.root === root) return this.#folder.open("index");
    const file = this.#folder.create("here");
    const writer = new IndexWriter(file, indexKey, [index.reader], index.vectors);
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
    for (const number of index.files.keys()) {
      writer.keep(undefined, number);
      if (number % FILES_AT_ONCE === 0) await pause();
    }
    await writer.finish({ ...index.meta, root }, pause);
    file.seekSync(0, 0);
    return file;
  }
}

/** When the index of a store was written; `undefined` where there is none that can be read. */
async function indexedAtOf(store: Store): Promise<Date | undefined> {
  const loaded = await store.open({ forUpdate: true });
  if (loaded.state !== "ready") return undefined;
  using index = loaded.index;
  return new Date(index.meta.indexedAt);
}

function jsonOf(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    throw new TransferError("a part that is no JSON");
  }
}
