import type { EmbeddingProvider } from "../embedding/mod.ts";
import type { CacheEntry, VectorCache } from "../store/mod.ts";

/** Time that requests under way have left to finish after another one has failed, in milliseconds: they are paid for. */
const GRACE_MS = 5000;

/** A text to embed. */
export interface EmbedItem {
  /** Content hash, 16 bytes or more. Texts with the same hash are embedded once. */
  readonly hash: Uint8Array;
  readonly text: string;
}

/** Progress of an {@linkcode EmbeddingPump}. */
export interface EmbedProgress {
  /** Texts embedded in this run. */
  readonly embedded: number;
  /** Texts whose vectors were known from an earlier run or an equal text. */
  readonly reused: number;
  /** Texts among the embedded ones that the server rejects. They have no vectors. */
  readonly refused: number;
}

/** Options of an {@linkcode EmbeddingPump}. */
export interface PumpOptions {
  readonly provider: EmbeddingProvider;
  /** Stores every vector as soon as it arrives. Rejected texts are not stored, so that a later run tries them again. */
  readonly cache: VectorCache;
  /** Texts in one request. */
  readonly batchSize: number;
  /** Requests under way at once, at most. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: EmbedProgress) => void) | undefined;
}

/**
 * Embeds texts with a server, several requests at once, and stores the vectors in a cache on the disk. The first failure
 * ends it. The vectors that arrived before are in the cache, and a later run sends only the rest.
 */
export class EmbeddingPump implements AsyncDisposable {
  readonly #options: PumpOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<Promise<void>>();
  /** Hashes of texts that wait or are under way. */
  readonly #pending = new Set<string>();
  /** Hashes of texts that the server rejects. */
  readonly #refused = new Set<string>();
  readonly #progress = { embedded: 0, reused: 0 };
  #batch: EmbedItem[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(options: PumpOptions) {
    const { signal } = options;
    this.#options = options;
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
  }

  get progress(): EmbedProgress {
    return { ...this.#progress, refused: this.#refused.size };
  }

  /** Texts that wait or are under way. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Whether the server rejects the text with this hash. */
  isRefused(hash: Uint8Array): boolean {
    return this.#refused.has(hash.toHex());
  }

  /** Queues a text. Waits while enough requests are under way. Throws earlier failures, or the signal's reason. */
  async add(item: EmbedItem): Promise<void> {
    await this.#orThrow();
    const key = item.hash.toHex();
    if (this.#pending.has(key) || this.#refused.has(key) || this.#options.cache.has(item.hash)) {
      this.#progress.reused++;
      return;
    }
    this.#pending.add(key);
    this.#batch.push(item);
    if (this.#batch.length < this.#options.batchSize) return;
    await this.#waitFor(this.#options.concurrency - 1);
    this.#send();
  }

  /** Waits until the cache has the vectors of all texts. Throws failures, or the signal's reason. */
  async finish(): Promise<EmbedProgress> {
    if (this.#batch.length > 0) {
      await this.#waitFor(this.#options.concurrency - 1);
      this.#send();
    }
    await this.#waitFor(0);
    return this.progress;
  }

  /** Aborts the requests under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new DOMException("no longer wanted", "AbortError"));
    await Promise.all(this.#underWay);
  }

  /** Waits until at most `count` requests are under way. Throws failures. */
  async #waitFor(count: number): Promise<void> {
    while (this.#underWay.size > count && this.#failure === undefined) await Promise.race(this.#underWay);
    // the last request may have failed before this call
    await this.#orThrow();
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = [];
    const work = this.#embed(batch)
      .catch((error) => void (this.#failure ??= { error }))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #embed(batch: readonly EmbedItem[]): Promise<void> {
    const texts = batch.map(({ text }) => text);
    const kept = new Set<number>();
    const keep = (first: number, vectors: readonly Float32Array[]) => {
      const entries: CacheEntry[] = [];
      for (const [i, vector] of vectors.entries()) {
        if (kept.has(first + i)) continue;
        kept.add(first + i);
        entries.push({ hash: batch[first + i]!.hash, vector });
      }
      this.#keep(entries);
    };
    keep(0, await this.#options.provider.embed(texts, "document", this.#signal, keep));
  }

  #keep(entries: readonly CacheEntry[]): void {
    const { cache, onProgress } = this.#options;
    if (entries.length === 0) return;
    const isZero = ({ vector }: CacheEntry) => vector.every((value) => value === 0);
    cache.append(entries.filter((entry) => !isZero(entry)));
    cache.flush();
    for (const entry of entries) {
      const key = entry.hash.toHex();
      this.#pending.delete(key);
      if (isZero(entry)) this.#refused.add(key);
    }
    this.#progress.embedded += entries.length;
    onProgress?.(this.progress);
  }

  /** Throws the first failure, if there is one, after waiting up to {@linkcode GRACE_MS} for the requests under way. */
  async #orThrow(): Promise<void> {
    if (this.#failure !== undefined) {
      const timer = setTimeout(() => this.#stop.abort(new DOMException("too late", "AbortError")), GRACE_MS);
      await Promise.all(this.#underWay);
      clearTimeout(timer);
      this.#options.signal?.throwIfAborted();
      throw this.#failure.error;
    }
    this.#options.signal?.throwIfAborted();
  }
}
