import type { EmbeddingProvider } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";

/** Milliseconds that a search spends on vectors of candidates that have none. */
const BUDGET_MS = 300;
/** Most candidates that get a vector in one search. */
const MOST_TEXTS = 8;
/** Vectors that are remembered until the background work has made them too. */
const MAX_REMEMBERED = 1000;

/** A candidate without a vector. */
export interface LateText {
  readonly hash: Uint8Array;
  readonly text: () => Promise<string>;
}

/** Makes vectors of texts while a question waits, as many as the time allows, and remembers them. */
export class LateVectors {
  readonly #provider: EmbeddingProvider;
  readonly #remembered = new Map<string, Float32Array>();

  constructor(provider: EmbeddingProvider) {
    this.#provider = provider;
  }

  /**
   * Returns the vectors of texts, `undefined` for each for which there was no time. A text is given to the model alone, so
   * that the time is not exceeded by more than one. Throws the reason of the signal.
   */
  async of(texts: readonly LateText[], signal?: AbortSignal): Promise<(Float32Array | undefined)[]> {
    const time = AbortSignal.timeout(BUDGET_MS);
    const either = signal === undefined ? time : AbortSignal.any([signal, time]);
    const vectors = texts.map(({ hash }) => this.#remembered.get(hash.toHex()));
    let made = 0;
    for (const [i, { hash, text }] of texts.entries()) {
      if (vectors[i] !== undefined || made === MOST_TEXTS || either.aborted) continue;
      try {
        const [vector] = await this.#provider.embed([await text()], "document", either);
        vectors[i] = vector!;
        this.#remember(hash.toHex(), vector!);
        made++;
      } catch (error) {
        signal?.throwIfAborted();
        if (!either.aborted && !(error instanceof UserError)) throw error;
      }
    }
    return vectors;
  }

  #remember(hash: string, vector: Float32Array): void {
    if (this.#remembered.size === MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    this.#remembered.set(hash, vector);
  }
}
