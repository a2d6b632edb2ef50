import type { Filter, IndexReader } from "../index/mod.ts";
import type { RankedChunk, Ranking } from "./rank/mod.ts";
import { type Fingerprint, fingerprintOf } from "./same_text.ts";
import { type FoundChunk, selectChunks, type SelectedChunk } from "./select.ts";

/** Input of a {@linkcode Gathering}. */
export interface GatheringOptions {
  /** Chunks of one file at most. */
  readonly perFile: number;
  /** Chunks taken from the ranking at a time. */
  readonly candidates: number;
  readonly filter: Filter | undefined;
  /** Whether a chunk is like the question at all. */
  readonly isLike: (hit: RankedChunk) => boolean;
  /** Full path of the file that a hit is in. */
  readonly pathOf: (hit: RankedChunk) => string;
}

/** Long files that are left out one after the other before an answer stays short. */
const MAX_PASSES = 8;

/** Of a longer text only the beginning is compared with others. */
const MAX_COMPARED_BYTES = 1 << 16;

/**
 * The best chunks of a ranking, at most `perFile` of one file, what several files say once. Where long files take all the places, they are left out and
 * the ranking is asked again. Nothing is asked twice: more chunks are first taken from those that were looked at.
 */
export class Gathering {
  readonly #ranking: Pick<Ranking, "best">;
  readonly #options: GatheringOptions;
  /** The chunks still let through, in readers with files left out. */
  readonly #masks = new Map<IndexReader, Uint8Array>();
  readonly #found = new Map<number, FoundChunk>();
  readonly #prints = new Map<number, Fingerprint>();
  #considered: readonly FoundChunk[] = [];
  #passes = 0;

  constructor(ranking: Pick<Ranking, "best">, options: GatheringOptions) {
    this.#ranking = ranking;
    this.#options = options;
  }

  /** All chunks that were looked at, best first. */
  get considered(): readonly FoundChunk[] {
    return this.#considered;
  }

  /** The `limit` best chunks; fewer where there are no more. */
  select(limit: number): readonly SelectedChunk[] {
    const { perFile, isLike } = this.#options;
    const selection = { limit, perFile, printOf: (found: FoundChunk) => this.#printOf(found) };
    if (this.#passes === 0) this.#ask();
    for (;;) {
      const selected = selectChunks(this.#considered.filter(({ hit }) => isLike(hit)), selection);
      // what is found again would be found for ever
      if (selected.length === limit || this.#passes === MAX_PASSES || !this.#leaveOut(selected)) {
        return selected;
      }
      this.#ask();
    }
  }

  #ask(): void {
    const { candidates, filter, pathOf } = this.#options;
    const hits = this.#ranking.best({
      limit: candidates,
      filter: (reader) => this.#masks.get(reader) ?? filter?.(reader),
    });
    for (const hit of hits) this.#found.set(hit.id, { hit, filePath: pathOf(hit) });
    this.#considered = [...this.#found.values()]
      .sort((a, b) => b.hit.score - a.hit.score || a.hit.id - b.hit.id);
    this.#passes++;
  }

  #printOf({ hit: { id, reader, chunk } }: FoundChunk): Fingerprint {
    let print = this.#prints.get(id);
    if (print === undefined) {
      print = fingerprintOf(reader.text(chunk, MAX_COMPARED_BYTES));
      this.#prints.set(id, print);
    }
    return print;
  }

  /** Leaves out the files that have all their places; whether there was one that was not. */
  #leaveOut(selected: readonly FoundChunk[]): boolean {
    const { perFile, filter } = this.#options;
    const counts = Map.groupBy(selected, ({ filePath }) => filePath);
    let left = false;
    for (const { hit: { reader, chunk }, filePath } of this.#considered) {
      if (counts.get(filePath)?.length !== perFile) continue;
      let mask = this.#masks.get(reader);
      if (mask === undefined) {
        mask = filter?.(reader)?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
        this.#masks.set(reader, mask);
      }
      const { firstChunk, chunkCount } = reader.files[reader.chunks.files[chunk]!]!;
      left ||= mask.subarray(firstChunk, firstChunk + chunkCount).includes(1);
      mask.fill(0, firstChunk, firstChunk + chunkCount);
    }
    return left;
  }
}
