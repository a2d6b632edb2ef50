/**
 * Ollama's own protocol, `POST /api/chat`, and its `/v1`. A prompt that is longer than the window loses its beginning, and the
 * answer does not say so: `num_ctx` makes the window larger, but only at `/api/chat`. `/v1` always has the default.
 */
import {
  type Answer,
  type Asked,
  type AskedMessage,
  imageMime,
  pieces,
  type Problem,
  type ProblemKind,
  type Protocol,
  type Raw,
  type Setup,
  type Written,
} from "./asked.ts";
import { modelList, openaiChat } from "./openai_chat.ts";

/** Tokens of the window without `num_ctx`. */
const OLLAMA_WINDOW = 4096;

/** `/v1` of Ollama: ignores `options`, and cuts at {@linkcode OLLAMA_WINDOW}. */
const V1 = openaiChat({
  base: "/v1",
  path: (path) => path === "/v1/chat/completions",
  key: () => undefined,
  check: () => undefined,
  tooLong: () => undefined,
  problem,
  unknownPath: () => ({ status: 404, body: "404 page not found" }),
  info: modelList,
  silentLimit: OLLAMA_WINDOW,
});

export const OLLAMA: Protocol = {
  base: "",
  read(raw, setup) {
    const { body, path } = raw;
    if (path.startsWith("/v1/")) return V1.read(raw, setup);
    if (path !== "/api/chat") return about(raw, setup);
    if (!setup.models.includes(body.model)) return problem("unknown model", raw);
    const { format, options = {} } = body;
    const messages = (body.messages ?? []).map(messageOf);
    if (!setup.sees && messages.some(({ images }: AskedMessage) => images.length > 0)) {
      const words =
        "Failed to create new sequence: failed to process inputs: this model is missing data required for image input";
      return { status: 500, body: { error: words } };
    }
    if (typeof format === "string" && format !== "" && format !== "json") {
      return {
        status: 400,
        body: { error: `invalid format: "${format}"; expected "json" or a valid JSON Schema object` },
      };
    }
    return {
      api: "ollama",
      model: body.model,
      messages,
      form: format === "json" ? "json_object" : format ? "json_schema" : "text",
      schema: typeof format === "object" ? format : undefined,
      // Ollama streams unless it is told not to.
      stream: body.stream !== false,
      maxTokens: options.num_predict > 0 ? options.num_predict : undefined,
      temperature: options.temperature,
      silentLimit: Math.min(options.num_ctx ?? OLLAMA_WINDOW, setup.contextTokens),
    };
  },
  tooLong: () => undefined,
  problem,
  unknownPath: () => ({ status: 404, body: "404 page not found" }),
  write: (asked, answer) => asked.api === "chat" ? V1.write(asked, answer) : written(asked, answer),
};

/** The model, the list of models, the version. */
function about(
  { path, body }: Raw,
  { models, contextTokens, sees }: Setup,
): { info: unknown } | Problem | undefined {
  const details = {
    ...{ "parent_model": "", format: "gguf", family: "llama", families: ["llama"] },
    ...{ "parameter_size": "3.2B", "quantization_level": "Q4_K_M" },
  };
  if (path === "/api/version") return { info: { version: "0.13.0" } };
  if (path === "/api/tags") {
    const digest = "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72";
    const at = "2025-10-26T17:15:24.166576Z";
    const list = models.map((name) => ({
      name,
      model: name,
      "modified_at": at,
      size: 2019393189,
      digest,
      details,
    }));
    return { info: { models: list } };
  }
  if (path !== "/api/show") return undefined;
  if (!models.includes(body.model)) {
    return { status: 404, body: { error: `model '${body.model}' not found` } };
  }
  return {
    info: {
      modelfile: "FROM llama",
      template: "{{ .Prompt }}",
      details,
      "model_info": { "general.architecture": "llama", "llama.context_length": contextTokens },
      capabilities: ["completion", ...(sees ? ["vision"] : [])],
    },
  };
}

// deno-lint-ignore no-explicit-any -- a message of Ollama's
function messageOf({ role, content, images = [] }: any): AskedMessage {
  return {
    role,
    text: content,
    images: images.map((text: string) => {
      const bytes = Uint8Array.fromBase64(text);
      return { mime: imageMime(bytes), bytes };
    }),
  };
}

function problem(kind: ProblemKind, { body }: Raw): Problem {
  const of = (status: number, error: string): Problem => ({ status, body: { error } });
  switch (kind) {
    case "unauthorized":
      return of(401, "unauthorized");
    case "unknown model":
      return of(404, `model '${body?.model}' not found`);
    case "rate limited":
    case "quota":
      return of(429, "you've reached your hourly usage limit, please upgrade to continue");
    case "overloaded":
      return of(503, "server busy, please try again.  maximum pending requests exceeded");
    case "server error":
      return of(500, "llama runner process has terminated: exit status 2");
  }
}

const AT = { "created_at": "2026-11-26T08:00:00.000000Z" };

function written(asked: Asked, answer: Answer): Written {
  const { model } = asked;
  const last = {
    "done_reason": answer.finish === "length" ? "length" : "stop",
    done: true,
    ...{ "total_duration": 5_000_000_000, "load_duration": 2_000_000, "prompt_eval_duration": 300_000_000 },
    ...(answer.usage === null
      ? {}
      : { "prompt_eval_count": answer.usage.input, "eval_count": answer.usage.output }),
    "eval_duration": 4_000_000_000,
  };
  if (!asked.stream) {
    const body = { model, ...AT, message: { role: "assistant", content: answer.text }, ...last };
    return { type: "application/json; charset=utf-8", parts: [JSON.stringify(body)] };
  }
  const line = (fields: unknown) => `${JSON.stringify(fields)}\n`;
  const lines = pieces(answer.text)
    .map((content) => line({ model, ...AT, message: { role: "assistant", content }, done: false }));
  const end = { model, ...AT, message: { role: "assistant", content: "" }, ...last };
  const parts = answer.breaksDown
    ? [
      ...lines.slice(0, lines.length / 2),
      line({ error: "an error was encountered while running the model" }),
    ]
    : [...lines, line(end)];
  return { type: "application/x-ndjson", parts };
}
