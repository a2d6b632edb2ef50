/** Vectors of the built-in table in a run: those of chunks, made in threads, and the cosines by which a text is split. */
import type { IndexWriter } from "#library/store/mod.ts";
import type { VectorMeta } from "#engine/index/mod.ts";
import type { Similarity } from "#engine/chunk/mod.ts";
import {
  BUILTIN_ID,
  type EmbeddedBatch,
  EmbeddingPool,
  type LazyTable,
  type Table,
  TextAnalyzer,
} from "#models/embedding/mod.ts";

/** Size of a batch in UTF-16 units: some milliseconds of work. */
const BATCH_CHARS = 1 << 17;
/** Smaller runs, in bytes, embed in 0.2 s at most. Threads would gain little, because they take 50 ms to start. */
const WORTH_A_THREAD = 2_000_000;
/**
 * One thread embeds about as fast as the main thread indexes (`deno task bench`). A second one shortens the end of the run.
 */
const MAX_WORKERS = 2;

/**
 * Returns the number of threads for a run that reads `bytes` of files. The main thread keeps a core for itself: on two cores
 * a second thread would slow it down, and a core would be idle while it writes the postings.
 */
export function workersFor(bytes: number): number {
  if (bytes < WORTH_A_THREAD) return 0;
  return Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1));
}

/** Embeds the chunks of a run with the built-in table, in threads beside the main thread, while the run goes on reading. */
export class BuiltinEmbedder implements AsyncDisposable {
  readonly meta: VectorMeta;
  /** Chunks embedded in this run, and chunks added. */
  embedded = 0;
  toEmbed = 0;
  readonly #pool: EmbeddingPool;
  readonly #underWay = new Set<Promise<void>>();
  #chunks: number[] = [];
  #texts: string[] = [];
  #chars = 0;
  #index: Pick<IndexWriter, "setVector"> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** `worker`: see {@linkcode EmbeddingPool}. */
  constructor(table: Table, workers: number, worker?: URL) {
    this.meta = { model: BUILTIN_ID, dimensions: table.dimensions };
    this.#pool = new EmbeddingPool(table, workers, worker);
  }

  /** Sets the index that the chunks are added to. Call it before {@linkcode add}. */
  begin(index: Pick<IndexWriter, "setVector">): void {
    this.#index = index;
  }

  /** Queues the text of a chunk that was added to the index. Waits while the queue is full. Throws earlier failures. */
  async add(chunk: number, text: string): Promise<void> {
    this.toEmbed++;
    this.#chunks.push(chunk);
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars < BATCH_CHARS) return;
    this.#send();
    while (this.#underWay.size >= this.#pool.capacity) await Promise.race(this.#underWay);
    this.#rethrow();
  }

  /** Waits until every chunk has its vector. Throws failures. */
  async finish(): Promise<void> {
    this.#rethrow();
    if (this.#texts.length > 0) this.#send();
    await Promise.all(this.#underWay);
    this.#rethrow();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#pool[Symbol.dispose]();
    return Promise.resolve();
  }

  #send(): void {
    const chunks = this.#chunks;
    const work = this.#pool.embed(this.#texts).then((batch) => this.#take(chunks, batch))
      .catch((error) => void (this.#failure ??= { error }))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    this.#chunks = [];
    this.#texts = [];
    this.#chars = 0;
  }

  #take(chunks: readonly number[], { vectors, words, wordEnds }: EmbeddedBatch): void {
    const { dimensions } = this.meta;
    for (const [i, chunk] of chunks.entries()) {
      const vector = vectors.subarray(i * dimensions, (i + 1) * dimensions);
      this.#index!.setVector(chunk, vector, words.subarray(i === 0 ? 0 : wordEnds[i - 1]!, wordEnds[i]!));
    }
    this.embedded += chunks.length;
  }

  #rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Returns a function that computes the cosines of neighbouring texts with the built-in table; 0 for texts without a vector. */
export function similarityBy(table: LazyTable): Similarity {
  return (texts) => {
    const analyzer = new TextAnalyzer(table.get());
    const cosines = new Float32Array(Math.max(0, texts.length - 1));
    let before: Float32Array | undefined;
    for (const [i, text] of texts.entries()) {
      const vector = analyzer.analyze(text).vector.slice();
      if (before !== undefined) {
        cosines[i - 1] = before.reduce((sum, value, k) => sum + value * vector[k]!, 0);
      }
      before = vector;
    }
    return cosines;
  };
}
