/** The texts that language models made of chunks, put into an index that is complete without them. */
import { type Generated, LANGUAGE_CODES, type StoredChunk, type StoredFile } from "#engine/index/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import type { OpenIndex, Store } from "#library/store/mod.ts";

/** A chunk of an index with what is known about it. */
export interface IndexedChunk {
  readonly number: number;
  readonly file: StoredFile;
  readonly stored: StoredChunk;
  readonly text: string;
  /** The language of prompts for it. */
  readonly language: Language;
  readonly generated: Generated | undefined;
}

/** Chunks that are read at once. */
const BATCH = 256;
/** More of a chunk is not read. A chunk is longer only with `chunks_per_file`. */
const MOST_BYTES = 200_000;

/** Yields the chunks of an index in batches, or those with given numbers in ascending order. */
export async function* chunksOf(
  index: OpenIndex,
  numbers: Iterable<number> = Array(index.statistics.chunks).keys(),
): AsyncGenerator<readonly IndexedChunk[]> {
  const rest = Iterator.from(numbers);
  for (;;) {
    const ids = Int32Array.from(rest.take(BATCH).toArray());
    if (ids.length === 0) return;
    yield await readChunks(index, ids);
  }
}

/** Returns chunks with given numbers in ascending order. */
export async function readChunks(index: OpenIndex, ids: Int32Array): Promise<readonly IndexedChunk[]> {
  const [stored, texts, generated] = await Promise.all([
    index.chunks(ids),
    index.texts(ids, MOST_BYTES),
    index.generated(ids),
  ]);
  return Array.from(ids, (number, i): IndexedChunk => ({
    number,
    file: index.files[stored[i]!.file]!,
    stored: stored[i]!,
    text: texts[i]!,
    language: stored[i]!.language === LANGUAGE_CODES.zh ? "zh" : "en",
    generated: generated[i],
  }));
}

/** Returns what a chunk gets: other generated texts, `null` for none, `undefined` for those that it has. */
export type ChangeOf = (chunk: IndexedChunk) => Promise<Generated | null | undefined>;

/**
 * Gives the chunks of an index other generated texts, where `changeOf` has any. Waits for the lock of the index. Returns whether the index
 * was written. Throws as `Store.lock` and `Store.replace` do.
 */
export async function writeGenerated(
  store: Store,
  changeOf: ChangeOf,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
): Promise<boolean> {
  await using _lock = await store.lock();
  const loaded = await store.open();
  if (loaded.state !== "ready") return false;
  using index = loaded.index;
  const changed = new Map<number, Generated | null>();
  for await (const chunks of chunksOf(index)) {
    for (const chunk of chunks) {
      const change = await changeOf(chunk);
      if (change !== undefined && (change !== null || chunk.generated !== undefined)) {
        changed.set(chunk.number, change);
      }
    }
    await pause();
  }
  if (changed.size === 0) return false;
  const isChanged = ({ firstChunk, chunkCount }: StoredFile) =>
    Array.from({ length: chunkCount }, (_, i) => firstChunk + i).some((chunk) => changed.has(chunk));
  const generatedFiles = [...index.files.keys()].filter((file) => isChanged(index.files[file]!));
  const { tokenizer: _, ...meta } = index.meta;
  await store.replace(
    { previous: index, changes: { bytes: 0, chunks: 0 }, generatedFiles, vectors: index.vectors },
    async (writer) => {
      for (const [file, { firstChunk }] of index.files.entries()) {
        await writer.keep(undefined, file, (chunk) => changed.get(firstChunk + chunk));
      }
      await writer.finish(meta, pause);
    },
  );
  return true;
}

/** Removes all generated texts from an index, because none are wanted any more. Returns whether there were any. */
export async function removeGenerated(store: Store): Promise<boolean> {
  const loaded = await store.open();
  if (loaded.state !== "ready") return false;
  const { hasGenerated } = loaded.index;
  loaded.index.close();
  return hasGenerated && await writeGenerated(store, () => Promise.resolve(null));
}
