import { loadOf, type ModelFiles, type ModelSettings } from "./model_files.ts";
import type { Pooling } from "./model_folder.ts";
import { ModelThreads, type ThreadOptions } from "./model_threads.ts";

/** Settings of a model that makes vectors. */
export interface EncoderSettings extends ModelSettings {
  readonly pooling: Pooling;
  /** Dimensions that the model must have; `undefined`: any. */
  readonly dimensions: number | undefined;
}

/** Options of {@linkcode EncoderPool.embed}. */
export interface EmbedOptions {
  /** A question overtakes all texts that wait in the background. Default: `background`. */
  readonly priority?: "question" | "background";
  readonly signal?: AbortSignal | undefined;
  /** Called with each vector as it is made, and the index of its text. */
  readonly onVector?: ((index: number, vector: Float32Array<ArrayBuffer>) => void) | undefined;
}

/** Turns texts into vectors by a BERT-like model in ONNX format, in threads without permissions. */
export class EncoderPool implements Disposable {
  readonly #threads: ModelThreads;

  /** Nothing is read before the first text. `files` are read again for each thread. */
  constructor(files: ModelFiles, settings: EncoderSettings, options?: ThreadOptions) {
    const { pooling, dimensions } = settings;
    this.#threads = new ModelThreads(
      loadOf(files, settings, { kind: "vectors", pooling, dimensions }),
      options,
    );
  }

  /**
   * Returns a vector of length 1 for each text. A text is embedded alone, so that its vector does not depend on others: an
   * int8 model scales its numbers by the largest of a batch. Throws a `UserError` if the model cannot be used, and the
   * reason of `signal` if it is aborted.
   */
  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array<ArrayBuffer>[]> {
    const { priority = "background", signal, onVector } = options;
    return await Promise.all(texts.map(async (text, at) => {
      const vector = await this.#threads.run({ texts: [text] }, priority === "question", signal);
      onVector?.(at, vector);
      return vector;
    }));
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}
