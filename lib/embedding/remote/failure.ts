import { UserError } from "../../errors.ts";
import type { MessageParams } from "../../messages.ts";

/** What can go wrong with a server; each has its text, `embedding_…`, in the messages. */
export type FailureKind =
  | "bad_answer"
  | "batch_too_large"
  | "certificate"
  | "cut_off"
  | "dimensions_refused"
  | "key_missing"
  | "not_numbers"
  | "not_tls"
  | "quota"
  | "rate_limited"
  | "redirected"
  | "refused"
  | "rejected"
  | "server_error"
  | "timeout"
  | "too_large"
  | "too_long"
  | "unauthorized"
  | "unknown_host"
  | "unknown_model"
  | "unknown_model_listed"
  | "unreachable"
  | "wrong_address"
  | "wrong_count"
  | "wrong_dimensions";

/** How a failure may be met. */
export interface FailureOptions {
  /** The same request may succeed a little later. */
  readonly retryable?: boolean;
  /** When the server wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
}

/** A request for vectors that failed, in words for people. */
export class EmbeddingFailure extends UserError {
  readonly kind: FailureKind;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, params: MessageParams, options: FailureOptions = {}) {
    super(`embedding_${kind}`, params);
    this.kind = kind;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
