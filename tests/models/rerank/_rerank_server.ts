import type { ServerResponse } from "node:http";
import { type Config, DEFAULTS } from "#foundation/configuration/mod.ts";
import { type Asked, json, JsonServer, type OtherAnswer } from "../_json_server.ts";

/** Which server's protocol is spoken. */
export type Speech =
  /** `{results: [{index, relevance_score}]}`, best first, as Jina, Cohere and vLLM. Refuses a request without `documents`. */
  | "jina"
  /** The same with raw numbers of the model, at `/v1/rerank`; takes `documents` or `texts`. */
  | "llama.cpp"
  /** `[{index, score}]` at `/rerank`; refuses a request without `texts`. */
  | "tei"
  /** `/chat/completions` of OpenAI's protocol; the model answers with {@linkcode RerankServer.reply}. */
  | "chat";

/** A fault of the server, instead of a correct answer. */
export type Fault =
  | OtherAnswer
  | "hang"
  | "cut"
  | "NaN"
  | "null"
  | "one too few"
  | "index twice"
  | "strange index";

/** A request that the server received. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  // deno-lint-ignore no-explicit-any -- the body of any protocol
  readonly body: any;
}

/** A local server that reranks, whose relevance of a text is chosen by a test. */
export class RerankServer extends JsonServer {
  readonly requests: Received[] = [];
  /** Faults of the next requests, in order; `undefined` for a correct answer. */
  readonly faults: (Fault | undefined)[] = [];
  /** Returns the relevance of a passage, from 0 to 1. */
  relevance: (passage: string, question: string) => number = () => 0.5;
  /** Returns the answer of the language model. */
  reply: (prompt: string, instructions: string) => string = () => "";
  /** Most characters of a text that is taken. */
  maxChars = Infinity;

  private constructor(readonly speech: Speech) {
    super();
  }

  static async start(speech: Speech): Promise<RerankServer> {
    return await new RerankServer(speech).listen();
  }

  /** The configured address: TEI answers at the root, the others below `/v1`. */
  get url(): string {
    return `${this.origin}${this.speech === "tei" ? "" : "/v1"}`;
  }

  /** Returns the configuration for this server. */
  config(changes: Partial<Config["rerank"]> = {}): Config["rerank"] {
    return rerankConfig({
      provider: this.speech === "chat" ? "llm" : "remote",
      "base_url": this.url,
      model: this.speech === "jina" || this.speech === "chat" ? "judge" : null,
      ...changes,
    });
  }

  protected answer({ method, path, headers, text }: Asked, response: ServerResponse): void {
    const expected = {
      jina: "/v1/rerank",
      "llama.cpp": "/v1/rerank",
      tei: "/rerank",
      chat: "/v1/chat/completions",
    };
    if (method !== "POST" || path !== expected[this.speech]) {
      return json(response, 404, { error: { message: "no such page" } });
    }
    const body = JSON.parse(text);
    this.requests.push({ path, headers, body });
    const fault = this.faults.shift();
    if (fault === "hang") return;
    if (fault === "cut") return void response.socket?.destroy();
    if (typeof fault === "object") return json(response, fault.status, fault.body, fault.headers);
    if (this.speech === "chat") return this.#chat(response, body);
    this.#rerank(response, body, fault);
  }

  #rerank(response: ServerResponse, body: Received["body"], fault: Fault | undefined): void {
    const { speech } = this;
    const texts: unknown = speech === "tei"
      ? body.texts
      : body.documents ?? (speech === "jina" ? undefined : body.texts);
    if (!Array.isArray(texts)) {
      const field = speech === "tei" ? "texts" : "documents";
      // The words of the framework that Text Embeddings Inference uses, in plain text.
      const words = `Failed to deserialize the JSON body into the target type: missing field \`${field}\``;
      return json(response, 422, words);
    }
    if (speech === "jina" && typeof body.model !== "string") {
      return json(response, 422, { detail: "[model] field required" });
    }
    if (texts.some((passage) => passage.length > this.maxChars)) {
      return json(response, 400, { error: { message: "maximum context length is 512 tokens" } });
    }
    const items = texts.map((passage, index) => {
      const share = this.relevance(passage, body.query);
      const score = speech === "llama.cpp" ? Math.log(share / (1 - share)) : share;
      return speech === "tei" ? { index, score } : { index, relevance_score: score };
    });
    const sorted = changed(items.sort((a, b) => scoreOf(b) - scoreOf(a)), fault);
    const whole = JSON.stringify(speech === "tei" ? sorted : { model: body.model ?? "x", results: sorted });
    // NaN, as Python writes it.
    json(response, 200, fault === "NaN" ? whole.replace(/("(?:relevance_)?score":)[\d.]+/, "$1NaN") : whole);
  }

  #chat(response: ServerResponse, { messages }: Received["body"]): void {
    const said = (role: string) =>
      messages.find((each: { role: string }) => each.role === role)?.content ?? "";
    json(response, 200, {
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "judge",
      choices: [{
        index: 0,
        "finish_reason": "stop",
        message: { role: "assistant", content: this.reply(said("user"), said("system")) },
      }],
      usage: { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    });
  }
}

type Item = { index: number; score?: number | null; "relevance_score"?: number | null };

const scoreOf = ({ score, relevance_score: relevance }: Item) => relevance ?? score ?? 0;

function changed(items: readonly Item[], fault: Fault | undefined): readonly Item[] {
  const [first, ...rest] = items;
  if (fault === "one too few") return rest;
  if (fault === "index twice") return [first!, { ...rest[0]!, index: first!.index }, ...rest.slice(1)];
  if (fault === "strange index") return [{ ...first!, index: 999 }, ...rest];
  if (fault === "null") return [{ index: first!.index, score: null, "relevance_score": null }, ...rest];
  return items;
}

/** Returns the section `rerank`: the defaults with `changes`. */
export function rerankConfig(changes: Partial<Config["rerank"]> = {}): Config["rerank"] {
  return { ...DEFAULTS.rerank, provider: "remote", "base_url": "http://127.0.0.1:1/v1", ...changes };
}
