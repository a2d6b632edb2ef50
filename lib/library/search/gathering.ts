/** Chunks for an answer: the best of a ranking, few of one file, and one of those with the same text. */
import type { Filter, Segments } from "#engine/segments.ts";
import type { RankedChunk, Ranking } from "#engine/rank/mod.ts";
import {
  fingerprintOf,
  type ReadChunk,
  selectChunks,
  type Selected,
  type SelectedChunk,
} from "./passages.ts";
import { compareRanked } from "./reranking.ts";
import type { SearchTrace } from "./search_trace.ts";
import type { OpenIndex } from "#library/store/mod.ts";

/** Input of a {@linkcode Gathering}. */
interface GatheringOptions {
  readonly segments: Segments;
  readonly ranking: Pick<Ranking, "best">;
  /** Maximum number of chunks of one file. */
  readonly perFile: number;
  /** Number of chunks requested from the ranking at once for a number of hits. */
  readonly candidates: (hits: number) => number;
  /** Number of hits until {@linkcode Gathering.deepen} is called. */
  readonly hits: number;
  readonly filter: Filter | undefined;
  /** Whether a chunk has anything in common with the question, and whether it is likely enough to answer it. */
  readonly isLike: (chunk: RankedChunk) => boolean;
  readonly isHighEnough: (chunk: RankedChunk) => boolean;
  readonly trace: SearchTrace | undefined;
}

/** Maximum number of passes. After them, an answer may be too short because long files hide other files. */
const MAX_PASSES = 8;

/** Only this many bytes of a text are compared with other texts. */
const MAX_COMPARED_BYTES = 1 << 16;

/**
 * Gathers the best chunks of a ranking: at most `perFile` of one file, and only one of chunks with the same text. If long
 * files fill the list, they are excluded and the ranking is asked again. A later call that selects more starts from the
 * chunks already seen.
 */
export class Gathering {
  readonly #options: GatheringOptions;
  /** The files that are excluded so far. */
  readonly #exceptFiles = new Map<OpenIndex, Set<number>>();
  readonly #ranked = new Map<number, RankedChunk>();
  readonly #read = new Map<number, ReadChunk>();
  #considered: readonly RankedChunk[] = [];
  /** The chunks that stay at the beginning, best first. */
  #first: readonly SelectedChunk[] = [];
  #hits: number;
  #passes = 0;
  #lowerDegree = 0;

  constructor(options: GatheringOptions) {
    this.#options = options;
    this.#hits = options.hits;
  }

  /** All chunks that the ranking has returned, best first. */
  get considered(): readonly RankedChunk[] {
    return this.#considered;
  }

  /**
   * Keeps chunks, which were selected, at the beginning of the next selections, and has the next one ask the ranking for
   * the candidates of more hits.
   */
  deepen(first: readonly SelectedChunk[], hits: number): void {
    this.#first = first;
    this.#hits = hits;
    this.#passes = 0;
  }

  /** Returns the `limit` best chunks, or fewer if there are no more. */
  async select(limit: number): Promise<Selected> {
    const { perFile } = this.#options;
    if (this.#passes === 0) await this.#ask();
    for (;;) {
      const read = (chunks: readonly RankedChunk[]) => this.#readAll(chunks);
      const selected = await selectChunks(this.#inOrder(), limit, perFile, read);
      // A pass that excludes the same files as the last one would find nothing new.
      const { chunks } = selected;
      if (chunks.length === limit || this.#passes === MAX_PASSES || !this.#leaveOut(chunks)) return selected;
      await this.#ask();
    }
  }

  /** Number of chunks that were left out because they are not likely enough to answer. */
  get lowerDegree(): number {
    return this.#lowerDegree;
  }

  /** The chunks best first, none of them more likely to answer than the one before. */
  #inOrder(): RankedChunk[] {
    const { isLike, isHighEnough } = this.#options;
    const ids = new Set(this.#first.map(({ id }) => id));
    const rest = this.#considered.filter((chunk) => isLike(chunk) && !ids.has(chunk.id));
    const all = withFallingChances([...this.#first, ...rest]);
    const likely = all.filter(isHighEnough);
    this.#lowerDegree = all.length - likely.length;
    return likely;
  }

  async #ask(): Promise<void> {
    const { ranking, candidates, filter, trace } = this.#options;
    trace?.leave();
    const hits = this.#hits;
    const limit = candidates(hits);
    const ranked = await ranking.best({ limit, hits, filter, exceptFiles: this.#exceptFiles });
    trace?.enter("selection", { method: "per_file_limit" });
    for (const chunk of ranked) this.#ranked.set(chunk.id, chunk);
    this.#considered = [...this.#ranked.values()].sort(compareRanked);
    this.#passes++;
  }

  async #readAll(chunks: readonly RankedChunk[]): Promise<ReadChunk[]> {
    const { segments } = this.#options;
    const unread = chunks.filter(({ id }) => !this.#read.has(id)).sort((a, b) => a.id - b.id);
    const ids = Int32Array.from(unread, ({ id }) => id);
    const [stored, texts] = await Promise.all([
      segments.chunks(ids),
      segments.texts(ids, MAX_COMPARED_BYTES),
    ]);
    for (const [i, chunk] of unread.entries()) {
      this.#read.set(chunk.id, { ...chunk, stored: stored[i]!, print: fingerprintOf(texts[i]!) });
    }
    return chunks.map(({ id, chance }) => ({ ...this.#read.get(id)!, chance }));
  }

  /** Excludes the files that have reached their limit. Returns whether a file was newly excluded. */
  #leaveOut(selected: readonly SelectedChunk[]): boolean {
    const { perFile } = this.#options;
    const counts = Map.groupBy(selected, ({ filePath }) => filePath);
    let isNew = false;
    for (const { index, file, filePath } of this.#considered) {
      if (counts.get(filePath)?.length !== perFile) continue;
      const files = this.#exceptFiles.get(index) ?? new Set();
      isNew ||= !files.has(file);
      this.#exceptFiles.set(index, files.add(file));
    }
    return isNew;
  }
}

/**
 * Returns the chunks with chances that never rise. The order has more to go by than the chance: what stands below another chunk is
 * not more likely to answer.
 */
function withFallingChances<Chunk extends RankedChunk>(chunks: readonly Chunk[]): Chunk[] {
  let least = 1;
  return chunks.map((chunk) => {
    if (chunk.chance <= least) {
      least = chunk.chance;
      return chunk;
    }
    return { ...chunk, chance: least };
  });
}
