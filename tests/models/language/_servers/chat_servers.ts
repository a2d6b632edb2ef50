/**
 * The servers that speak OpenAI's chat protocol, each with what is its own.
 */
import type { Decoded, Problem, ProblemKind, Raw, Setup } from "./asked.ts";
import {
  keyProblem,
  modelList,
  openaiChat,
  openaiError,
  openaiProblem,
  openaiRules,
  openaiTooLong,
  openaiUnknownPath,
  saysJson,
  seesPictures,
} from "./openai_chat.ts";

/** OpenAI itself. */
export const OPENAI_CHAT = openaiChat({
  base: "/v1",
  path: (path) => path === "/v1/chat/completions",
  key: (raw, setup) => keyProblem(raw, setup, () => openaiProblem("unauthorized", raw)),
  check: openaiRules,
  tooLong: (asked, setup) =>
    asked.inputTokens > setup.contextTokens ? openaiTooLong(asked, setup) : undefined,
  problem: openaiProblem,
  unknownPath: openaiUnknownPath,
  info: modelList,
  refuses: true,
});

/** Any other server of this protocol, which takes the forms that a test names. */
export const COMPATIBLE = openaiChat({
  base: "/v1",
  path: (path) => path === "/v1/chat/completions",
  key: (raw, setup) => keyProblem(raw, setup, () => openaiProblem("unauthorized", raw)),
  check: (decoded, _raw, setup) => {
    if (!setup.forms.includes(decoded.form)) {
      return openaiError(400, `response_format type '${decoded.form}' is not supported by this model`);
    }
    return jsonWord(decoded) ?? pictures(decoded, setup, "This model does not support image input.");
  },
  tooLong: (asked, setup) =>
    asked.inputTokens > setup.contextTokens ? openaiTooLong(asked, setup) : undefined,
  problem: openaiProblem,
  unknownPath: openaiUnknownPath,
  info: modelList,
});

function jsonWord({ form, messages }: Decoded): Problem | undefined {
  if (form !== "json_object" || saysJson(messages)) return undefined;
  return openaiError(
    400,
    "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
    "invalid_request_error",
  );
}

function pictures(decoded: Decoded, setup: Setup, words: string): Problem | undefined {
  return seesPictures(decoded, setup) ? undefined : openaiError(400, words);
}

/** The first version of Azure's API whose chats follow a schema. */
const SCHEMAS_SINCE = "2024-08-01";

/**
 * Azure OpenAI: the key in `api-key`, a deployment in the path with `api-version`, or the newer `/openai/v1`. `setup.models` are
 * the deployments.
 */
export const AZURE = openaiChat({
  base: "/openai",
  path: (path, raw, setup) => {
    if (path === "/openai/v1/chat/completions") return true;
    const deployment = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(path)?.[1];
    if (deployment === undefined || !/[?&]api-version=\d{4}-\d\d-\d\d(?:-preview)?(?:&|$)/.test(raw.path)) {
      return azureError(404, "404", "Resource not found");
    }
    return setup.models.includes(decodeURIComponent(deployment)) || azureProblem("unknown model", raw);
  },
  key: (raw, { key }) =>
    key === undefined || raw.headers["api-key"] === key ? undefined : azureProblem("unauthorized", raw),
  check: (decoded, raw, setup) => {
    const version = /api-version=(\d{4}-\d\d-\d\d)/.exec(raw.path)?.[1];
    if (decoded.form === "json_schema" && version !== undefined && version < SCHEMAS_SINCE) {
      return azureError(
        400,
        "BadRequest",
        "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later",
      );
    }
    return openaiRules(decoded, raw, setup);
  },
  tooLong: (asked, setup) =>
    asked.inputTokens > setup.contextTokens ? openaiTooLong(asked, setup) : undefined,
  problem: azureProblem,
  unknownPath: () => azureError(404, "404", "Resource not found"),
  firstEvent: {
    ...{ id: "", object: "", created: 0, model: "", choices: [] },
    "prompt_filter_results": [{ "prompt_index": 0, "content_filter_results": {} }],
  },
  refuses: true,
});

function azureError(status: number, code: string, message: string): Problem {
  return { status, body: { error: { code, message } } };
}

function azureProblem(kind: ProblemKind, raw: Raw): Problem {
  switch (kind) {
    case "unauthorized":
      return azureError(
        401,
        "401",
        "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
      );
    case "unknown model":
      return azureError(
        404,
        "DeploymentNotFound",
        "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.",
      );
    case "rate limited":
      return azureError(
        429,
        "429",
        "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 1 second.",
      );
    default:
      return openaiProblem(kind, raw);
  }
}

/** Azure's answer to a prompt that its filter does not let through. */
export const AZURE_FILTER: Problem = {
  status: 400,
  body: {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: {
        code: "ResponsibleAIPolicyViolation",
        "content_filter_result": { violence: { filtered: true, severity: "medium" } },
      },
    },
  },
};

/** The most tokens that DeepSeek's `deepseek-chat` answers. */
const DEEPSEEK_MAX_TOKENS = 8192;

/** DeepSeek: refuses schemas, wants the word "json", takes no pictures, and sends blank lines while it is busy. */
export const DEEPSEEK = openaiChat({
  base: "",
  path: (path) => /^(?:\/v1)?\/chat\/completions$/.test(path),
  key: (raw, setup) => keyProblem(raw, setup, () => deepseekProblem("unauthorized", raw)),
  check: (decoded, raw) => {
    if (decoded.form === "json_schema") {
      return openaiError(400, "This response_format type is unavailable now", "invalid_request_error");
    }
    const part = decoded.messages.findIndex(({ images }) => images.length > 0);
    if (part >= 0) {
      return openaiError(
        422,
        `Failed to deserialize the JSON body into the target type: messages[${part}]: unknown variant \`image_url\`, expected \`text\` at line 1 column 120`,
        "invalid_request_error",
      );
    }
    const { max_tokens: most = 1 } = raw.body;
    if (most < 1 || most > DEEPSEEK_MAX_TOKENS) {
      return openaiError(
        400,
        `Invalid max_tokens value, the valid range of max_tokens is [1, ${DEEPSEEK_MAX_TOKENS}]`,
        "invalid_request_error",
      );
    }
    return jsonWord(decoded);
  },
  tooLong: (asked, setup) => {
    const completion = asked.maxTokens ?? 4096;
    const requested = asked.inputTokens + completion;
    return requested <= setup.contextTokens ? undefined : openaiError(
      400,
      `This model's maximum context length is ${setup.contextTokens} tokens. However, you requested ${requested} tokens (${asked.inputTokens} in the messages, ${completion} in the completion). Please reduce the length of the messages or completion.`,
      "invalid_request_error",
    );
  },
  problem: deepseekProblem,
  unknownPath: () => ({ status: 404, body: "" }),
  info: modelList,
  keepAlive: true,
});

function deepseekProblem(kind: ProblemKind, raw: Raw): Problem {
  const error = (status: number, message: string, type: string): Problem => ({
    status,
    body: { error: { message, type, param: null, code: "invalid_request_error" } },
  });
  const given = raw.headers["authorization"]?.replace(/^Bearer /, "") ?? "";
  switch (kind) {
    case "unauthorized":
      return error(
        401,
        `Authentication Fails, Your api key: ****${given.slice(-4)} is invalid`,
        "authentication_error",
      );
    case "unknown model":
      return error(400, "Model Not Exist", "invalid_request_error");
    case "quota":
      return error(402, "Insufficient Balance", "unknown_error");
    case "rate limited":
      return error(429, "Rate limit reached", "rate_limit_error");
    case "overloaded":
      return error(
        503,
        "Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.",
        "service_unavailable_error",
      );
    case "server error":
      return error(500, "Internal error", "internal_server_error");
  }
}

/** LM Studio: refuses `json_object`, knows no keys, and answers unknown paths with status 200. */
export const LMSTUDIO = openaiChat({
  base: "/v1",
  path: (path) => path === "/v1/chat/completions",
  key: () => undefined,
  check: (decoded, _raw, setup) => {
    if (decoded.form === "json_object") {
      return { status: 400, body: { error: "'response_format.type' must be 'json_schema' or 'text'" } };
    }
    return seesPictures(decoded, setup)
      ? undefined
      : { status: 400, body: { error: "Model does not support images. Please use a model that does." } };
  },
  tooLong: ({ inputTokens }, { contextTokens }) =>
    inputTokens <= contextTokens ? undefined : {
      status: 400,
      body: {
        error:
          `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${inputTokens}>= n_ctx: ${contextTokens}). Try to load the model with a larger context length, or provide a shorter input.`,
      },
    },
  problem: (kind, raw) => {
    switch (kind) {
      case "unknown model":
        return openaiError(
          404,
          "No models loaded. Please load a model in the developer page or use the `lms load` command.",
          "model_not_found",
          "model",
        );
      case "server error":
        return {
          status: 500,
          body: { error: "The model has crashed without additional information. (Exit code: null)" },
        };
      default:
        return openaiProblem(kind, raw);
    }
  },
  unknownPath: ({ method, path }) => ({
    status: 200,
    body: { error: `Unexpected endpoint or method. (${method} ${path})` },
  }),
  info: (raw, setup) => {
    if (!/^\/api\/v0\/models(?:\/|$)/.test(raw.path)) return modelList(raw, setup);
    const data = setup.models.map((id) => ({
      id,
      object: "model",
      type: setup.sees ? "vlm" : "llm",
      state: "loaded",
      "max_context_length": setup.contextTokens * 4,
      "loaded_context_length": setup.contextTokens,
    }));
    const name = decodeURIComponent(raw.path.slice("/api/v0/models/".length));
    return name === "" ? { object: "list", data } : data.find(({ id }) => id === name);
  },
});

/** vLLM: tells its window in the list of models, and refuses what does not fit. */
export const VLLM = openaiChat({
  base: "/v1",
  path: (path) => path === "/v1/chat/completions",
  key: (raw, setup) => keyProblem(raw, setup, () => ({ status: 401, body: { error: "Unauthorized" } })),
  check: (decoded, _raw, setup) =>
    seesPictures(decoded, setup)
      ? undefined
      : vllmError(400, "BadRequestError", "At most 0 image(s) may be provided in one prompt."),
  tooLong: (asked, { contextTokens }) => {
    const { inputTokens, maxTokens } = asked;
    if (inputTokens + (maxTokens ?? 1) <= contextTokens) return undefined;
    const words = maxTokens === undefined || inputTokens > contextTokens
      ? `However, your request has ${inputTokens} input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=${inputTokens})`
      : `However, your request has ${inputTokens} input tokens plus ${maxTokens} 'max_tokens'. Please reduce one or the other. (parameter=input_tokens, max_tokens, value=(${inputTokens}, ${maxTokens}))`;
    return vllmError(
      400,
      "BadRequestError",
      `This model's maximum context length is ${contextTokens} tokens. ${words}`,
    );
  },
  problem: (kind, raw) => {
    switch (kind) {
      case "unauthorized":
        return { status: 401, body: { error: "Unauthorized" } };
      case "unknown model":
        return vllmError(404, "NotFoundError", `The model \`${raw.body?.model}\` does not exist.`, "model");
      case "server error":
        return vllmError(
          500,
          "InternalServerError",
          "EngineCore encountered an issue. See stack trace (above) for the root cause.",
        );
      default:
        return openaiProblem(kind, raw);
    }
  },
  unknownPath: () => ({ status: 404, body: { detail: "Not Found" } }),
  info: (raw, setup) => modelList(raw, setup, { "max_model_len": setup.contextTokens }),
});

function vllmError(status: number, type: string, message: string, param: string | null = null): Problem {
  return { status, body: { error: { message, type, param, code: status } } };
}
