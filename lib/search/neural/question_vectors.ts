import { type EmbeddingProvider, embedQuery } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";

/**
 * Milliseconds that a question waits for its vector. The first question of a process also waits for the model to be loaded.
 */
const PATIENCE_MS = 5000;
/** Questions whose vectors are remembered: people and assistants repeat their questions. */
const MAX_REMEMBERED = 100;

/** Makes the vectors of questions by one local model. */
export class QuestionVectors {
  readonly #provider: EmbeddingProvider;
  readonly #remembered = new Map<string, Float32Array>();

  constructor(provider: EmbeddingProvider) {
    this.#provider = provider;
  }

  /**
   * Returns the vector of a question. Throws `UserError` `neural_slow` after {@linkcode PATIENCE_MS}, the error of the
   * provider, or the reason of the signal.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.#remembered.get(question);
    if (known !== undefined) return known;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    try {
      const vector = await embedQuery(this.#provider, question, either);
      this.#remember(question, vector);
      return vector;
    } catch (error) {
      signal?.throwIfAborted();
      if (patience.aborted) throw new UserError("neural_slow", { seconds: PATIENCE_MS / 1000 });
      throw error;
    }
  }

  #remember(question: string, vector: Float32Array): void {
    if (this.#remembered.size === MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    this.#remembered.set(question, vector);
  }
}
