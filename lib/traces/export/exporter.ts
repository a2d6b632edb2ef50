/**
 * Sends finished traces to a collector, OTLP over HTTP: a moment later, in batches, from a queue with a limit. A collector that is down
 * or slow delays no search and fills no memory; spans that it does not get are counted, and the first failure is logged.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import type { UserError } from "#foundation/errors.ts";
import type { Log } from "#foundation/log.ts";
import type { MessageParams } from "#foundation/messages/mod.ts";
import { PROCESS_ID, unrefTimer } from "#foundation/runtime.ts";
import {
  type FailureOptions,
  type Fetch,
  guardedFetch,
  keepFromProxy,
  remoteServer,
  Retries,
  ServerFailure,
  type ServerFailureKind,
  serverWords,
} from "#models/remote/mod.ts";
import type { TraceRecord } from "#traces/types.ts";
import { otlpRequest, type OtlpSpan, type PartialSuccess, readAnswer, type Source } from "./otlp.ts";
import { spansOf } from "./spans.ts";

/** Spans that wait at most: the largest trace and some more. Each is held as it was recorded, about 500 bytes. */
const MOST_WAITING = 60_000;
/** Spans of a request, as in OpenTelemetry's own exporters: 5 ms of work and half a megabyte. */
const BATCH_SPANS = 512;
/** Milliseconds until a trace is sent, so that the traces of a moment share a request and no answer waits. */
const DELAY_MS = 1000;
/** Milliseconds that the end of the program waits for an answer of the collector, and for all of them. */
const CLOSE_MS = 900;
const CLOSE_IN_ALL_MS = 10_000;
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A collector as the configuration names it, section `observability.otlp`. */
export interface CollectorSettings {
  readonly url: string;
  readonly protocol: "protobuf" | "json";
  /** `NAME=VALUE` separated by commas; a secret. */
  readonly headers: string | null;
  /** Whether texts and paths are sent. */
  readonly texts: boolean;
  readonly timeoutSeconds: number;
  readonly maxRetries: number;
}

/** Returns the collector of a section `observability.otlp` that has an address. */
export function collectorOf(otlp: Config["observability"]["otlp"], url: string): CollectorSettings {
  const { protocol, headers, texts, timeout_seconds: timeoutSeconds, max_retries: maxRetries } = otlp;
  return { url, protocol, headers, texts, timeoutSeconds, maxRetries };
}

/** Spans that were sent and that were not. */
export interface ExportCounts {
  /** Accepted by the collector. */
  readonly sent: number;
  /** Refused by the collector in an answer that accepted others. */
  readonly rejected: number;
  /** In requests that failed, after all retries. */
  readonly failed: number;
  /** Not sent because too many waited, or because the program ended. */
  readonly dropped: number;
}

/** A request that a collector did not accept. */
export class ExportFailure extends ServerFailure {
  constructor(readonly kind: ServerFailureKind, params: MessageParams, options: FailureOptions) {
    super("otlp_failed", params, options);
  }
}

/** Statuses after which OTLP wants the same request again. All others are final. */
const RETRYABLE = new Set<unknown>([429, 502, 503, 504]);

/** Sends traces to one collector. Only {@linkcode Exporter.probe} throws. */
export class Exporter {
  readonly #settings: CollectorSettings;
  readonly #address: string;
  /** The same without secrets. */
  readonly #shown: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #source: Source;
  readonly #log: Log;
  readonly #fetch: Fetch;
  readonly #retries: Retries;
  readonly #counts = { sent: 0, rejected: 0, failed: 0, dropped: 0 };
  readonly #waiting: TraceRecord[] = [];
  readonly #stop = new AbortController();
  /** Spans of the traces that wait or are being sent. */
  #spans = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;
  #isTold = false;
  /** Called when the collector has answered. */
  #onAnswer = () => {};
  /** Why the last request failed; absent while all is well. */
  problem: UserError | undefined;

  constructor(
    settings: CollectorSettings,
    { version, log }: { readonly version: string; readonly log: Log },
  ) {
    const { headers, timeoutSeconds, maxRetries } = settings;
    const url = tracesAddress(settings.url);
    const server = remoteServer(
      { base_url: url, api_key: null, model: null, timeout_seconds: timeoutSeconds },
      failureOf,
    );
    this.#settings = settings;
    this.#log = log;
    this.#address = url;
    this.#shown = server.address;
    this.#headers = headersOf(headers);
    // A header may be a scheme and a secret, and either half may stand alone in a collector's message.
    const parts = Object.values(this.#headers).flatMap((value) => [value, ...value.split(" ")]);
    this.#secrets = [...server.secrets, ...parts.filter(({ length }) => length >= 8)];
    this.#fetch = guardedFetch({ ...server, secrets: this.#secrets }, { maxBytes: MAX_ANSWER_BYTES });
    this.#retries = new Retries(maxRetries);
    this.#source = {
      resource: {
        "service.name": "muxue_rag",
        "service.version": version,
        "process.pid": BigInt(PROCESS_ID),
        "telemetry.sdk.language": "nodejs",
      },
      scope: { name: "muxue_rag", version },
    };
    keepFromProxy(url);
  }

  /** Spans sent and not sent so far. */
  get counts(): ExportCounts {
    return { ...this.#counts };
  }

  /** Queues a finished trace. Costs a few microseconds. */
  add(record: TraceRecord): void {
    const spans = record.spans.length + 1;
    if (this.#isClosed || this.#spans + spans > MOST_WAITING) {
      this.#counts.dropped += spans;
      return;
    }
    this.#spans += spans;
    this.#waiting.push(record);
    if (this.#timer !== undefined || this.#sending !== undefined) return;
    this.#timer = setTimeout(() => void this.#send(), DELAY_MS);
    unrefTimer(this.#timer);
  }

  /** Sends a request without spans. Throws {@linkcode ExportFailure}, or the reason of `signal`. */
  async probe(signal: AbortSignal): Promise<void> {
    await this.#post([], signal);
  }

  /** Sends what waits, as long as the collector answers, and counts the rest as dropped. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const inAll = setTimeout(() => this.#stop.abort(), CLOSE_IN_ALL_MS);
    let silence = setTimeout(() => this.#stop.abort(), CLOSE_MS);
    this.#onAnswer = () => {
      clearTimeout(silence);
      silence = setTimeout(() => this.#stop.abort(), CLOSE_MS);
    };
    await (this.#sending ?? this.#send());
    clearTimeout(inAll);
    clearTimeout(silence);
    const counts = { ...this.#counts };
    if (Object.values(counts).some((count) => count > 0)) this.#log.info("otlp.done", counts);
  }

  #send(): Promise<void> {
    this.#timer = undefined;
    return this.#sending = this.#sendAll();
  }

  /** Sends the traces that wait, also those that come meanwhile. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const records = this.#waiting.splice(0);
      let batch: OtlpSpan[] = [];
      for (const record of records) {
        if (this.#stop.signal.aborted) {
          this.#counts.dropped += record.spans.length + 1;
          continue;
        }
        for (const span of spansOf(record, this.#settings.texts)) {
          if (batch.push(span) < BATCH_SPANS) continue;
          await this.#sendBatch(batch);
          batch = [];
        }
      }
      if (batch.length > 0) await this.#sendBatch(batch);
      this.#spans -= records.reduce((sum, { spans }) => sum + spans.length + 1, 0);
    }
    // In the same turn of the event loop as the last look at the queue, so that a trace added later begins the next round.
    this.#sending = undefined;
  }

  async #sendBatch(spans: readonly OtlpSpan[]): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) {
      this.#counts.dropped += spans.length;
      return;
    }
    try {
      const { rejected, message } = await this.#retries.run(() => this.#post(spans, signal), signal);
      this.#onAnswer();
      const lost = Math.min(rejected, spans.length);
      this.#counts.rejected += lost;
      this.#counts.sent += spans.length - lost;
      if (lost === 0) return void (this.problem = undefined);
      const words = serverWords(message, this.#secrets);
      this.#tell(failureOf("rejected", { url: this.#shown, words: `${lost} × ${words}` }));
    } catch (error) {
      if (signal.aborted) this.#counts.dropped += spans.length;
      else this.#counts.failed += spans.length;
      if (error instanceof ExportFailure) this.#tell(error);
    }
  }

  async #post(spans: readonly OtlpSpan[], signal: AbortSignal): Promise<PartialSuccess> {
    const { type, body } = otlpRequest(this.#settings.protocol, spans, this.#source);
    const headers = { ...this.#headers, "content-type": type };
    const response = await this.#fetch(this.#address, { method: "POST", headers, body, signal });
    return readAnswer(response.headers.get("content-type") ?? type, await response.bytes());
  }

  /** Keeps the problem, and writes the first one to the log. */
  #tell(problem: UserError): void {
    this.problem = problem;
    if (this.#isTold) return;
    this.#isTold = true;
    this.#log.warning("otlp.failed", problem.params);
  }
}

function failureOf(kind: ServerFailureKind, params: MessageParams, options?: FailureOptions): ExportFailure {
  const { url = "", status, seconds, to, words = kind } = params as Readonly<Record<string, string | number>>;
  const shown = seconds !== undefined ? `> ${seconds} s` : to !== undefined ? `→ ${to}` : words;
  const isRetryable = status === undefined ? options?.retryable ?? false : RETRYABLE.has(status);
  return new ExportFailure(kind, { url, words: shown }, { ...options, retryable: isRetryable });
}

/** The address of traces: the URL itself, or `/v1/traces` on a server that is named without a path. */
export function tracesAddress(url: string): string {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = "/v1/traces";
  return address.href;
}

/** Reads headers as OpenTelemetry's exporters do: `NAME=VALUE` separated by commas, values percent-encoded where needed. */
export function headersOf(text: string | null): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim().toLowerCase();
    return at < 0 || name === "" ? [] : [[name, decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
