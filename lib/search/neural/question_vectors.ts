import { type EmbeddingProvider, embedQuery } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";

/** Milliseconds that a question waits for its vector, and that the first question of a process waits for the model as well. */
const PATIENCE_MS = 5000, LOADING_MS = 20_000;
/** Milliseconds that a question waits for a server. */
const SERVER_PATIENCE_MS = 2000;
/** Questions whose vectors are remembered: people and assistants repeat their questions. */
const MAX_REMEMBERED = 100;

/** Makes the vectors of questions by one model. */
export class QuestionVectors {
  readonly #provider: EmbeddingProvider;
  readonly #isServer: boolean;
  readonly #remembered = new Map<string, Float32Array>();

  constructor(provider: EmbeddingProvider, isServer = false) {
    this.#provider = provider;
    this.#isServer = isServer;
  }

  /** Forgets the vectors of earlier questions. */
  forget(): void {
    this.#remembered.clear();
  }

  /**
   * Returns the vector of a question. Throws `UserError` `neural_slow` after {@linkcode PATIENCE_MS} or {@linkcode LOADING_MS},
   * `embedding_slow` after {@linkcode SERVER_PATIENCE_MS}, the error of the provider, or the reason of the signal.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.#remembered.get(question);
    if (known !== undefined) return known;
    const ms = this.#isServer ? SERVER_PATIENCE_MS : this.#remembered.size === 0 ? LOADING_MS : PATIENCE_MS;
    const patience = AbortSignal.timeout(ms);
    const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    try {
      const vector = await embedQuery(this.#provider, question, either);
      this.#remember(question, vector);
      return vector;
    } catch (error) {
      signal?.throwIfAborted();
      if (patience.aborted) {
        throw new UserError(this.#isServer ? "embedding_slow" : "neural_slow", { seconds: ms / 1000 });
      }
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
