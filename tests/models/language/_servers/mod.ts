/**
 * Local servers that speak the protocols of language models as the real ones do, with their rules and their errors:
 *
 *     await using server = await LanguageServer.start("ollama", { contextTokens: 8192 });
 *     server.reply = ({ prompt, schema }) => ({ title: prompt.slice(0, 10) });   // an object is answered as JSON
 *     server.faults.push("429 Retry-After", undefined, "hang");                  // of the next requests
 *     server.rule = ({ prompt }) => prompt.includes("bad") ? "500" : undefined;  // of all others
 *     … { llm: server.llm() } …                                                  // section of the configuration
 *     server.requests                                                            // what arrived, decoded
 *     server.heard()                                                             // all bytes of it as text, for canaries
 */
import type { ServerResponse } from "node:http";
import { type Asked as Heard, json, JsonServer } from "../../_json_server.ts";
import {
  type Asked,
  type AskedImage,
  askedOf,
  type Protocol,
  type Raw,
  sampleOf,
  type Setup,
  type Written,
} from "./asked.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { AZURE, AZURE_FILTER, COMPATIBLE, DEEPSEEK, LMSTUDIO, OPENAI_CHAT, VLLM } from "./chat_servers.ts";
import { answerWith, ERRORS, type Fault, FILLING, NOT_UTF8, SILENT_CUT } from "./faults.ts";
import { OLLAMA } from "./ollama.ts";
import { imageTokens } from "./image_tokens.ts";
import { withResponses } from "./openai_responses.ts";

export { type Asked, type AskedForm, type AskedImage, countTokens, sampleOf } from "./asked.ts";
export { ERRORS, type Fault, MODEL, REFUSAL, SILENT_CUT, TRANSPORT } from "./faults.ts";

/** The servers, by the names of `llm.provider`. */
const PROTOCOLS = {
  openai: withResponses(OPENAI_CHAT, "/v1/responses"),
  azure: withResponses(AZURE, "/openai/v1/responses"),
  "openai-compatible": COMPATIBLE,
  ollama: OLLAMA,
  deepseek: DEEPSEEK,
  anthropic: ANTHROPIC,
  lmstudio: LMSTUDIO,
  vllm: VLLM,
} satisfies Record<string, Protocol>;

export type Speech = keyof typeof PROTOCOLS;

export const SPEECHES = Object.keys(PROTOCOLS) as Speech[];

/** The servers that are asked with a key. */
const WITH_KEY: readonly Speech[] = ["openai", "azure", "deepseek", "anthropic"];

/** The key of {@linkcode LanguageServer.llm}. */
export const KEY = "sk-canary-5f1d0c7e9b2a4863";

/** The model of {@linkcode LanguageServer.llm}. */
export const MODEL_NAME = "small-1";

const FILLING_BYTES = 100 * 1024 * 1024;

export class LanguageServer extends JsonServer {
  /** All requests for text, in order, those with faults as well. */
  readonly requests: Asked[] = [];
  /** All requests, also those for lists of models and those that were refused. */
  readonly raw: Raw[] = [];
  /** Faults of the next requests for text, in order; `undefined` for a correct answer. */
  readonly faults: (Fault | undefined)[] = [];
  /** Chooses the fault of all other requests, those for information as well. */
  rule: (asked: Raw | Asked) => Fault | undefined = () => undefined;
  /** Returns the answer of the model, an object for JSON. Default: the smallest object of the schema, or "OK". */
  reply: (asked: Asked) => unknown = ({ schema }) => schema === undefined ? "OK" : sampleOf(schema);
  /** `Retry-After` of the fault of that name. */
  retryAfter = "1";
  /** Where the fault `redirect` leads to. */
  redirectTo = "http://127.0.0.1:1/";
  /** Milliseconds between the bytes of the fault `slow`. */
  slowMs = 20;
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Most requests at the same time. */
  concurrent = 0;
  #underWay = 0;
  readonly #protocol: Protocol;

  private constructor(readonly speech: Speech, readonly setup: Setup) {
    super();
    this.#protocol = PROTOCOLS[speech];
  }

  static async start(speech: Speech, setup: Partial<Setup> = {}, port = 0): Promise<LanguageServer> {
    const server = new LanguageServer(speech, {
      models: [MODEL_NAME],
      key: WITH_KEY.includes(speech) ? KEY : undefined,
      contextTokens: 128_000,
      sees: speech !== "deepseek",
      isNewer: false,
      forms: ["json_schema", "json_object", "text"],
      ...setup,
    });
    return await server.listen(port);
  }

  /** The address that a user configures. */
  get url(): string {
    return `${this.origin}${this.#protocol.base}`;
  }

  /** The keys of the section `llm` that name this server. */
  llm(): {
    readonly provider: Speech;
    readonly base_url: string;
    readonly model: string;
    readonly api_key: string | null;
    readonly api_version: string | null;
  } {
    return {
      provider: this.speech,
      "base_url": this.url,
      model: this.setup.models[0]!,
      "api_key": this.setup.key ?? null,
      "api_version": this.speech === "azure" ? "2024-10-21" : null,
    };
  }

  /** The variables of the environment that name this server in a section. */
  environment(section: "LLM" | "VISION_LLM" = "LLM"): Record<string, string> {
    const settings = Object.entries(this.llm());
    return Object.fromEntries(
      settings.flatMap(([key, value]) =>
        value === null ? [] : [[`MUXUE_RAG_${section}_${key.toUpperCase()}`, value]]
      ),
    );
  }

  /** All that arrived: paths, headers and bodies. */
  heard(): string {
    return this.raw.map(({ path, headers, text }) => `${path}\n${JSON.stringify(headers)}\n${text}`).join(
      "\n\n",
    );
  }

  protected async answer(heard: Heard, response: ServerResponse): Promise<void> {
    const raw: Raw = { ...heard, body: parsed(heard.text) };
    this.raw.push(raw);
    this.concurrent = Math.max(this.concurrent, ++this.#underWay);
    response.on("close", () => this.#underWay--);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    const read = this.#protocol.read(raw, this.setup);
    if (read === undefined || "status" in read || "info" in read) {
      const fault = this.rule(raw);
      if (fault !== undefined && this.#failed(response, raw, fault)) return;
      const problem = read === undefined ? this.#protocol.unknownPath(raw) : read;
      if ("info" in problem) return json(response, 200, problem.info);
      return json(response, problem.status, problem.body, problem.headers);
    }
    const tokensOf = (image: AskedImage) => imageTokens(image, this.speech);
    const asked = askedOf(raw, read, tokensOf);
    const fault = this.faults.length > 0 ? this.faults.shift() : this.rule(asked);
    const seen = fault === "silent cut"
      ? askedOf(raw, { ...read, silentLimit: SILENT_CUT }, tokensOf)
      : asked;
    this.requests.push(seen);
    if (fault !== undefined && this.#failed(response, raw, fault)) return;
    const tooLong = this.#protocol.tooLong(seen, this.setup);
    if (tooLong !== undefined) return json(response, tooLong.status, tooLong.body, tooLong.headers);
    if (fault === "content filter" && this.speech === "azure") {
      return json(response, AZURE_FILTER.status, AZURE_FILTER.body);
    }
    if (fault === "breakdown" && !seen.stream) {
      const { status, body } = this.#protocol.problem("server error", raw, this.setup);
      return json(response, status, body);
    }
    const reply = this.reply(seen);
    const text = typeof reply === "string" ? reply : JSON.stringify(reply);
    await this.#send(response, this.#protocol.write(seen, answerWith(seen, text, fault)), fault);
  }

  /** Sends an answer that is none; returns whether it did. */
  #failed(response: ServerResponse, raw: Raw, fault: Fault): boolean {
    if (typeof fault === "object") {
      json(response, fault.status, fault.body, fault.headers);
    } else if (fault in ERRORS) {
      const { status, body, headers } = this.#protocol.problem(
        ERRORS[fault as keyof typeof ERRORS],
        raw,
        this.setup,
      );
      const wait: Record<string, string> = fault === "429 Retry-After"
        ? { "retry-after": this.retryAfter }
        : {};
      json(response, status, body, { ...headers, ...wait });
    } else if (fault === "cut") {
      response.socket?.destroy();
    } else if (fault === "HTML") {
      json(
        response,
        200,
        "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Please sign in.</p></body></html>",
        {
          "content-type": "text/html",
        },
      );
    } else if (fault === "empty body") {
      response.writeHead(200, { "content-type": "application/json" }).end();
    } else if (fault === "redirect") {
      response.writeHead(302, { location: this.redirectTo }).end();
    } else {
      return fault === "hang";
    }
    return true;
  }

  async #send(response: ServerResponse, { type, parts }: Written, fault: Fault | undefined): Promise<void> {
    const whole = parts.join("");
    response.writeHead(200, { "content-type": type });
    response.flushHeaders();
    switch (fault) {
      case "hang in the body":
        return void response.write(whole.slice(0, whole.length / 2));
      case "cut in the body":
        response.write(whole.slice(0, whole.length / 2));
        return void setTimeout(() => response.socket?.destroy(), 20);
      case "cut JSON":
        return void response.end(parts.length === 1 ? whole.slice(0, whole.length / 2) : cutEvents(parts));
      case "slow":
        return await this.#slowly(response, whole);
      case "100 MB":
        return await filled(response, parts);
      case "invalid UTF-8":
        return void response.end(notUtf8(whole));
      default:
        for (const part of parts) response.write(part);
        return void response.end();
    }
  }

  async #slowly(response: ServerResponse, whole: string): Promise<void> {
    for (const byte of new TextEncoder().encode(whole)) {
      if (response.destroyed) return;
      response.write(Uint8Array.of(byte));
      await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    }
    response.end();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Returns a stream with half of its events, the last of which is cut. */
function cutEvents(parts: readonly string[]): string {
  const some = parts.slice(0, Math.ceil(parts.length / 2));
  const last = some.at(-1)!;
  return `${some.slice(0, -1).join("")}${last.slice(0, last.length / 2)}\n\n`;
}

/** Sends 100 MB of letters in place of the model's text: in one value, or in events without end. */
async function filled(response: ServerResponse, parts: readonly string[]): Promise<void> {
  const letters = "a".repeat(64 * 1024);
  const isStream = parts.length > 1;
  const whole = parts.join("");
  const first = isStream ? parts.findIndex((part) => part.includes(FILLING)) : -1;
  const [head, tail] = isStream
    ? [parts.slice(0, first).join(""), parts.slice(first + 1).join("")]
    : whole.split(FILLING) as [string, string];
  const filling = isStream ? parts[first]!.replace(FILLING, letters) : letters;
  response.write(head);
  for (let sent = 0; sent < FILLING_BYTES && !response.destroyed; sent += filling.length) {
    if (!response.write(filling)) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  response.end(tail);
}

/** Returns the bytes of an answer, in which {@linkcode NOT_UTF8} has become three bytes that are not UTF-8. */
function notUtf8(whole: string): Uint8Array {
  const joined = whole.replace(NOT_UTF8, "\u{fffe}");
  const bytes = new TextEncoder().encode(joined);
  const at = bytes.findIndex((byte, i) => byte === 0xef && bytes[i + 1] === 0xbf && bytes[i + 2] === 0xbe);
  if (at >= 0) bytes.set([0xff, 0xc0, 0x80], at);
  return bytes;
}
