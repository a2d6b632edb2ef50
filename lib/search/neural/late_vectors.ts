import type { EmbeddingProvider } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";

/** What a search may still spend on vectors of candidates that have none. It asks several times, and two models. */
export class LateBudget {
  ms = 300;
  texts = 8;
}

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
  async of(
    texts: readonly LateText[],
    budget: LateBudget,
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const vectors = texts.map(({ hash }) => this.#remembered.get(hash.toHex()));
    const began = performance.now();
    const time = AbortSignal.timeout(budget.ms);
    const either = signal === undefined ? time : AbortSignal.any([signal, time]);
    for (const [i, { hash, text }] of texts.entries()) {
      if (budget.texts === 0 || budget.ms === 0 || either.aborted) break;
      if (vectors[i] !== undefined) continue;
      try {
        const [vector] = await this.#provider.embed([await text()], "document", either);
        vectors[i] = vector!;
        this.#remember(hash.toHex(), vector!);
        budget.texts--;
      } catch (error) {
        signal?.throwIfAborted();
        if (!either.aborted && !(error instanceof UserError)) throw error;
      }
    }
    budget.ms = Math.max(0, Math.floor(budget.ms - (performance.now() - began)));
    return vectors;
  }

  #remember(hash: string, vector: Float32Array): void {
    if (this.#remembered.size === MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    this.#remembered.set(hash, vector);
  }
}
