import { deepEqual, equal } from "node:assert/strict";
import { KEY, LanguageServer, MODEL_NAME, type Speech } from "./_servers/mod.ts";

const SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["title", "tags"],
  additionalProperties: false,
};
const USER = { role: "user", content: "Name the text." };

/** Sends a request as the documentation of a server shows it, and returns the status and the body. */
async function post(server: LanguageServer, path: string, body: unknown, headers: HeadersInit = {}) {
  const response = await fetch(`${server.origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const isObject = text.startsWith("{") && !text.trim().includes("\n");
  return { status: response.status, text, json: isObject ? JSON.parse(text) : undefined };
}

/** The path, the headers and the schema of a request to each server. */
const REQUESTS: readonly [Speech, string, Record<string, string>, Record<string, unknown>][] = [
  ["openai", "/v1/chat/completions", { authorization: `Bearer ${KEY}` }, chat("json_schema")],
  ["openai", "/v1/responses", { authorization: `Bearer ${KEY}` }, {
    input: [{ role: "user", content: [{ type: "input_text", text: "Name the text." }] }],
    text: { format: { type: "json_schema", name: "text", strict: true, schema: SCHEMA } },
  }],
  [
    "azure",
    `/openai/deployments/${MODEL_NAME}/chat/completions?api-version=2024-10-21`,
    { "api-key": KEY },
    chat("json_schema"),
  ],
  ["openai-compatible", "/v1/chat/completions", {}, chat("json_schema")],
  ["ollama", "/api/chat", {}, { messages: [USER], format: SCHEMA }],
  ["ollama", "/v1/chat/completions", {}, chat("json_schema")],
  ["deepseek", "/chat/completions", { authorization: `Bearer ${KEY}` }, {
    messages: [{ role: "user", content: "Name the text as JSON." }],
    "response_format": { type: "json_object" },
  }],
  ["anthropic", "/v1/messages", { "x-api-key": KEY, "anthropic-version": "2023-06-01" }, {
    "max_tokens": 100,
    messages: [USER],
    "output_config": { format: { type: "json_schema", schema: SCHEMA } },
  }],
  ["lmstudio", "/v1/chat/completions", {}, chat("json_schema")],
  ["vllm", "/v1/chat/completions", {}, chat("json_schema")],
];

function chat(type: string): Record<string, unknown> {
  const format = { type, "json_schema": { name: "text", strict: true, schema: SCHEMA } };
  return { messages: [USER], "response_format": format, "stream_options": { "include_usage": true } };
}

/** Returns the text of an answer, streamed or not, in any of the protocols. */
function textOf(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^data: /, "")).filter((line) =>
    line.startsWith("{")
  );
  return lines.map((line) => {
    const { choices: [choice] = [], message, delta, type, content, output } = JSON.parse(line);
    if (choice !== undefined) return (choice.message ?? choice.delta).content ?? "";
    if (message?.content !== undefined && type === undefined) return message.content;
    if (type === "content_block_delta") return delta.text;
    if (type === "response.output_text.delta") return delta;
    return output?.[0]?.content?.[0]?.text ?? content?.[0]?.text ?? "";
  }).join("");
}

Deno.test("each server answers its own protocol, whole and streamed, and records what arrived", async () => {
  for (const [speech, path, headers, body] of REQUESTS) {
    await using server = await LanguageServer.start(speech);
    server.reply = () => ({ title: "甲", tags: ["x"] });
    for (const stream of [false, true]) {
      const { status, text } = await post(server, path, { model: MODEL_NAME, stream, ...body }, headers);
      deepEqual([speech, path, stream, status, textOf(text)], [
        speech,
        path,
        stream,
        200,
        '{"title":"甲","tags":["x"]}',
      ], text.slice(0, 300));
    }
    const form = speech === "deepseek" ? "json_object" : "json_schema";
    deepEqual(
      server.requests.map((asked) => [asked.form, asked.model, asked.prompt.slice(0, 13), asked.stream]),
      [
        [form, MODEL_NAME, "Name the text", false],
        [form, MODEL_NAME, "Name the text", true],
      ],
    );
  }
});

Deno.test("servers refuse what the real ones refuse", async () => {
  const bearer = { authorization: `Bearer ${KEY}` };
  const optional = { ...SCHEMA, required: ["title"] };
  const cases: [Speech, object, string, Record<string, string>, Record<string, unknown>, string][] = [
    [
      "lmstudio",
      {},
      "/v1/chat/completions",
      {},
      chat("json_object"),
      "400 'response_format.type' must be 'json_schema'",
    ],
    [
      "deepseek",
      {},
      "/chat/completions",
      bearer,
      chat("json_schema"),
      "400 This response_format type is unavailable now",
    ],
    [
      "deepseek",
      {},
      "/chat/completions",
      bearer,
      chat("json_object"),
      "400 Prompt must contain the word 'json'",
    ],
    [
      "openai",
      {},
      "/v1/chat/completions",
      bearer,
      chat("json_object"),
      "400 'messages' must contain the word 'json'",
    ],
    [
      "openai",
      { isNewer: true },
      "/v1/chat/completions",
      bearer,
      { messages: [USER], "max_tokens": 5 },
      "400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    [
      "openai",
      {},
      "/v1/chat/completions",
      bearer,
      {
        messages: [USER],
        "response_format": {
          type: "json_schema",
          "json_schema": { name: "x", strict: true, schema: optional },
        },
      },
      "400 Invalid schema for response_format 'x': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'tags'.",
    ],
    ["openai", {}, "/v1/chat/completions", {}, chat("text"), "401 You didn't provide an API key."],
    [
      "azure",
      {},
      `/openai/deployments/${MODEL_NAME}/chat/completions`,
      { "api-key": KEY },
      chat("text"),
      "404 Resource not found",
    ],
    [
      "azure",
      {},
      `/openai/deployments/x/chat/completions?api-version=2024-10-21`,
      { "api-key": KEY },
      chat("text"),
      "404 The API deployment for this resource does not exist.",
    ],
    [
      "azure",
      {},
      `/openai/v1/chat/completions`,
      bearer,
      chat("text"),
      "401 Access denied due to invalid subscription key",
    ],
    [
      "anthropic",
      {},
      "/v1/messages",
      { "x-api-key": KEY },
      { messages: [USER], "max_tokens": 5 },
      "400 anthropic-version: header is required",
    ],
    ["anthropic", {}, "/v1/messages", { "x-api-key": KEY, "anthropic-version": "2023-06-01" }, {
      messages: [USER],
    }, "400 max_tokens: Field required"],
    [
      "vllm",
      { contextTokens: 5 },
      "/v1/chat/completions",
      {},
      chat("text"),
      "400 This model's maximum context length is 5 tokens. However, your request has",
    ],
    ["ollama", { models: ["other"] }, "/api/chat", {}, { messages: [USER] }, "404 model 'small-1' not found"],
    [
      "lmstudio",
      {},
      "/chat/completions",
      {},
      chat("text"),
      "200 Unexpected endpoint or method. (POST /chat/completions)",
    ],
  ];
  for (const [speech, setup, path, headers, body, expected] of cases) {
    await using server = await LanguageServer.start(speech, setup);
    const { status, json } = await post(server, path, { model: MODEL_NAME, ...body }, headers);
    const words = typeof json?.error === "string" ? json.error : json?.error?.message;
    equal(`${status} ${words}`.slice(0, expected.length), expected, speech);
    equal(server.requests.length, speech === "vllm" ? 1 : 0);
  }
});

Deno.test("Ollama cuts a long prompt without a word, and num_ctx helps only at /api/chat", async () => {
  await using server = await LanguageServer.start("ollama");
  const messages = [{ role: "system", content: "Say nothing of birds." }, {
    role: "user",
    content: "word ".repeat(9000),
  }];
  const options = { "num_ctx": 16_384 };
  const own = await post(server, "/api/chat", { model: MODEL_NAME, messages, options, stream: false });
  const v1 = await post(server, "/v1/chat/completions", { model: MODEL_NAME, messages, options });
  deepEqual(
    [own.json.prompt_eval_count, v1.json.usage.prompt_tokens],
    [9014, 4096],
  );
  deepEqual(server.requests.map(({ seen }) => seen.includes("birds")), [true, false]);
});
