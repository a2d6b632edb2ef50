/**
 * Models with threads of their own: encoders of texts, and cross-encoders of pairs.
 */
import { createHash } from "node:crypto";
import type { Pooling } from "./model_folder.ts";
import { ModelThreads, type ThreadModel, type ThreadOptions } from "./model_threads.ts";
import { UserError } from "#foundation/errors.ts";
import { readNamed, statNamed } from "#foundation/boundary/mod.ts";
import type { Use } from "./network.ts";

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
      const vector = await this.#threads.run({ text }, priority === "question", signal);
      onVector?.(at, vector);
      return vector;
    }));
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}

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
      const [score] = await this.#threads.run({ question, text }, true, signal);
      return score!;
    }));
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}

/** A file of a model. */
export interface HashedFile {
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal digits. A file with another content is refused. */
  readonly sha256: string;
}

/** The files of a model. */
export interface ModelFiles {
  readonly model: HashedFile;
  readonly tokenizer: HashedFile;
}

/** Settings of every model. */
export interface ModelSettings {
  /** Most tokens of a text or a pair. */
  readonly maxTokens: number;
}

/** Bytes of an ONNX file. Larger ones have their weights in other files. */
const MOST_BYTES = 2 ** 31;

/** Memory of the runtime beside copies of the model's weights, in bytes. */
const MEMORY = 2 ** 29;
const COPIES = 6;

/** Returns a file of a model with its hash. Throws the errors of the system. */
export async function hashedFile(path: string): Promise<HashedFile> {
  const bytes = await readModelFile(path);
  const sha256 = sha256Of(bytes);
  // Frees the memory at once.
  bytes.buffer.transfer(0);
  return { path, sha256 };
}

/** Returns the model of files for a thread. */
function loadOf({ model, tokenizer }: ModelFiles, { maxTokens }: ModelSettings, use: Use): ThreadModel {
  return {
    path: model.path,
    tokenizerPath: tokenizer.path,
    load: async () => {
      const [modelBytes, tokenizerBytes] = [await readChecked(model), await readChecked(tokenizer)];
      const memory = Math.min(2 ** 32, MEMORY + modelBytes.length * COPIES);
      return { model: modelBytes, tokenizer: tokenizerBytes, use, maxTokens, memory };
    },
  };
}

async function readChecked({ path, sha256 }: HashedFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readModelFile(path);
  if (sha256Of(bytes) !== sha256) throw new UserError("neural_changed_file", { path });
  return bytes;
}

async function readModelFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if ((await statNamed(path)).size > MOST_BYTES) {
    throw new UserError("neural_model_invalid", { path, problem: `it has more than ${MOST_BYTES} bytes` });
  }
  return await readNamed(path);
}

/** `crypto.subtle` would keep a copy of the bytes for a while. */
function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
