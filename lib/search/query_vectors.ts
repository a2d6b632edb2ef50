import type { Config } from "../config/mod.ts";
import {
  BUILTIN_ID,
  createRemoteProvider,
  type EmbeddingProvider,
  embedQuery,
  LazyTable,
  providerId,
} from "../embedding/mod.ts";
import { UserError } from "../errors.ts";
import { Meaning } from "./rank/mod.ts";

/** Milliseconds that a question waits for its vector. */
const PATIENCE_MS = 2000;
/** Questions whose vectors are remembered: people and assistants repeat their questions. */
const MAX_REMEMBERED = 100;

/** The vector of a question by an outside model, or the reason why it is missing. */
export interface QueryVector {
  readonly vector?: Float32Array;
  readonly problem?: UserError;
}

/** Makes questions comparable with the vectors of an index, by the model that the configuration names. */
export class QueryVectors {
  /** Id of the model that questions are compared by; `undefined` without a model. */
  readonly model: string | undefined;
  readonly #config: Config["embedding"];
  readonly #table: LazyTable;
  readonly #remembered = new Map<string, Float32Array>();
  #meaning: Meaning | undefined;
  #provider: EmbeddingProvider | undefined;

  constructor(config: Config["embedding"], table: LazyTable = new LazyTable()) {
    this.#config = config;
    this.#table = table;
    this.model = providerId(config);
  }

  /** The built-in table, if the configuration names it. */
  get meaning(): Meaning | undefined {
    if (this.model !== BUILTIN_ID) return undefined;
    return this.#meaning ??= new Meaning(this.#table.get());
  }

  /** Forgets the vectors of earlier questions and their number of dimensions. */
  forget(): void {
    this.#remembered.clear();
    // the provider would refuse vectors of another length than the first one's
    this.#provider = undefined;
  }

  /**
   * The vector of a question by an outside model, within {@linkcode PATIENCE_MS}. Empty with the built-in table, whose
   * vectors need no waiting. Throws the signal's reason.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<QueryVector> {
    if (this.model === undefined || this.model === BUILTIN_ID) return {};
    const known = this.#remembered.get(question);
    if (known !== undefined) return { vector: known };
    // There is no second try, because the answer by keywords needs no waiting.
    const provider = this.#provider ??= createRemoteProvider({ ...this.#config, "max_retries": 0 });
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
      const vector = await embedQuery(provider, question, either);
      // a vector of a model that was forgotten meanwhile is of no use to others
      if (provider === this.#provider) this.#remember(question, vector);
      return { vector };
    } catch (error) {
      signal?.throwIfAborted();
      if (patience.aborted) {
        return { problem: new UserError("embedding_slow", { seconds: PATIENCE_MS / 1000 }) };
      }
      if (error instanceof UserError) return { problem: error };
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
