/**
 * The context window of a model: what its server says of it, and requests that fit into it.
 */
import type { LlmProvider } from "#foundation/configuration/mod.ts";
import {
  cutToLength,
  cutToTokens,
  estimateTokens,
  type Fetch,
  type RemoteServer,
} from "#models/remote/mod.ts";
import { characterAt } from "#foundation/text_offsets.ts";
import { ollamaUrl } from "./ollama.ts";
import type { ModelRequest } from "./types.ts";

/** Tokens of a request beside its texts, such as the marks of its messages. */
const MARKS = 64;
/** Tokens of the prompt that are always left, so that a wrong window is noticed by a refusal of the server. */
const LEAST_PROMPT = 256;
/** Longest time that a server has to tell its window. */
const PATIENCE_MS = 5000;

/** The window of a model: the assumed one, or a smaller one that its server has told. */
export class Window {
  #tokens: number;
  #asked: Promise<void> | undefined;
  readonly #ask: (signal: AbortSignal) => Promise<number | undefined>;

  /** `assumed`: the tokens that the caller plans with. `ask`: asks the server. */
  constructor(assumed: number, ask: (signal: AbortSignal) => Promise<number | undefined>) {
    this.#tokens = assumed;
    this.#ask = ask;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Asks the server, once. A server that does not tell is no failure. Throws only the reason of `signal`, at once. */
  async ask(signal?: AbortSignal): Promise<void> {
    // A search does not wait longer than it may because an indexing run has asked first.
    await unlessAborted(this.#asked ??= this.#askServer(signal), signal);
  }

  /** Takes a smaller window. Returns whether it is smaller. */
  learn(tokens: number | undefined): boolean {
    if (tokens === undefined || tokens >= this.#tokens || tokens < 2 * LEAST_PROMPT) return false;
    this.#tokens = tokens;
    return true;
  }

  async #askServer(signal?: AbortSignal): Promise<void> {
    using patience = new Patience(PATIENCE_MS, signal);
    try {
      this.learn(await this.#ask(patience.signal));
    } catch {
      // The request itself will say what is wrong with the server.
      if (signal?.aborted) this.#asked = undefined;
    }
  }
}

/** Waits for `work`, which does not fail. Throws the reason of `signal` as soon as it is aborted. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A signal that aborts after a time or with another one. */
class Patience {
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly signal: AbortSignal;

  constructor(ms: number, other: AbortSignal | undefined) {
    const own = new AbortController();
    this.#timer = setTimeout(() => own.abort(), ms);
    this.signal = other === undefined ? own.signal : AbortSignal.any([own.signal, other]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** Asks a server for the tokens of its model's window. `undefined` if this kind of server does not tell. */
export async function askWindow(
  provider: LlmProvider,
  server: RemoteServer,
  send: Fetch,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { baseUrl, apiKey, model } = server;
  const get = async (url: URL, body?: object): Promise<unknown> => {
    const response = await send(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    return await response.json();
  };
  const below = (path: string) => {
    const url = new URL(baseUrl);
    url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
    return url;
  };
  switch (provider) {
    case "ollama": {
      const info = field(await get(ollamaUrl(baseUrl, "show"), { model }), "model_info") ?? {};
      const [, tokens] = Object.entries(info).find(([name]) => name.endsWith(".context_length")) ?? [];
      return count(tokens);
    }
    case "vllm":
      return count(field(listed(await get(below("/models")), model), "max_model_len"));
    case "lmstudio": {
      const url = new URL("/api/v0/models", baseUrl);
      return count(field(listed(await get(url), model), "loaded_context_length"));
    }
    default:
      return undefined;
  }
}

/** Returns the model of this name in a list of models. */
function listed(list: unknown, model: string): unknown {
  const data = field(list, "data");
  return Array.isArray(data) ? data.find((item) => field(item, "id") === model) : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function count(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 ? value as number : undefined;
}

/** Returns the window that a server names when it refuses a request, as OpenAI, DeepSeek, Anthropic, vLLM, LM Studio and llama.cpp do. */
export function windowIn(words: string): number | undefined {
  const found = WINDOW_NAMED.map((pattern) => pattern.exec(words)?.[1]).find((tokens) =>
    tokens !== undefined
  );
  return found === undefined ? undefined : Number(found);
}

/** The first pattern that matches counts: LM Studio names the tokens of the request before its window. */
const WINDOW_NAMED: readonly RegExp[] = [
  /n_ctx\D{0,5}(\d{3,8})/i,
  /(?:context (?:length|size|window)\b\D{0,30}|maximum of )(\d{3,8})/i,
  /> (\d{3,8}) maximum/i,
];

/**
 * Returns a request whose estimated tokens, those of its `pictures` and of the answer included, fit into a window. The middle of the prompt is left out: its
 * beginning and its end say what is asked, and close the tags around quoted texts.
 */
export function fitted(
  { instructions, prompt, maxOutputTokens }: ModelRequest,
  window: number,
  pictures = 0,
): { readonly prompt: string; readonly maxOutputTokens: number } {
  const output = Math.min(maxOutputTokens, Math.floor(window / 2));
  const taken = estimateTokens(instructions) + pictures + MARKS;
  const room = Math.max(LEAST_PROMPT, window - output - taken);
  return { prompt: withoutMiddle(prompt, room), maxOutputTokens: output };
}

function withoutMiddle(text: string, limit: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= limit) return text;
  const head = cutToTokens(text, limit * 0.7);
  // The end has as many tokens in a character as the whole, about.
  const length = Math.floor(text.length * (limit * 0.25) / tokens);
  const from = characterAt(text, text.length - length);
  return `${cutToLength(head, Math.min(head.length, from))}\n…\n${text.slice(from)}`;
}
