/**
 * Newer documents before older ones: a factor for the score by a document's date, and the newest of those that say the same in front.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import { dateSpan } from "#engine/index/mod.ts";
import { archivePlaces } from "#library/archives/mod.ts";
import type { RankedChunk, Ranking, RankWanted } from "#engine/rank/mod.ts";
import type { SelectedChunk } from "./passages.ts";
import { compareRanked } from "./reranking.ts";

const DAY_MS = 86_400_000;

/**
 * A ranking with a factor `1 - weight · (1 - 2^(-age / half life))` for each score: 1 for a document of today, `1 - weight` for one of
 * long ago.
 */
export class Recency {
  readonly #settings: Config["search"]["recency"];
  readonly #ranking: Pick<Ranking, "best">;
  readonly #now: number;

  private constructor(settings: Config["search"]["recency"], ranking: Pick<Ranking, "best">, now: number) {
    this.#settings = settings;
    this.#ranking = ranking;
    this.#now = now;
  }

  /** `undefined` if the settings give dates no weight. `now`: milliseconds since 1970. */
  static of(
    settings: Config["search"]["recency"],
    ranking: Pick<Ranking, "best">,
    now: number = Date.now(),
  ): Recency | undefined {
    return settings.weight === 0 ? undefined : new Recency(settings, ranking, now);
  }

  /** See {@linkcode Ranking.best}. */
  async best(wanted: RankWanted): Promise<RankedChunk[]> {
    const ranked = await this.#ranking.best(wanted);
    return ranked.map((chunk) => this.#dated(chunk)).sort(compareRanked);
  }

  #dated(chunk: RankedChunk): RankedChunk {
    const { weight, half_life_days: halfLife } = this.#settings;
    const date = this.dateOf(chunk);
    const age = Math.max(0, this.#now - date) / DAY_MS;
    const factor = 1 - weight * (1 - 2 ** (-age / halfLife));
    // The score of a reranker may be negative.
    const score = chunk.score - Math.abs(chunk.score) * (1 - factor);
    return { ...chunk, score, recency: { date, factor } };
  }

  /** The date that a document gives, or the time when its file was changed. */
  readonly dateOf: DateOf = ({ index, file }) => {
    const { metadata, mtimeMs } = index.files[file]!;
    const written = metadata?.[this.#settings.field];
    return (written === undefined ? undefined : dateSpan(written)?.from) ?? mtimeMs;
  };
}

/** The date of a chunk's document in milliseconds since 1970; NaN if it is not known. */
type DateOf = (chunk: ChunkOfFile) => number;

type ChunkOfFile = Pick<RankedChunk, "index" | "file">;

/** The date that a document gives itself: when it was changed last, else created, else made public. */
export const givenDate: DateOf = ({ index, file }) => {
  const { modified, created, published } = index.files[file]!.metadata ?? {};
  for (const written of [modified, created, published]) {
    const span = written === undefined ? undefined : dateSpan(written);
    if (span !== undefined) return span.from;
  }
  return NaN;
};

/** Options of {@linkcode newestFirst}. */
interface NewestOptions {
  readonly dateOf: DateOf;
  /** The share of the question that each chunk has, and each one that says the same, by its number. */
  readonly shares: ReadonlyMap<number, number>;
  readonly perFile: number;
  /** The chunks on the pages before. */
  readonly before?: readonly SelectedChunk[] | undefined;
}

/** Shares of the question that differ by less differ only by rounding. */
const SAME_SHARE = 1e-6;

/**
 * Returns the chunks, each replaced by the newest one that says the same and has as much of the question; the others are listed below that
 * one. Near-identical texts may differ in the very number that was asked for. A chunk without a date stays. A file that has `perFile`
 * chunks already, here and on the pages `before`, gets no further one; a chunk of it for which no other may stand is left out.
 */
export function newestFirst(
  selected: readonly SelectedChunk[],
  { dateOf, shares, perFile, before = [] }: NewestOptions,
): readonly SelectedChunk[] {
  if ([...before, ...selected].every(({ also }) => also.length === 0)) return selected;
  const ofFile = new Map<string, number>();
  const count = (path: string, more: number) => ofFile.set(path, (ofFile.get(path) ?? 0) + more);
  const isFree = ({ filePath }: { readonly filePath: string }) => (ofFile.get(filePath) ?? 0) < perFile;
  for (const { filePath } of before) count(filePath, 1);
  const staying = new Set<SelectedChunk>();
  for (const chunk of selected) {
    if (!isFree(chunk)) continue;
    count(chunk.filePath, 1);
    staying.add(chunk);
  }
  return selected.flatMap((chunk) => {
    const least = staying.has(chunk) ? shares.get(chunk.id)! - SAME_SHARE : -Infinity;
    const others = chunk.also.filter((one) => isFree(one) && shares.get(one.id)! >= least);
    const able = [...(staying.has(chunk) ? [chunk] : []), ...others];
    if (able.length === 0) return [];
    const newest = able.reduce((a, b) => stepsBefore(b, a, dateOf) ? b : a);
    if (newest === chunk) return [chunk];
    if (staying.has(chunk)) count(chunk.filePath, -1);
    count(newest.filePath, 1);
    const { also: _, ...older } = chunk;
    return [{
      ...newest,
      score: chunk.score,
      chance: chunk.chance,
      also: [older, ...chunk.also.filter((one) => one !== newest)],
    }];
  });
}

/** Whether a chunk is shown instead of another that says the same: it is newer or, if neither is, a file that can be opened as it is. */
function stepsBefore(chunk: ChunkOfFile, shown: ChunkOfFile, dateOf: DateOf): boolean {
  const dates = [dateOf(chunk), dateOf(shown)] as const;
  if (dates[0] > dates[1]) return true;
  return Object.is(dates[0], dates[1]) && isInArchive(shown) && !isInArchive(chunk);
}

function isInArchive({ index, file }: ChunkOfFile): boolean {
  return archivePlaces(index.files[file]!.path).length > 0;
}
