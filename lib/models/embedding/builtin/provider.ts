/**
 * The built-in table as a provider, with threads for many texts.
 */
import type { EmbeddingKind, EmbeddingProvider } from "../provider.ts";
import { embedBatch, type EmbeddedBatch, SifEmbedder, TextAnalyzer } from "./analyzer.ts";
import type { Table } from "./table.ts";
import { reasonOf, ThreadError } from "#foundation/errors.ts";
import { PROGRAM_ROOT } from "#foundation/runtime.ts";

/** Raised if the vector of a text or the id of a word changes: an index stores both. */
const BUILTIN_VERSION = 1;

/** The {@linkcode EmbeddingProvider.id} of the built-in table. */
export const BUILTIN_ID = `builtin/${BUILTIN_VERSION}`;

/** UTF-16 units between two checks of the signal: 20 to 150 ms of work. */
const UNITS_A_TURN = 1 << 19;

/** Vectors from the built-in table. Needs no configuration and no network. */
export class BuiltinProvider implements EmbeddingProvider {
  readonly id = BUILTIN_ID;
  readonly dimensions: number;
  readonly #embedder: SifEmbedder;

  constructor(table: Table) {
    this.dimensions = table.dimensions;
    this.#embedder = new SifEmbedder(table);
  }

  /** See {@linkcode EmbeddingProvider.embed}. The kind makes no difference. */
  async embed(
    texts: readonly string[],
    _kind: EmbeddingKind,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let units = 0;
    signal?.throwIfAborted();
    for (const text of texts) {
      units += text.length;
      if (units > UNITS_A_TURN) {
        units = 0;
        // The signal can only be aborted between two tasks.
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
      }
      vectors.push(this.#embedder.embed(text));
    }
    return vectors;
  }
}

/**
 * Batches under way in each worker. Those that wait in its queue keep it busy while the caller does other work: an index
 * writer ends with seconds in which it adds no text. 64 batches of an index writer are 8 million UTF-16 units.
 */
const AHEAD = 64;

/** Module of the workers. */
const WORKER = new URL("lib/models/embedding/builtin/worker.ts", PROGRAM_ROOT);

/** A worker and its unfinished batches. */
interface Member {
  readonly worker: Worker;
  readonly waiting: Map<number, PromiseWithResolvers<EmbeddedBatch>>;
  /** The error that ended the worker. It answers no batch from then on. */
  failure?: Error;
}

/**
 * Embeds batches of texts in worker threads that share one table, or in the caller's thread if there are no workers.
 * Disposing of the pool ends the workers; promises of unfinished batches then stay pending.
 */
export class EmbeddingPool {
  readonly #members: Member[] = [];
  readonly #analyzer: TextAnalyzer | undefined;
  #next = 0;

  /** `worker` is the module of the workers. Throws `ThreadError`. */
  constructor(table: Table, workers: number, worker: URL = WORKER) {
    if (workers === 0) this.#analyzer = new TextAnalyzer(table);
    try {
      for (let i = 0; i < workers; i++) this.#members.push(startMember(table, worker));
    } catch (error) {
      this[Symbol.dispose]();
      throw new ThreadError(reasonOf(error), { cause: error });
    }
  }

  /** Number of batches to keep under way at once. */
  get capacity(): number {
    return Math.max(1, this.#members.length * AHEAD);
  }

  /** Embeds one batch. Rejects with `ThreadError` if its worker fails, and at once if any worker has failed before. */
  embed(texts: readonly string[]): Promise<EmbeddedBatch> {
    if (this.#analyzer !== undefined) return Promise.resolve(embedBatch(this.#analyzer, texts));
    const failure = this.#members.find((member) => member.failure !== undefined)?.failure;
    if (failure !== undefined) return Promise.reject(failure);
    const idlest = this.#members.reduce((a, b) => b.waiting.size < a.waiting.size ? b : a);
    const number = this.#next++;
    const answer = Promise.withResolvers<EmbeddedBatch>();
    idlest.waiting.set(number, answer);
    idlest.worker.postMessage({ number, texts });
    return answer.promise;
  }

  [Symbol.dispose](): void {
    for (const { worker } of this.#members) worker.terminate();
  }
}

function startMember(table: Table, module: URL): Member {
  const worker = new Worker(module, { type: "module", name: "embedding" });
  const member: Member = { worker, waiting: new Map() };
  const { waiting } = member;
  const fail = (error: Error) => {
    member.failure ??= error;
    for (const { reject } of waiting.values()) reject(member.failure);
    waiting.clear();
  };
  worker.onmessage = (
    { data: { number, batch } }: MessageEvent<{ number: number; batch: EmbeddedBatch }>,
  ) => {
    waiting.get(number)?.resolve(batch);
    waiting.delete(number);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail(new ThreadError(event.message));
  };
  // The batch of an unreadable answer is unknown.
  worker.onmessageerror = () => fail(new Error("an embedding thread's answer could not be read"));
  worker.postMessage(table.data);
  return member;
}
