/**
 * One request to a language model, tried again where that is worth it: it fits into the window, the budget and the server's slots, it
 * learns what this server does not take, and its answer has a usage and was made from all of the request.
 */
import type { LlmProvider } from "#foundation/configuration/mod.ts";
import type { MessageParams } from "#foundation/messages/mod.ts";
import {
  answerFailure,
  type Fetch,
  oddAnswer,
  type RemoteServer,
  Retries,
  ServerFailure,
  serverWords,
} from "#models/remote/mod.ts";
import { Slots } from "./budget.ts";
import { PRESETS } from "./presets.ts";
import { PROVIDER_OPTIONS, sdkModel } from "./sdk_models.ts";
import type { SdkAnswer, SdkModel, SdkPart, SdkRequest } from "./sdk_types.ts";
import { countTokens, imageTokens } from "./tokens.ts";
import { ThoughtFilter, withoutThoughts } from "./tolerant_json.ts";
import {
  type Budget,
  LanguageFailure,
  type ModelRequest,
  NO_USAGE,
  sumOfUsage,
  type Usage,
} from "./types.ts";
import { fitted, type Window, windowIn } from "./window.ts";

/** Tries after the first one. */
const MAX_RETRIES = 3;
/** Longest pause that a server may ask for. */
const MAX_WAIT_MS = 60_000;
/** Peculiarities of a server that one request learns. */
const MAX_LEARNED = 5;

/** A request with the turns after its prompt: an answer, and what is wrong with it. */
export interface Turned extends ModelRequest {
  readonly turns?: readonly [answer: string, objection: string] | undefined;
  readonly responseFormat?: SdkRequest["responseFormat"];
}

/** An answer as text. */
export interface Reply {
  /** Without thoughts. */
  readonly text: string;
  readonly usage: Usage;
  /** The tokens after which the answer broke off; `undefined` for one that is complete. */
  readonly cutAt: number | undefined;
}

/** The settings of requests. */
export interface RequestSettings {
  readonly provider: LlmProvider;
  readonly apiVersion: string | undefined;
  readonly temperature: number | null;
  readonly maxOutputTokens: number;
  readonly concurrency: number;
  readonly budget: Budget | undefined;
}

/** Sends requests to one model. Everything that it learns of the server counts for the rest of the process. */
export class Requests {
  readonly #server: RemoteServer;
  readonly #send: Fetch;
  readonly #settings: RequestSettings;
  readonly #window: Window;
  readonly #retries = new Retries(MAX_RETRIES, MAX_WAIT_MS);
  readonly #slots: Slots;
  readonly #quirks: Quirks = {};
  #model: Promise<SdkModel> | undefined;

  constructor(server: RemoteServer, send: Fetch, window: Window, settings: RequestSettings) {
    this.#server = server;
    this.#send = send;
    this.#window = window;
    this.#settings = settings;
    this.#slots = new Slots(settings.concurrency);
  }

  /** Returns the answer to a request. With `onText`, it arrives in parts. Throws {@linkcode LanguageFailure}. */
  async reply(request: Turned, onText?: (part: string) => void): Promise<Reply> {
    using _slot = await this.#slots.take(request.signal);
    await this.#window.ask(request.signal);
    let failed = NO_USAGE;
    for (let learned = 0;; learned++) {
      let known = this.#known();
      try {
        const reply = await this.#retries.run(async () => {
          known = this.#known();
          try {
            return await this.#once(request, onText);
          } catch (error) {
            failed = sumOfUsage(failed, ONE_CALL);
            throw error;
          }
        }, request.signal);
        return { ...reply, usage: sumOfUsage(failed, reply.usage) };
      } catch (error) {
        const isFinal = !(error instanceof ServerFailure) || learned >= MAX_LEARNED;
        if (isFinal || !this.#learns(error, known)) throw error;
      }
    }
  }

  /** Sends a request once. */
  async #once(request: Turned, onText?: (part: string) => void): Promise<Reply> {
    const { signal, turns = [], images = [] } = request;
    signal?.throwIfAborted();
    const pictures = imageTokens(images, `${this.#settings.provider}/${this.#server.model}`);
    const { prompt, maxOutputTokens } = fitted(
      { ...request, maxOutputTokens: Math.min(request.maxOutputTokens, this.#settings.maxOutputTokens) },
      this.#window.tokens,
      pictures,
    );
    const texts = [request.instructions, prompt, ...turns];
    const sent = countTokens(texts.join("\n")) + pictures;
    const { budget, temperature } = this.#settings;
    const reserved = sent + maxOutputTokens;
    budget?.reserve(reserved);
    let usage = ONE_CALL;
    try {
      const answer = await this.#ask({
        prompt: messagesOf(request, prompt),
        maxOutputTokens,
        ...(temperature !== null && { temperature }),
        ...(request.responseFormat !== undefined && { responseFormat: request.responseFormat }),
        ...(signal !== undefined && { abortSignal: signal }),
        providerOptions: PROVIDER_OPTIONS,
      }, onText);
      usage = usageOf(answer, { sent, most: maxOutputTokens });
      this.#checkInput(answer, texts);
      return { ...this.#checked(answer, maxOutputTokens), usage };
    } catch (error) {
      // A server that has read a request counts it, and an answer that never arrives may be as long as it was allowed to be.
      const isRead = !(error instanceof ServerFailure) || MAYBE_READ.has(error.kind);
      if (usage === ONE_CALL && isRead) {
        usage = { inputTokens: sent, outputTokens: maxOutputTokens, isEstimated: true, calls: 1 };
      }
      throw error;
    } finally {
      budget?.settle(reserved, usage);
    }
  }

  async #ask(request: SdkRequest, onText?: (part: string) => void): Promise<RawAnswer> {
    const { abortSignal: signal } = request;
    const shown = onText === undefined ? undefined : new Shown(onText);
    try {
      const model = await (this.#model ??= this.#open());
      if (shown === undefined) return answerOf(await model.doGenerate(request), this.#server);
      return await this.#streamed(
        (await model.doStream({ ...request, includeRawChunks: true })).stream,
        shown,
      );
    } catch (error) {
      signal?.throwIfAborted();
      const failure = this.#filtered(failureOf(this.#server, error));
      // A second answer would be shown behind the half of the first one.
      if (!shown?.isUsed || !failure.retryable) throw failure;
      throw new LanguageFailure(failure.kind as LanguageFailure["kind"], failure.params);
    }
  }

  /** Azure refuses prompts that its filter does not let through with an error. */
  #filtered(failure: ServerFailure): ServerFailure {
    const words = String(failure.params["words"] ?? "");
    if (failure.kind !== "rejected" || !FILTERED.test(words)) return failure;
    return failureIn(this.#server, "refusal", { words });
  }

  async #streamed(
    stream: ReadableStream<SdkPart | { readonly type: string }>,
    shown: Shown,
  ): Promise<RawAnswer> {
    const server = this.#server;
    const texts: string[] = [];
    let end: Extract<SdkPart, { type: "finish" }> | undefined;
    let refusal = "";
    for await (const part of stream as ReadableStream<SdkPart>) {
      if (part.type === "error") throw brokenOff(server, part.error);
      if (part.type === "finish") end = part;
      if (part.type === "raw" && refusal.length < MOST_REFUSAL) refusal += refusalPart(part.rawValue);
      if (part.type !== "text-delta") continue;
      texts.push(part.delta);
      shown.next(part.delta);
    }
    if (end === undefined || end.finishReason.unified === "error") {
      throw server.fail("cut_off", { url: server.address, words: "…" }, { retryable: true });
    }
    shown.end();
    return {
      text: texts.join(""),
      finish: end.finishReason.unified,
      usage: end.usage,
      body: refusal && { refusal },
    };
  }

  async #open(): Promise<SdkModel> {
    const { provider, apiVersion } = this.#settings;
    const { protocol } = PRESETS[provider];
    const send: Fetch = (input, init) => this.#send(input, withQuirks(init, this.#quirks));
    const actual = protocol === "openai" && this.#quirks.isChat ? "openai chat" : protocol;
    return await sdkModel(actual, this.#server, send, { apiVersion, window: () => this.#window.tokens });
  }

  #known(): Learned {
    return { quirks: { ...this.#quirks }, window: this.#window.tokens };
  }

  /**
   * Learns from a failure what the server does not take. Returns whether the same request may succeed now: also where another request
   * has learned it after this one, with what was `known`, had been sent.
   */
  #learns(failure: ServerFailure, known: Learned): boolean {
    const words = String(failure.params["words"] ?? "");
    const quirks = this.#quirks;
    const learn = <Key extends keyof Quirks>(key: Key, value: NonNullable<Quirks[Key]>) => {
      if (known.quirks[key] === value) return false;
      quirks[key] = value;
      return true;
    };
    if (failure.kind === "wrong_address" && PRESETS[this.#settings.provider].protocol === "openai") {
      this.#model = undefined;
      return learn("isChat", true);
    }
    if (!LEARNABLE.has(failure.kind)) return false;
    if (/max_completion_tokens/.test(words)) return learn("newLimit", true);
    const range = MOST_TOKENS.exec(words)?.slice(1).find((found) => found !== undefined);
    if (range !== undefined) return learn("maxTokens", Number(range));
    if (/enable_thinking/.test(words)) return learn("noThinking", true);
    if (/stream_options/.test(words)) return learn("noStreamOptions", true);
    if (/\btemperature\b/i.test(words)) return learn("noTemperature", true);
    if (failure.kind !== "too_long") return false;
    return this.#window.learn(windowIn(words)) || this.#window.tokens < known.window;
  }

  /** Throws if the server has read much less than was sent, so that the answer is about something else. */
  #checkInput({ usage }: RawAnswer, texts: readonly string[]): void {
    const read = usage.inputTokens.total ?? 0;
    // Long lines of the same character are few tokens.
    const sent = countTokens(texts.join("\n").replace(/([^\p{L}\p{N}])\1+/gu, "$1"));
    const isLimit = read % CUT_STEP === 0 && read < sent * ROUND_SHARE;
    if (read < LEAST_READ || sent < LEAST_SENT || (read >= sent * CUT_SHARE && !isLimit)) return;
    throw failureIn(this.#server, "input_cut", { sent, read });
  }

  #checked({ text: said, finish, body }: RawAnswer, limit: number): Pick<Reply, "text" | "cutAt"> {
    const text = withoutThoughts(said).trim();
    const words = serverWords(text, this.#server.secrets);
    if (finish === "content-filter") throw failureIn(this.#server, "refusal", { words });
    if (text !== "") return { text, cutAt: finish === "length" ? limit : undefined };
    if (finish === "length") throw failureIn(this.#server, "cut_off_answer", { limit });
    const refusal = refusalIn(this.#server, JSON.stringify(body ?? ""));
    if (refusal !== undefined) throw refusal;
    // DeepSeek's models answer nothing now and then, and answer if they are asked again.
    throw this.#server.fail("bad_answer", { url: this.#server.address, words: '""' }, { retryable: true });
  }
}

/** Returns a failure that only language models have. The server adds the section of the configuration, which messages name. */
export function failureIn(
  server: RemoteServer,
  kind: LanguageFailure["kind"],
  params: MessageParams,
): ServerFailure {
  return server.fail(kind as "rejected", {
    url: server.address,
    model: server.model,
    ...params,
  });
}

/** The parts of an answer that count. */
interface RawAnswer {
  readonly text: string;
  readonly finish: string;
  readonly usage: SdkAnswer["usage"];
  readonly body: unknown;
}

/** A call whose tokens nobody counted. */
const ONE_CALL: Usage = { ...NO_USAGE, calls: 1 };

/** Failures of requests that the server may have read to the end. */
const MAYBE_READ: ReadonlySet<string> = new Set(["timeout", "cut_off", "too_large", "bad_answer"]);

/** Estimated tokens of a request, and tokens that a server read, below which a silent cut is not looked for. */
const LEAST_SENT = 1500;
const LEAST_READ = 200;
/** The share of the estimated tokens that a server must have read: no tokenizer needs so few. */
const CUT_SHARE = 0.6;
/** Ollama, llama.cpp and others cut at a window, which is a multiple of this many tokens: there less suffices. */
const CUT_STEP = 1024;
const ROUND_SHARE = 0.95;

/** The words of a server whose filter does not let a prompt through. */
const FILTERED =
  /content[ _](?:management policy|filter)|content exists risk|inappropriate content|high risk|敏感/i;

/** Kinds of failures by which servers refuse a part of a request. */
const LEARNABLE: ReadonlySet<string> = new Set(["rejected", "too_long", "batch_too_large", "server_error"]);

/** The largest `max_tokens`, as DeepSeek, Anthropic and OpenAI name it. */
const MOST_TOKENS =
  /max_tokens\b.{0,80}?\[1, ?(\d{2,7})\]|max_tokens: \d{1,9} > (\d{2,7})|at most (\d{2,7}) completion tokens/;

/** Peculiarities of a server, found out from its refusals. */
interface Quirks {
  /** There is no `/responses`. */
  isChat?: boolean;
  /** The limit of the answer is called `max_completion_tokens`: OpenAI's newer models. */
  newLimit?: boolean;
  /** The largest `max_tokens` that is taken. */
  maxTokens?: number;
  noTemperature?: boolean;
  noStreamOptions?: boolean;
  /** Qwen's models that think unless they are told not to. */
  noThinking?: boolean;
}

/** The knowledge of a server with which a request was sent. */
interface Learned {
  readonly quirks: Quirks;
  readonly window: number;
}

/** Returns a request that has what the server takes. */
function withQuirks(init: RequestInit | undefined, quirks: Quirks): RequestInit | undefined {
  if (typeof init?.body !== "string" || Object.keys(quirks).length === 0) return init;
  const body = JSON.parse(init.body) as Record<string, unknown>;
  const { newLimit, maxTokens, noTemperature, noStreamOptions, noThinking } = quirks;
  if (maxTokens !== undefined && Number(body["max_tokens"]) > maxTokens) body["max_tokens"] = maxTokens;
  if (newLimit && body["max_tokens"] !== undefined) {
    body["max_completion_tokens"] = body["max_tokens"];
    delete body["max_tokens"];
  }
  if (noTemperature) delete body["temperature"];
  if (noStreamOptions) delete body["stream_options"];
  if (noThinking) body["enable_thinking"] = false;
  return { ...init, body: JSON.stringify(body) };
}

function messagesOf({ instructions, images = [], turns }: Turned, prompt: string): SdkRequest["prompt"] {
  const files = images.map(({ bytes, mime }) => ({
    type: "file" as const,
    mediaType: mime,
    data: { type: "data" as const, data: bytes },
  }));
  const text = (text: string) => [{ type: "text" as const, text }];
  return [
    { role: "system", content: instructions },
    { role: "user", content: [...text(prompt), ...files] },
    ...(turns === undefined ? [] : [
      { role: "assistant" as const, content: text(turns[0]) },
      { role: "user" as const, content: text(turns[1]) },
    ]),
  ];
}

function answerOf({ content, finishReason, usage, response }: SdkAnswer, server: RemoteServer): RawAnswer {
  if (finishReason.unified === "error" && content.length === 0) throw oddAnswer(server, "");
  const texts = content.flatMap(({ type, text = "" }) => type === "text" ? [text] : []);
  return { text: texts.join(""), finish: finishReason.unified, usage, body: response?.body };
}

/** Returns the usage as the server tells it; an estimate for numbers that are missing or cannot be. */
function usageOf(
  { text, usage }: RawAnswer,
  { sent, most }: { readonly sent: number; readonly most: number },
): Usage {
  const { inputTokens: { total: input = 0 }, outputTokens: { total: output = 0 } } = usage;
  const isCount = (count: number, limit: number) => Number.isInteger(count) && count > 0 && count <= limit;
  const isTold = isCount(input, 20 * (sent + 1000)) && isCount(output, 20 * most);
  return {
    inputTokens: isTold ? input : sent,
    outputTokens: isTold ? output : countTokens(text),
    isEstimated: !isTold,
    calls: 1,
  };
}

/** Returns the failure behind an error of the SDK, which has many classes for an answer without a text. */
function failureOf(server: RemoteServer, error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  const { responseBody, cause } = (error ?? {}) as {
    readonly responseBody?: unknown;
    readonly cause?: unknown;
  };
  // The SDK wraps the failure of a stream.
  if (cause instanceof ServerFailure) return cause;
  const body = typeof responseBody === "string" ? responseBody : "";
  return refusalIn(server, body) ?? oddAnswer(server, body);
}

/** Returns the failure of a model that refuses in a field of its own, which the SDK does not read in the protocol of `/responses`. */
function refusalIn(server: RemoteServer, body: string): ServerFailure | undefined {
  const refusal = /"refusal"\s*:\s*"((?:[^"\\]|\\.){1,500})/.exec(body)?.[1];
  if (refusal === undefined) return undefined;
  return failureIn(server, "refusal", { words: serverWords(refusal, server.secrets) });
}

/** UTF-16 units of a streamed refusal that are read. */
const MOST_REFUSAL = 500;

/** Returns the part of a refusal in an event of a stream: the SDK hands on none. */
function refusalPart(event: unknown): string {
  const { type, delta, choices } = (event ?? {}) as {
    readonly type?: unknown;
    readonly delta?: unknown;
    readonly choices?: readonly { readonly delta?: { readonly refusal?: unknown } }[];
  };
  const part = type === "response.refusal.delta"
    ? delta
    : Array.isArray(choices)
    ? choices[0]?.delta?.refusal
    : undefined;
  return typeof part === "string" ? part : "";
}

/** Returns the failure for an error in the middle of a stream: the server's own words, or an answer that cannot be read. */
function brokenOff(server: RemoteServer, error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  if (error instanceof Error && !("data" in error)) {
    return server.fail("cut_off", { url: server.address, words: "…" }, { retryable: true });
  }
  const said = error instanceof Error ? (error as { data?: unknown }).data : error;
  return answerFailure(server, 500, JSON.stringify({ error: said ?? "" }));
}

/** Hands on the text of a stream without thoughts. */
class Shown {
  readonly #filter = new ThoughtFilter();
  readonly #onText: (part: string) => void;
  /** Whether something has been handed on. */
  isUsed = false;

  constructor(onText: (part: string) => void) {
    this.#onText = onText;
  }

  next(part: string): void {
    this.#show(this.#filter.next(part));
  }

  end(): void {
    this.#show(this.#filter.end());
  }

  #show(text: string): void {
    if (text === "") return;
    this.isUsed = true;
    this.#onText(text);
  }
}
