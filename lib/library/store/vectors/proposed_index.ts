/**
 * An open index whose nearest vectors are proposed by another place.
 */
import type { OpenIndex, ScoredChunk, SearchOptions, VectorQuery } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { ChunkHashes } from "./chunk_hashes.ts";
import { MOST_AMONG, type NearestOptions, piecesOf, type VectorProposer } from "./proposer.ts";
import { ProposedRows } from "./proposed_rows.ts";

/** Most vectors that are asked for at once. */
const MOST_PROPOSED = 10_000;

/**
 * Twice as many vectors are asked for as chunks: a place rounds its scores, and proposes chunks that are filtered out too. A rounded
 * score differs by no more than the slack.
 */
const MARGIN = 2, SLACK = 1e-3;

/** Milliseconds until vectors that were missing are looked for again. */
const LOOK_AGAIN_MS = 5000;

/**
 * Returns an index that answers {@linkcode OpenIndex.byVector} and {@linkcode OpenIndex.cosines} by the vectors that a proposer has,
 * and everything else itself. Takes over the index. Its own vectors are compared if the proposer lacks some of them or fails; then
 * {@linkcode OpenIndex.vectorProblem} says why. The scores are the same. `mostAmong`: most chunks of which all vectors are compared; for
 * measurements.
 */
export function withProposer(
  index: OpenIndex,
  proposer: VectorProposer,
  { mostAmong = MOST_AMONG } = {},
): OpenIndex {
  if (index.statistics.chunks <= proposer.exactUpTo) return index;
  const proposed = new ProposedIndex(index, proposer, mostAmong);
  let problem: UserError | undefined;
  const or = async <T>(propose: () => Promise<T | undefined>, own: () => Promise<T>): Promise<T> => {
    try {
      const found = await propose();
      problem = undefined;
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problem = error;
    }
    return await own();
  };
  const byVector: OpenIndex["byVector"] = (query, wanted) =>
    or(() => proposed.byVector(query, wanted), () => index.byVector(query, wanted));
  const cosines: OpenIndex["cosines"] = (query, chunks) =>
    or(() => proposed.cosines(query, chunks), () => index.cosines(query, chunks));
  return new Proxy(index, {
    get(_, name) {
      if (name === "byVector") return byVector;
      if (name === "cosines") return cosines;
      if (name === "vectorProblem") return problem;
      const value = Reflect.get(index, name, index);
      return typeof value === "function" ? value.bind(index) : value;
    },
  });
}

/** Finds chunks of an index by the vectors that a proposer has. */
class ProposedIndex {
  readonly #index: OpenIndex;
  readonly #proposer: VectorProposer;
  readonly #mostAmong: number;
  readonly #rows: ProposedRows;
  #chunks: Promise<ChunkHashes> | undefined;
  #isComplete = false;
  /** The number of the vector of each chunk, of a proposer with numbers. */
  #numbers: Float64Array | undefined;
  #lookedAt = -Infinity;

  constructor(index: OpenIndex, proposer: VectorProposer, mostAmong: number) {
    this.#index = index;
    this.#proposer = proposer;
    this.#mostAmong = mostAmong;
    this.#rows = new ProposedRows(proposer);
  }

  /** Like {@linkcode OpenIndex.byVector}; `undefined` if vectors are missing. */
  async byVector(
    { vector, model }: VectorQuery,
    wanted: SearchOptions,
  ): Promise<readonly ScoredChunk[] | undefined> {
    if (!this.#isComparable(vector, model)) return [];
    const chunks = await this.#hashesOfChunks();
    if (!await this.#hasAll(chunks)) return undefined;
    const passing = await this.#passing(wanted);
    const some = passing && this.#vectorsOf(passing, chunks);
    const scores = new Float64Array(chunks.length);
    for (let limit = wanted.limit * MARGIN;; limit *= 4) {
      const { hashes, cosines } = await this.#rows.nearest(vector, { limit, ...some });
      if (some !== undefined && hashes.length < limit && hashes.length < countOf(some)) {
        // Some were removed while the index was open, or removed and added again under other numbers.
        this.#isComplete = false;
        this.#lookedAt = performance.now();
        return undefined;
      }
      for (const [i, hash] of hashes.entries()) {
        for (const chunk of chunks.with(hash)) scores[chunk] = cosines[i]!;
      }
      const best = await this.#index.byScores(scores, wanted);
      const hasEnough = best.length === wanted.limit &&
        (some === undefined || best.at(-1)!.score > cosines.reduce((a, b) => Math.min(a, b)) + SLACK);
      if (hasEnough || hashes.length < limit || limit >= MOST_PROPOSED) return best;
    }
  }

  /** Like {@linkcode OpenIndex.cosines}; `undefined` if vectors are missing. */
  async cosines({ vector, model }: VectorQuery, chunks: Int32Array): Promise<Float64Array | undefined> {
    if (!this.#isComparable(vector, model)) return new Float64Array(chunks.length);
    const all = await this.#hashesOfChunks();
    const cosines = await this.#rows.cosinesOf(vector, Array.from(chunks, (chunk) => all.of(chunk)));
    return cosines.includes(undefined) ? undefined : Float64Array.from(cosines as number[]);
  }

  #isComparable({ length }: Float32Array, model: string | undefined): boolean {
    const own = this.#proposer.model;
    return own.dimensions === length && (model === undefined || model === own.id);
  }

  /** Returns the chunks that may be found, up to `#mostAmong`; `undefined` if they are more or all. */
  async #passing({ filter, exceptFiles }: SearchOptions): Promise<Int32Array | undefined> {
    const { chunks } = this.#index.statistics;
    if (filter === undefined && exceptFiles === undefined && chunks > this.#mostAmong) return undefined;
    const found = await this.#index.byScores(new Float64Array(chunks).fill(1), {
      limit: this.#mostAmong + 1,
      filter,
      exceptFiles,
    });
    return found.length > this.#mostAmong ? undefined : Int32Array.from(found, ({ chunk }) => chunk);
  }

  /** Returns the vectors of chunks as the proposer takes them. */
  #vectorsOf(passing: Int32Array, chunks: ChunkHashes): Omit<NearestOptions, "limit"> {
    const numbers = this.#numbers;
    if (numbers !== undefined) {
      return { amongNumbers: Float64Array.from(passing, (chunk) => numbers[chunk]!) };
    }
    return { among: chunks.distinct(passing).map((chunk) => chunks.of(chunk)) };
  }

  #hashesOfChunks(): Promise<ChunkHashes> {
    return this.#chunks ??= ChunkHashes.of(this.#index).catch((error) => {
      this.#chunks = undefined;
      throw error;
    });
  }

  /** Whether the proposer has a vector of every chunk. */
  async #hasAll(chunks: ChunkHashes): Promise<boolean> {
    if (this.#isComplete || performance.now() - this.#lookedAt < LOOK_AGAIN_MS) return this.#isComplete;
    this.#lookedAt = performance.now();
    const numbers = this.#proposer.numbersOf && new Float64Array(chunks.length);
    const found = await Promise.all(
      piecesOf(chunks.all()).map(async (some) => {
        const hashes = some.map((chunk) => chunks.of(chunk));
        if (numbers === undefined) return !(await this.#proposer.has(hashes)).includes(false);
        const ofSome = await this.#proposer.numbersOf!(hashes);
        for (const [i, chunk] of some.entries()) {
          for (const alike of chunks.with(chunks.of(chunk))) numbers[alike] = ofSome[i]!;
        }
        return !ofSome.includes(-1);
      }),
    );
    this.#numbers = numbers;
    return this.#isComplete = !found.includes(false);
  }
}

/** The number of vectors that are compared, each once. */
function countOf({ among = [], amongNumbers }: Omit<NearestOptions, "limit">): number {
  return amongNumbers === undefined ? among.length : new Set(amongNumbers).size;
}
