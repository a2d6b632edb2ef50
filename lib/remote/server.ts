import { secretForms } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import type { MessageKey, MessageParams } from "../messages.ts";

/** The reasons for which any server may give no result. */
export type ServerFailureKind =
  | "refused"
  | "unknown_host"
  | "certificate"
  | "not_tls"
  | "cut_off"
  | "unreachable"
  | "timeout"
  | "redirected"
  | "key_missing"
  | "unauthorized"
  | "quota"
  | "rate_limited"
  | "server_error"
  | "unknown_model"
  | "wrong_address"
  | "rejected"
  | "bad_answer"
  | "too_large"
  | "batch_too_large"
  | "too_long";

/** Whether and when a failed request is worth another try. */
export interface FailureOptions {
  /** Whether the same request may succeed a little later. Default: false. */
  readonly retryable?: boolean;
  /** Milliseconds from now until the server wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
}

/** A request to a server that failed. Each kind of server has a class of its own, with its own messages. */
export abstract class ServerFailure extends UserError {
  abstract readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(key: MessageKey, params: MessageParams, options: FailureOptions = {}) {
    super(key, params);
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A server that the user has configured. */
export interface RemoteServer {
  /** As configured. May contain secrets. */
  readonly baseUrl: string;
  /** The same without user, password and query, for messages. */
  readonly address: string;
  readonly apiKey: string | undefined;
  /** Empty where the server has only one model. */
  readonly model: string;
  readonly timeoutSeconds: number;
  /** Texts that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Makes the error for a failed request. */
  readonly fail: (kind: ServerFailureKind, params: MessageParams, options?: FailureOptions) => ServerFailure;
}

/** The keys of a configuration section that names a server. */
export interface ServerSettings {
  readonly "base_url": string | null;
  readonly "api_key": string | null;
  readonly model: string | null;
  readonly "timeout_seconds": number;
}

/** Returns the server that a section of the configuration names; its `base_url` must be set. */
export function remoteServer(settings: ServerSettings, fail: RemoteServer["fail"]): RemoteServer {
  const url = new URL(settings.base_url ?? "");
  const apiKey = settings.api_key?.trim() || undefined;
  const inAddress = [url.username, url.password, ...url.searchParams.values()];
  return {
    baseUrl: url.href,
    address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    apiKey,
    model: settings.model ?? "",
    timeoutSeconds: settings.timeout_seconds,
    secrets: [apiKey ?? "", ...inAddress, ...inAddress.map(decoded)].filter((secret) => secret.length >= 4)
      .flatMap(secretForms),
    fail,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
