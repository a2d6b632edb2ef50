/** A language model as the rest of the program sees it: requests, answers, and what they cost. */
import type { z } from "zod";

/** What a request is for: one of `LLM_TASKS`, `answer` (of `ask`), or `check` (of `doctor`). */
export type ModelTask =
  | "refine"
  | "enrich"
  | "caption"
  | "rewrite"
  | "rerank"
  | "verify"
  | "judge"
  | "answer"
  | "check";

/** A picture of a request. */
export interface ModelImage {
  readonly bytes: Uint8Array;
  readonly mime: string;
}

/** A request to a model. */
export interface ModelRequest {
  readonly task: ModelTask;
  /** The system message. */
  readonly instructions: string;
  /** The user's message. */
  readonly prompt: string;
  readonly images?: readonly ModelImage[];
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

/** Tokens of one or more calls. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a server did not report them. */
  readonly isEstimated: boolean;
  readonly calls: number;
}

/** An answer, and what it took. */
export interface Answered<Value> {
  readonly value: Value;
  readonly usage: Usage;
}

/** A limit of tokens that several calls share. */
export interface Budget {
  /** Takes tokens for a call, before it is sent. Throws a failure if they would exceed the limit. */
  reserve(tokens: number): void;
  /** Replaces what was reserved for a call by what it used. */
  settle(reserved: number, usage: Usage): void;
}

/** A language model on a server. */
export interface LanguageModel {
  /** Such as `deepseek/deepseek-chat`. */
  readonly id: string;
  /** Such as `https://api.deepseek.com`, for consent, messages and keys of results; without secrets. */
  readonly origin: string;
  /** Whether the server is on this machine (loopback). */
  readonly isLocal: boolean;
  readonly contextTokens: number;
  /** Temperature and whatever else decides an answer, for keys of results. */
  readonly parameters: string;
  readonly concurrency: number;
  /** Asks for an answer in a form. */
  object<Value>(request: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>>;
  /** Asks for a text, which `onText` gets in parts. */
  text(request: ModelRequest, onText?: (part: string) => void): Promise<Answered<string>>;
}
