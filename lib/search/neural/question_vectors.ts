import { type EmbeddingProvider, embedQuery } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";

/** Milliseconds that a question waits for its vector, and that the first question of a process waits for the model as well. */
const PATIENCE_MS = 5000, LOADING_MS = 20_000;
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
   * Returns the vector of a question. Throws `UserError` `neural_slow` after {@linkcode PATIENCE_MS} or
   * {@linkcode LOADING_MS}, the error of the provider, or the reason of the signal.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.#remembered.get(question);
    if (known !== undefined) return known;
    const ms = this.#remembered.size === 0 ? LOADING_MS : PATIENCE_MS;
    const patience = AbortSignal.timeout(ms);
    const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    try {
      const vector = await embedQuery(this.#provider, question, either);
      this.#remember(question, vector);
      return vector;
    } catch (error) {
      signal?.throwIfAborted();
      if (patience.aborted) throw new UserError("neural_slow", { seconds: ms / 1000 });
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
