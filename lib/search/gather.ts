import type { OpenIndex } from "../store/mod.ts";
import type { Collection, Filter } from "./collection.ts";
import type { RankedChunk, Ranking } from "./rank/mod.ts";
import { fingerprintOf } from "./same_text.ts";
import { type ReadChunk, selectChunks, type SelectedChunk } from "./select.ts";

/** Input of a {@linkcode Gathering}. */
export interface GatheringOptions {
  readonly collection: Collection;
  readonly ranking: Pick<Ranking, "best">;
  /** Chunks of one file at most. */
  readonly perFile: number;
  /** Chunks taken from the ranking at a time. */
  readonly candidates: number;
  readonly filter: Filter | undefined;
  /** Whether a chunk is like the question at all. */
  readonly isLike: (chunk: RankedChunk) => boolean;
}

/** Passes after which an answer stays short although long files may still hide other ones. */
const MAX_PASSES = 8;

/** Of a longer text only the beginning is compared with others. */
const MAX_COMPARED_BYTES = 1 << 16;

/**
 * Gathers the best chunks of a ranking: at most `perFile` of one file, and one of those that say the same. Where long files
 * take all places, they are left out and the ranking is asked again. To select more, chunks seen before come first.
 */
export class Gathering {
  readonly #options: GatheringOptions;
  /** The files that are left out by now. */
  readonly #exceptFiles = new Map<OpenIndex, Set<number>>();
  readonly #ranked = new Map<number, RankedChunk>();
  readonly #read = new Map<number, ReadChunk>();
  #considered: readonly RankedChunk[] = [];
  #passes = 0;

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  /** All chunks that the ranking has given, best first. */
  get considered(): readonly RankedChunk[] {
    return this.#considered;
  }

  /** The `limit` best chunks; fewer if there are no more. */
  async select(limit: number): Promise<readonly SelectedChunk[]> {
    const { perFile, isLike } = this.#options;
    const selection = { limit, perFile, read: (chunks: readonly RankedChunk[]) => this.#readAll(chunks) };
    if (this.#passes === 0) await this.#ask();
    for (;;) {
      const selected = await selectChunks(this.#considered.filter(isLike), selection);
      // a pass that leaves no more files out than the one before would find nothing new
      if (selected.length === limit || this.#passes === MAX_PASSES || !this.#leaveOut(selected)) {
        return selected;
      }
      await this.#ask();
    }
  }

  async #ask(): Promise<void> {
    const { ranking, candidates, filter } = this.#options;
    const ranked = await ranking.best({ limit: candidates, filter, exceptFiles: this.#exceptFiles });
    for (const chunk of ranked) this.#ranked.set(chunk.id, chunk);
    this.#considered = [...this.#ranked.values()].sort((a, b) => b.score - a.score || a.id - b.id);
    this.#passes++;
  }

  async #readAll(chunks: readonly RankedChunk[]): Promise<ReadChunk[]> {
    const { collection } = this.#options;
    const unread = chunks.filter(({ id }) => !this.#read.has(id)).sort((a, b) => a.id - b.id);
    const ids = Int32Array.from(unread, ({ id }) => id);
    const stored = await collection.chunks(ids);
    const texts = await collection.texts(ids, MAX_COMPARED_BYTES);
    for (const [i, chunk] of unread.entries()) {
      this.#read.set(chunk.id, { ...chunk, stored: stored[i]!, print: fingerprintOf(texts[i]!) });
    }
    return chunks.map(({ id }) => this.#read.get(id)!);
  }

  /** Leaves out the files that have all their places; returns whether one of them was not left out before. */
  #leaveOut(selected: readonly SelectedChunk[]): boolean {
    const { perFile } = this.#options;
    const counts = Map.groupBy(selected, ({ filePath }) => filePath);
    let isNew = false;
    for (const { index, file, filePath } of this.#considered) {
      if (counts.get(filePath)?.length !== perFile) continue;
      let files = this.#exceptFiles.get(index);
      if (files === undefined) this.#exceptFiles.set(index, files = new Set());
      isNew ||= !files.has(file);
      files.add(file);
    }
    return isNew;
  }
}
