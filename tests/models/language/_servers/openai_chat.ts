/**
 * `POST /chat/completions` of OpenAI, and how the servers that speak it differ: Azure, DeepSeek, LM Studio, vLLM and Ollama's
 * `/v1`. The errors have the words of the real servers.
 */
import {
  type Answer,
  type Asked,
  type AskedForm,
  type AskedMessage,
  type Decoded,
  event,
  imageOf,
  pieces,
  type Problem,
  type ProblemKind,
  type Protocol,
  type Raw,
  type Setup,
  type Written,
} from "./asked.ts";
import { openaiObjection } from "./schema_rules.ts";

/** An error in OpenAI's form. */
export function openaiError(
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
): Problem {
  return { status, body: { error: { message, type: "invalid_request_error", param, code } } };
}

/** Returns the problem of a request's key in the header `authorization`. */
export function keyProblem(raw: Raw, { key }: Setup, words: (given: string) => Problem): Problem | undefined {
  const given = raw.headers["authorization"]?.replace(/^Bearer /, "") ?? "";
  return key === undefined || given === key ? undefined : words(given);
}

/** Masks a key as OpenAI does. */
export function masked(key: string): string {
  return `${key.slice(0, 5)}${"*".repeat(8)}${key.slice(-4)}`;
}

/** Returns the messages of a chat. */
function chatMessages(body: { messages?: unknown }): AskedMessage[] {
  // deno-lint-ignore no-explicit-any -- a message of OpenAI's
  return ((body.messages ?? []) as any[]).map(({ role, content }) => {
    // deno-lint-ignore no-explicit-any -- a part of a message
    const parts: any[] = typeof content === "string" ? [{ type: "text", text: content }] : content ?? [];
    return {
      role,
      text: parts.filter(({ type }) => type === "text").map(({ text }) => text).join("\n"),
      images: parts.filter(({ type }) => type === "image_url").map(({ image_url: { url } }) => imageOf(url)),
    };
  });
}

/** Whether the word "json" stands in a message. */
export function saysJson(messages: readonly AskedMessage[]): boolean {
  return messages.some(({ text }) => /json/i.test(text));
}

/** How a server of this protocol differs from OpenAI's. */
interface Differences {
  readonly base: string;
  /** Returns the path below the origin, without the query, if it is the one for chats. */
  readonly path: (path: string, raw: Raw, setup: Setup) => boolean | Problem;
  readonly key: (raw: Raw, setup: Setup) => Problem | undefined;
  /** Refuses what this server does not take. */
  readonly check: (decoded: Decoded, raw: Raw, setup: Setup) => Problem | undefined;
  readonly tooLong: (asked: Asked, setup: Setup) => Problem | undefined;
  readonly problem: (kind: ProblemKind, raw: Raw, setup: Setup) => Problem;
  readonly unknownPath: (raw: Raw) => Problem;
  /** Information that other paths give. */
  readonly info?: (raw: Raw, setup: Setup) => unknown;
  readonly silentLimit?: number;
  /** Comments and blank lines that the server sends while it is busy. */
  readonly keepAlive?: boolean;
  /** An empty first event of a stream, with what Azure's filter found. */
  readonly firstEvent?: unknown;
  /** Whether a refused answer has a field of its own. */
  readonly refuses?: boolean;
}

export function openaiChat(differences: Differences): Protocol {
  return {
    base: differences.base,
    read(raw, setup) {
      const path = raw.path.split("?")[0]!;
      const key = differences.key(raw, setup);
      if (key !== undefined) return key;
      if (raw.method === "GET" || path.startsWith("/api/")) {
        const info = differences.info?.(raw, setup);
        return info === undefined ? undefined : { info };
      }
      const isChat = differences.path(path, raw, setup);
      if (isChat !== true) return isChat === false ? undefined : isChat;
      const { body } = raw;
      const format = body.response_format;
      const structured = body.structured_outputs?.json ?? body.guided_json;
      const decoded: Decoded = {
        api: "chat",
        model: body.model ?? path.split("/")[3],
        messages: chatMessages(body),
        form: structured === undefined ? (format?.type ?? "text") as AskedForm : "json_schema",
        schema: structured ?? format?.json_schema?.schema,
        stream: body.stream === true,
        maxTokens: body.max_completion_tokens ?? body.max_tokens,
        temperature: body.temperature,
        silentLimit: differences.silentLimit,
      };
      if (!setup.models.includes(decoded.model)) return differences.problem("unknown model", raw, setup);
      return differences.check(decoded, raw, setup) ?? decoded;
    },
    tooLong: differences.tooLong,
    problem: differences.problem,
    unknownPath: differences.unknownPath,
    write: (asked, answer) =>
      asked.stream ? streamed(asked, answer, differences) : whole(asked, answer, differences),
  };
}

const FINISH = { stop: "stop", length: "length", refusal: "stop", "content filter": "content_filter" };

function usageOf({ usage }: Answer): unknown {
  return usage === null ? undefined : {
    "prompt_tokens": usage.input,
    "completion_tokens": usage.output,
    "total_tokens": usage.input + usage.output,
  };
}

function whole({ model }: Asked, answer: Answer, { keepAlive, refuses }: Differences): Written {
  const isRefusal = answer.finish === "refusal" && refuses;
  const body = JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1764144000,
    model,
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: isRefusal ? null : answer.text,
        ...(refuses ? { refusal: isRefusal ? answer.text : null } : {}),
      },
      logprobs: null,
      "finish_reason": FINISH[answer.finish],
    }],
    usage: usageOf(answer),
    "system_fingerprint": "fp_1",
  });
  return { type: "application/json", parts: keepAlive ? ["\n", "\n", body] : [body] };
}

function streamed(asked: Asked, answer: Answer, differences: Differences): Written {
  const chunk = (delta: unknown, finish: string | null = null) =>
    event({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1764144000,
      model: asked.model,
      choices: [{ index: 0, delta, logprobs: null, "finish_reason": finish }],
      ...(asked.body.stream_options?.include_usage ? { usage: null } : {}),
    });
  const name = answer.finish === "refusal" && differences.refuses ? "refusal" : "content";
  const texts = pieces(answer.text).map((text) => chunk({ [name]: text }));
  const parts = differences.keepAlive ? [": keep-alive\n\n"] : [];
  if (differences.firstEvent !== undefined) parts.push(event(differences.firstEvent));
  parts.push(chunk({ role: "assistant", content: "", ...(differences.refuses ? { refusal: null } : {}) }));
  if (answer.breaksDown) {
    const error = { message: "The server had an error while processing your request.", type: "server_error" };
    parts.push(...texts.slice(0, texts.length / 2), event({ error: { ...error, param: null, code: null } }));
    return { type: "text/event-stream", parts };
  }
  parts.push(...texts, chunk({}, FINISH[answer.finish]));
  const usage = usageOf(answer);
  if (asked.body.stream_options?.include_usage && usage !== undefined) {
    parts.push(event({
      ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1764144000, model: asked.model },
      choices: [],
      usage,
    }));
  }
  parts.push(event("[DONE]"));
  return { type: "text/event-stream; charset=utf-8", parts };
}

/** The rules of OpenAI's own models. */
export function openaiRules(decoded: Decoded, raw: Raw, setup: Setup): Problem | undefined {
  const { body } = raw;
  if (setup.isNewer && body.max_tokens !== undefined) {
    return openaiError(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens",
    );
  }
  if (setup.isNewer && (body.temperature ?? 1) !== 1) {
    return openaiError(
      400,
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      "unsupported_value",
      "temperature",
    );
  }
  if (decoded.form === "json_object" && !saysJson(decoded.messages)) {
    return openaiError(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      null,
      "messages",
    );
  }
  if (decoded.form === "json_schema") {
    const { name, strict } = body.response_format.json_schema;
    if (!/^[\w-]{1,64}$/.test(name ?? "")) {
      return openaiError(
        400,
        "Missing required parameter: 'response_format.json_schema.name'.",
        "missing_required_parameter",
        "response_format.json_schema.name",
      );
    }
    const objection = strict === true ? openaiObjection(decoded.schema) : undefined;
    if (objection !== undefined) {
      return openaiError(
        400,
        `Invalid schema for response_format '${name}': ${objection}`,
        null,
        "response_format",
      );
    }
  }
  return seesPictures(decoded, setup) ? undefined : openaiError(
    400,
    "Invalid content type. image_url is only supported by certain models.",
    null,
    "messages",
  );
}

/** Whether the model takes the pictures of a request, if there are any. */
export function seesPictures({ messages }: Decoded, { sees }: Setup): boolean {
  return sees || messages.every(({ images }) => images.length === 0);
}

/** OpenAI's errors of accounts, models and servers. */
export function openaiProblem(kind: ProblemKind, raw: Raw): Problem {
  const given = raw.headers["authorization"]?.replace(/^Bearer /, "") ?? "";
  const model = raw.body?.model;
  const of = (status: number, type: string, message: string, code: string | null): Problem => ({
    status,
    body: { error: { message, type, param: null, code } },
  });
  switch (kind) {
    case "unauthorized":
      return openaiError(
        401,
        given === ""
          ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
          : `Incorrect API key provided: ${
            masked(given)
          }. You can find your API key at https://platform.openai.com/account/api-keys.`,
        given === "" ? null : "invalid_api_key",
      );
    case "unknown model":
      return openaiError(
        404,
        `The model \`${model}\` does not exist or you do not have access to it.`,
        "model_not_found",
      );
    case "rate limited":
      return of(
        429,
        "tokens",
        `Rate limit reached for ${model} in organization org-1 on tokens per min (TPM): Limit 30000, Used 29500, Requested 900.`,
        "rate_limit_exceeded",
      );
    case "quota":
      return of(
        429,
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
      );
    case "server error":
      return of(
        500,
        "server_error",
        "The server had an error while processing your request. Sorry about that!",
        null,
      );
    case "overloaded":
      return of(503, "server_error", "The engine is currently overloaded, please try again later", null);
  }
}

/** OpenAI's words for a text that does not fit. */
export function openaiTooLong({ inputTokens }: Asked, { contextTokens }: Setup): Problem {
  return openaiError(
    400,
    `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`,
    "context_length_exceeded",
    "messages",
  );
}

/** The list of models at `/v1/models`. */
export function modelList(raw: Raw, { models }: Setup, more: Record<string, unknown> = {}): unknown {
  if (!/^(?:\/[\w-]+)*\/models(?:\?|$)/.test(raw.path)) return undefined;
  const data = models.map((id) => ({ id, object: "model", created: 1764144000, "owned_by": "us", ...more }));
  return { object: "list", data };
}

/** The path is unknown, as OpenAI says it. */
export function openaiUnknownPath({ method, path }: Raw): Problem {
  return openaiError(404, `Invalid URL (${method} ${path})`);
}
