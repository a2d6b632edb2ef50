/** The parts of the AI SDK's models that are used, and which a model of our own has as well. */
import type { LanguageModel as AnyModel } from "ai";

type FullModel = Extract<AnyModel, { readonly specificationVersion: "v4" }>;

/** A request in the form of the SDK. */
export type SdkRequest = Parameters<FullModel["doGenerate"]>[0];

/** The parts of an answer that are used. */
export interface SdkAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly finishReason: { readonly unified: string; readonly raw: string | undefined };
  readonly usage: {
    readonly inputTokens: { readonly total: number | undefined };
    readonly outputTokens: { readonly total: number | undefined };
  };
  /** The body of the answer as it came. */
  readonly response?: { readonly body?: unknown };
}

/** A part of an answer that is streamed. Other types are not read. */
export type SdkPart =
  | { readonly type: "text-delta"; readonly delta: string }
  | ({ readonly type: "finish" } & Pick<SdkAnswer, "finishReason" | "usage">)
  | { readonly type: "error"; readonly error: unknown }
  /** The value that the server sent, before the other parts that are made of it. */
  | { readonly type: "raw"; readonly rawValue: unknown };

/** A model of the SDK. */
export interface SdkModel {
  doGenerate(request: SdkRequest): PromiseLike<SdkAnswer>;
  doStream(
    request: SdkRequest,
  ): PromiseLike<{ readonly stream: ReadableStream<SdkPart | { readonly type: string }> }>;
}
