/** A cross-encoder on this machine as reranker. */
import { UserError } from "#foundation/errors.ts";
import { CrossEncoder, hashedFile, readModelFolder } from "#models/neural/mod.ts";
import { logistic, type Reranker, RerankFailure } from "./reranker.ts";

/** Tokens of a question with a passage, for a model without `model.json`. BERT reads no more. */
const TOKENS = 512;

/** Most threads. Each has a copy of the model in memory. */
const MOST_WORKERS = 2;

/**
 * A cross-encoder in ONNX format that runs in the program, in threads without permissions. It is loaded with the first
 * question.
 */
export class LocalReranker implements Reranker {
  readonly id: string;
  readonly #path: string;
  #encoder: Promise<CrossEncoder> | undefined;

  /** `path`: the ONNX file, or the folder of a model. */
  constructor(path: string) {
    this.#path = path;
    this.id = `local/${path.split(/[\\/]/).findLast((part) => part !== "") ?? ""}`;
  }

  async score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    signal.throwIfAborted();
    try {
      const encoder = await until(signal, this.#encoder ?? this.#open());
      return Float64Array.from(await encoder.score(question, passages, signal), logistic);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UserError)) throw error;
      const kind = REASONS.get(error.key);
      if (kind === undefined) throw error;
      // A changed file is opened again by the next question.
      this.close();
      throw new RerankFailure(kind, error.params);
    }
  }

  /** Opens the model. If that fails, the next question opens it again, because the user may mend it. */
  #open(): Promise<CrossEncoder> {
    const opened = open(this.#path);
    this.#encoder = opened;
    opened.catch(() => {
      if (this.#encoder === opened) this.#encoder = undefined;
    });
    return opened;
  }

  close(): void {
    this.#encoder?.then((encoder) => encoder[Symbol.dispose]()).catch(() => {});
    this.#encoder = undefined;
  }
}

/** Errors of models that name settings of embeddings, and those that replace them. */
const REASONS = new Map<string, "no_model" | "changed_model" | "damaged_model">([
  ["neural_no_model", "no_model"],
  ["neural_changed_file", "changed_model"],
  ["neural_damaged_file", "damaged_model"],
]);

async function open(path: string): Promise<CrossEncoder> {
  const { model, tokenizer, description } = await readModelFolder(path);
  const files = { model: await hashedFile(model), tokenizer: await hashedFile(tokenizer) };
  const workers = Math.min(MOST_WORKERS, navigator.hardwareConcurrency);
  return new CrossEncoder(files, { maxTokens: description?.maxTokens ?? TOKENS }, { workers });
}

/** Returns the result of `work`, or throws the reason of `signal` as soon as it is aborted. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
