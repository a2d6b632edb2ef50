import { loadOf, type ModelFiles, type ModelSettings } from "./model_files.ts";
import { ModelThreads, type ThreadOptions } from "./model_threads.ts";

/** Scores how well texts answer a question, by a BERT-like cross-encoder in ONNX format, in threads without permissions. */
export class CrossEncoder implements Disposable {
  readonly #threads: ModelThreads;

  /** Nothing is read before the first question. `files` are read again for each thread. */
  constructor(files: ModelFiles, settings: ModelSettings, options?: ThreadOptions) {
    this.#threads = new ModelThreads(loadOf(files, settings, { kind: "scores" }), options);
  }

  /**
   * Returns the logit of each text: the higher, the better it answers the question. Throws a `UserError` if the model cannot
   * be used, and the reason of `signal` if it is aborted.
   */
  async score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
    return await Promise.all(texts.map(async (text) => {
      const [score] = await this.#threads.run({ question, texts: [text] }, true, signal);
      return score!;
    }));
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}
