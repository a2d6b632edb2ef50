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

/** A question waits so long for its vector, in milliseconds. */
const PATIENCE_MS = 2000;
/** Questions whose vectors are remembered: people and assistants ask again. */
const MAX_REMEMBERED = 100;

/** The vector of a question by an outside model, or why there is none. */
export interface QueryVector {
  readonly vector?: Float32Array;
  readonly problem?: UserError;
}

/** Makes questions comparable with the vectors of an index, by the model that the configuration names. */
export class QueryVectors {
  /** Names the vectors that questions can be compared with; nothing where there are none. */
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

  /** The built-in table's view of questions, if the configuration is for it. */
  get meaning(): Meaning | undefined {
    if (this.model !== BUILTIN_ID) return undefined;
    return this.#meaning ??= new Meaning(this.#table.get());
  }

  /** Forgets the vectors of questions asked before, and how many numbers they had. */
  forget(): void {
    this.#remembered.clear();
    // it would refuse vectors of any other length than its first one's
    this.#provider = undefined;
  }

  /**
   * The vector of a question by an outside model, within {@linkcode PATIENCE_MS}; nothing with the built-in table, which
   * needs no waiting. Throws the signal's reason.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<QueryVector> {
    if (this.model === undefined || this.model === BUILTIN_ID) return {};
    const known = this.#remembered.get(question);
    if (known !== undefined) return { vector: known };
    // nobody waits for a second try: the keywords answer at once
    const provider = this.#provider ??= createRemoteProvider({ ...this.#config, "max_retries": 0 });
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
      const vector = await embedQuery(provider, question, either);
      // of a model that has been forgotten meanwhile it is no use to others
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
