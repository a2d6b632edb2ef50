/**
 * Writes a whole collection as a stream of bytes (`transfer_stream.ts`) for another store: the index, the vectors of neural models,
 * recognised texts, results of language models, runs of evaluations, and the list of removed files. A backup has the index alone, and
 * only the installation that made it can restore it.
 */
import { reasonOf, UserError } from "#foundation/errors.ts";
import { HEADER_BYTES } from "#engine/index/mod.ts";
import {
  type ByteSink,
  HashSlots,
  type OpenIndex,
  openReady,
  pictureKey,
  type RecognisedPages,
  type Store,
  type VectorModel,
} from "#library/store/mod.ts";
import {
  FrameWriter,
  NOTHING_MOVED,
  type TransferCounts,
  type TransferProgress,
  vectorRecords,
} from "./transfer_stream.ts";

/** Bytes of the index in a frame. */
const PIECE_BYTES = 1 << 20;
/** Chunks whose vectors are read at once. */
const CHUNKS_AT_ONCE = 1000;
/** Results of language models that are written without a pause. */
const RESULTS_AT_ONCE = 256;

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
  const counts = { ...NOTHING_MOVED, files: index.files.length, chunks };
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
    if (++counts.generated % RESULTS_AT_ONCE === 0) await pause();
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
  for (let from = 0; from < index.statistics.chunks; from += CHUNKS_AT_ONCE) {
    const length = Math.min(CHUNKS_AT_ONCE, index.statistics.chunks - from);
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
        vectorRecords(known.map(({ hash }, i) => ({ hash, vector: vectors[i]! })), dimensions),
      );
    }
    count += known.length;
    await pause();
  }
  return count;
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
