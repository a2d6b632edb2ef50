/**
 * Anthropic's `POST /v1/messages`.
 */
import {
  type Answer,
  type Asked,
  type AskedImage,
  type AskedMessage,
  event,
  pieces,
  type Problem,
  type ProblemKind,
  type Protocol,
  type Raw,
  type Setup,
  type Written,
} from "./asked.ts";
import { anthropicObjection } from "./schema_rules.ts";

export const ANTHROPIC: Protocol = {
  base: "/v1",
  read(raw, setup) {
    const { body, headers, method, path } = raw;
    if (headers["x-api-key"] === undefined) {
      return error(401, "authentication_error", "x-api-key header is required");
    }
    if (setup.key !== undefined && headers["x-api-key"] !== setup.key) return problem("unauthorized", raw);
    if (headers["anthropic-version"] === undefined) return invalid("anthropic-version: header is required");
    if (method === "GET" && /^\/v1\/models(?:\?|$)/.test(path)) return { info: models(setup) };
    if (method !== "POST" || path !== "/v1/messages") return undefined;
    for (const name of ["model", "messages", "max_tokens"]) {
      if (body[name] === undefined) return invalid(`${name}: Field required`);
    }
    if (!(body.max_tokens >= 1)) return invalid("max_tokens: Input should be greater than or equal to 1");
    if (!setup.models.includes(body.model)) return problem("unknown model", raw);
    if (body.temperature !== undefined && !(body.temperature >= 0 && body.temperature <= 1)) {
      return invalid("temperature: range: 0..1");
    }
    const turn = body.messages.findIndex(({ role }: AskedMessage) => role !== "user" && role !== "assistant");
    if (turn >= 0) {
      return invalid(
        `messages.${turn}.role: Unexpected role "${
          body.messages[turn].role
        }". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
      );
    }
    const format = body.output_config?.format ?? body.output_format;
    const tool = body.tool_choice?.type === "tool" || body.tool_choice?.type === "any"
      ? body.tools?.[0]
      : undefined;
    const objection = format === undefined ? undefined : anthropicObjection(format.schema);
    if (objection !== undefined) return invalid(`output_config.format.schema: ${objection}`);
    return {
      api: "messages",
      model: body.model,
      messages: [
        ...(body.system === undefined ? [] : [messageOf({ role: "system", content: body.system })]),
        ...body.messages.map(messageOf),
      ],
      form: format !== undefined ? "json_schema" : tool !== undefined ? "tool" : "text",
      schema: format?.schema ?? tool?.input_schema,
      stream: body.stream === true,
      maxTokens: body.max_tokens,
      temperature: body.temperature,
    };
  },
  tooLong: ({ inputTokens }, { contextTokens }) =>
    inputTokens > contextTokens
      ? invalid(`prompt is too long: ${inputTokens} tokens > ${contextTokens} maximum`)
      : undefined,
  problem,
  unknownPath: () => error(404, "not_found_error", "Not Found"),
  write: (asked, answer) => asked.stream ? streamed(asked, answer) : whole(asked, answer),
};

function models({ models }: Setup): unknown {
  const data = models.map((id) => ({
    type: "model",
    id,
    "display_name": id,
    "created_at": "2025-09-29T00:00:00Z",
  }));
  return { data, "has_more": false, "first_id": models[0], "last_id": models.at(-1) };
}

// deno-lint-ignore no-explicit-any -- a message of Anthropic's
function messageOf({ role, content }: any): AskedMessage {
  // deno-lint-ignore no-explicit-any -- a block of a message
  const blocks: any[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const images = blocks.filter(({ type }) => type === "image").map(({ source }): AskedImage => ({
    mime: source.media_type,
    bytes: Uint8Array.fromBase64(source.data),
  }));
  return {
    role,
    text: blocks.filter(({ type }) => type === "text").map(({ text }) => text).join("\n"),
    images,
  };
}

function error(status: number, type: string, message: string): Problem {
  return {
    status,
    body: { type: "error", error: { type, message }, "request_id": "req_1" },
    headers: { "request-id": "req_1" },
  };
}

function invalid(message: string): Problem {
  return error(400, "invalid_request_error", message);
}

function problem(kind: ProblemKind, { body }: Raw): Problem {
  switch (kind) {
    case "unauthorized":
      return error(401, "authentication_error", "invalid x-api-key");
    case "unknown model":
      return error(404, "not_found_error", `model: ${body?.model}`);
    case "rate limited":
      return error(
        429,
        "rate_limit_error",
        "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
      );
    case "quota":
      return invalid(
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
      );
    case "overloaded":
      return error(529, "overloaded_error", "Overloaded");
    case "server error":
      return error(500, "api_error", "Internal server error");
  }
}

const STOP = { stop: "end_turn", length: "max_tokens", refusal: "refusal", "content filter": "refusal" };

function stopOf({ form }: Asked, { finish }: Answer): string {
  return form === "tool" && finish === "stop" ? "tool_use" : STOP[finish];
}

function usageOf({ usage }: Answer): Record<string, number> | undefined {
  return usage === null ? undefined : { "input_tokens": usage.input, "output_tokens": usage.output };
}

/** Returns the input of a tool; a model's broken JSON arrives as a text. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function whole(asked: Asked, answer: Answer): Written {
  const block = asked.form === "tool"
    ? { type: "tool_use", id: "toolu_1", name: asked.body.tools[0].name, input: inputOf(answer.text) }
    : { type: "text", text: answer.text };
  const body = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: asked.model,
    content: answer.finish === "refusal" ? [] : [block],
    "stop_reason": stopOf(asked, answer),
    "stop_sequence": null,
    usage: usageOf(answer),
  };
  return { type: "application/json", parts: [JSON.stringify(body)] };
}

function streamed(asked: Asked, answer: Answer): Written {
  const named = (data: { readonly type: string } & Record<string, unknown>) => event(data, data.type);
  const usage = usageOf(answer);
  const start = {
    type: "message_start",
    message: {
      ...{ id: "msg_1", type: "message", role: "assistant", model: asked.model, content: [] },
      ...{ "stop_reason": null, "stop_sequence": null },
      usage: usage && { ...usage, "output_tokens": 1 },
    },
  };
  const isTool = asked.form === "tool";
  const block = isTool
    ? { type: "tool_use", id: "toolu_1", name: asked.body.tools[0].name, input: {} }
    : { type: "text", text: "" };
  const deltas = pieces(answer.finish === "refusal" ? "" : answer.text).map((text) => {
    const delta = isTool ? { type: "input_json_delta", "partial_json": text } : { type: "text_delta", text };
    return named({ type: "content_block_delta", index: 0, delta });
  });
  const parts = [
    named(start),
    named({ type: "content_block_start", index: 0, "content_block": block }),
    named({ type: "ping" }),
  ];
  if (answer.breaksDown) {
    parts.push(
      ...deltas.slice(0, deltas.length / 2),
      named({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    );
  } else {
    const end = { "stop_reason": stopOf(asked, answer), "stop_sequence": null };
    parts.push(
      ...deltas,
      named({ type: "content_block_stop", index: 0 }),
      named({
        type: "message_delta",
        delta: end,
        usage: usage && { "output_tokens": usage["output_tokens"] },
      }),
      named({ type: "message_stop" }),
    );
  }
  return { type: "text/event-stream; charset=utf-8", parts };
}
