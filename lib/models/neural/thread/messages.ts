import type { Pooling } from "../model_folder.ts";

/** How the output of a model is used: as the vector of a text, or as a score of a pair. */
export type Use =
  /** `dimensions`: those that the model must have; `undefined`: any. */
  | { readonly kind: "vectors"; readonly pooling: Pooling; readonly dimensions: number | undefined }
  | { readonly kind: "scores" };

/** The first message to a thread. */
export interface Load {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly tokenizer: Uint8Array<ArrayBuffer>;
  readonly use: Use;
  readonly maxTokens: number;
  /** Most bytes of memory that the model may use. */
  readonly memory: number;
}

/** A later message to a thread: texts, and for scores the question that they are paired with. */
export interface Task {
  readonly texts: readonly string[];
  readonly question?: string;
}

/** Reason for which a thread has no result: the `x` of a message `neural_x`. */
export interface Failure {
  readonly kind: "tokenizer_invalid" | "model_invalid" | "wrong_dimensions" | "not_numbers";
  readonly params: Readonly<Record<string, string | number>>;
}

/** A thread's answer to {@linkcode Load} and to each {@linkcode Task}, in their order. */
export type ThreadAnswer =
  /** Numbers in the result of a text: the dimensions of a vector, or 1. */
  | { readonly loaded: number }
  /** The results of the texts, one after the other. */
  | { readonly values: Float32Array<ArrayBuffer> }
  | { readonly failure: Failure };
