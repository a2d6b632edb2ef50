/**
 * The interface of a language model: what a task asks it, what it answers and what that cost; and the reasons for which it gives no
 * answer. `README.md` of the house says how to add a provider.
 */
import type { LLM_TASKS } from "#foundation/configuration/mod.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { type FailureOptions, ServerFailure } from "#models/remote/mod.ts";
import type * as z from "zod";

/** The purpose of a request: one of `llm.tasks`, the answer of `ask`, or the check of `doctor`. */
export type ModelTask = typeof LLM_TASKS[number] | "answer" | "check";

/** A picture in a request. */
export interface ModelImage {
  readonly bytes: Uint8Array;
  /** `image/png` … */
  readonly mime: string;
  /** Size in pixels. Absent if it is not known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A request to a language model. Everything in it may be sent. */
export interface ModelRequest {
  readonly task: ModelTask;
  /** The system message: the program's words only. */
  readonly instructions: string;
  /** The user message, with texts of documents between tags. */
  readonly prompt: string;
  readonly images?: readonly ModelImage[];
  /** Most tokens of the answer. The smaller of this and `max_output_tokens` counts. */
  readonly maxOutputTokens: number;
  /** Ends the request, its retries and pauses included. A search gives its deadline. */
  readonly signal?: AbortSignal | undefined;
}

/** The tokens of requests. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a number is an estimate, because the server gave none. */
  readonly isEstimated: boolean;
  /** Requests that were sent. */
  readonly calls: number;
}

/** An answer and its cost. A failed try counts as a call, without its tokens; an answer that had to be repaired, with them. */
export interface Answered<Value> {
  readonly value: Value;
  readonly usage: Usage;
}

/** A language model. Calls may overlap; more than {@linkcode concurrency} wait. Nothing is sent before the first call. */
export interface LanguageModel {
  /** Provider and model, such as `deepseek/deepseek-chat`. */
  readonly id: string;
  /** Scheme, host and port of the server, without secrets: for consent, messages and keys of the cache. */
  readonly origin: string;
  /** Whether the server is on this machine. */
  readonly isLocal: boolean;
  /** Tokens of the window, prompt and answer together. May change with the first answer, when the server has told it. */
  readonly contextTokens: number;
  /** The settings that decide an answer beside the request, for keys of the cache. */
  readonly parameters: string;
  readonly concurrency: number;
  /** The way in which the last answer in a form was made; `undefined` before the first one. */
  readonly rung?: Rung | undefined;
  /**
   * Returns an answer in the form of `schema`, whose root must be an object. Throws {@linkcode LanguageFailure}, or the reason
   * of the request's signal.
   */
  object<Value>(request: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>>;
  /** Returns an answer as text without a model's thoughts. `onText` gets its parts as they arrive. Throws as {@linkcode object}. */
  text(request: ModelRequest, onText?: (part: string) => void): Promise<Answered<string>>;
}

/** A way in which a model is made to answer in a form. */
export type Rung = "json_schema" | "json_object" | "text";

/** Limits what models cost. */
export interface Budget {
  /** Called before each request with its tokens at most. Throws {@linkcode LanguageFailure} `budget_run` or `budget_day`. */
  reserve(tokens: number): void;
  /** Called once after each {@linkcode reserve} that did not throw. */
  settle(reserved: number, usage: Usage): void;
}

/** The reason for which a model gives no answer: the `x` of a message `llm_x`. */
export type LanguageFailureKind = MessageKey extends infer Key
  ? Key extends `llm_${infer Kind}` ? Kind : never
  : never;

/** A request to a language model that gave no usable answer. */
export class LanguageFailure extends ServerFailure {
  constructor(readonly kind: LanguageFailureKind, params: MessageParams, options?: FailureOptions) {
    super(`llm_${kind}`, params, options);
  }
}

/** The usage of nothing. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, isEstimated: false, calls: 0 };

/** Returns the sum of two usages. */
export function sumOfUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    isEstimated: one.isEstimated || other.isEstimated,
    calls: one.calls + other.calls,
  };
}
