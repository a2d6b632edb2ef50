/**
 * OpenAI's newer `POST /v1/responses`, which Azure has at `/openai/v1/responses`.
 */
import {
  type Answer,
  type Asked,
  type AskedForm,
  type AskedMessage,
  event,
  imageOf,
  pieces,
  type Problem,
  type Protocol,
  type Raw,
  type Setup,
  type Written,
} from "./asked.ts";
import { openaiError, saysJson, seesPictures } from "./openai_chat.ts";
import { openaiObjection } from "./schema_rules.ts";

/** The fewest tokens that an answer may be limited to. */
const LEAST_TOKENS = 16;

/** Returns a chat protocol that takes responses as well, at `path`. */
export function withResponses(chat: Protocol, path: string): Protocol {
  return {
    ...chat,
    read(raw, setup) {
      const read = chat.read(raw, setup);
      const isChat = read === undefined ||
        (raw.path.split("?")[0] === path && "status" in read && read.status === 404);
      return isChat && raw.method === "POST" && raw.path.split("?")[0] === path
        ? decoded(raw, setup, chat)
        : read;
    },
    tooLong: (asked, setup) =>
      asked.api === "responses" && asked.inputTokens > setup.contextTokens
        ? openaiError(
          400,
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
          "context_length_exceeded",
          "input",
        )
        : chat.tooLong(asked, setup),
    write: (asked, answer) =>
      asked.api !== "responses"
        ? chat.write(asked, answer)
        : asked.stream
        ? streamed(asked, answer)
        : { type: "application/json", parts: [JSON.stringify(responseOf(asked, answer))] },
  };
}

function decoded(raw: Raw, setup: Setup, chat: Protocol): ReturnType<Protocol["read"]> {
  const { body } = raw;
  if (!setup.models.includes(body.model)) return chat.problem("unknown model", raw, setup);
  const format = body.text?.format;
  const messages: AskedMessage[] = [
    ...(body.instructions ? [{ role: "system", text: body.instructions, images: [] }] : []),
    ...(typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input).map(messageOf),
  ];
  const read = {
    api: "responses" as const,
    model: body.model,
    messages,
    form: (format?.type ?? "text") as AskedForm,
    schema: format?.schema,
    stream: body.stream === true,
    maxTokens: body.max_output_tokens,
    temperature: body.temperature,
  };
  const objection = format?.type === "json_schema" && format.strict !== false
    ? openaiObjection(format.schema)
    : undefined;
  return problemOf(body, setup, messages) ??
    (objection === undefined ? undefined : openaiError(
      400,
      `Invalid schema for response_format '${format.name}': ${objection}`,
      "invalid_json_schema",
      "text.format.schema",
    )) ??
    (seesPictures(read, setup) ? read : openaiError(
      400,
      "Invalid content type. image_url is only supported by certain models.",
      null,
      "input",
    ));
}

function problemOf(body: Raw["body"], setup: Setup, messages: readonly AskedMessage[]): Problem | undefined {
  for (const name of ["max_tokens", "max_completion_tokens", "messages", "response_format"]) {
    if (name in body) return openaiError(400, `Unknown parameter: '${name}'.`, "unknown_parameter", name);
  }
  if (body.max_output_tokens < LEAST_TOKENS) {
    return openaiError(
      400,
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${LEAST_TOKENS}, but got ${body.max_output_tokens} instead.`,
      "integer_below_min_value",
      "max_output_tokens",
    );
  }
  if (setup.isNewer && body.temperature !== undefined) {
    return openaiError(
      400,
      "Unsupported parameter: 'temperature' is not supported with this model.",
      null,
      "temperature",
    );
  }
  if (body.text?.format?.type === "json_object" && !saysJson(messages.slice(body.instructions ? 1 : 0))) {
    return openaiError(
      400,
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      null,
      "input",
    );
  }
  return undefined;
}

// deno-lint-ignore no-explicit-any -- an item of the input
function messageOf({ role, content }: any): AskedMessage {
  // deno-lint-ignore no-explicit-any -- a part of an item
  const parts: any[] = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
  return {
    role,
    text: parts.filter(({ type }) => type.endsWith("_text")).map(({ text }) => text).join("\n"),
    images: parts.filter(({ type }) => type === "input_image").map(({ image_url: url }) => imageOf(url)),
  };
}

function responseOf({ model, maxTokens }: Asked, answer: Answer): Record<string, unknown> {
  const { finish, text, usage } = answer;
  const reason = finish === "length"
    ? "max_output_tokens"
    : finish === "content filter"
    ? "content_filter"
    : undefined;
  return {
    id: "resp_1",
    object: "response",
    "created_at": 1764144000,
    status: reason === undefined ? "completed" : "incomplete",
    error: null,
    "incomplete_details": reason === undefined ? null : { reason },
    "max_output_tokens": maxTokens ?? null,
    model,
    output: [itemOf(finish === "refusal" ? { type: "refusal", refusal: text } : partOf(text))],
    usage: usage === null ? undefined : {
      "input_tokens": usage.input,
      "input_tokens_details": { "cached_tokens": 0 },
      "output_tokens": usage.output,
      "output_tokens_details": { "reasoning_tokens": 0 },
      "total_tokens": usage.input + usage.output,
    },
  };
}

function partOf(text: string): unknown {
  return { type: "output_text", text, annotations: [] };
}

function itemOf(part?: unknown): unknown {
  const content = part === undefined ? [] : [part];
  return {
    type: "message",
    id: "msg_1",
    status: part ? "completed" : "in_progress",
    role: "assistant",
    content,
  };
}

function streamed(asked: Asked, answer: Answer): Written {
  let number = 0;
  const named = (type: string, data: Record<string, unknown>) =>
    event({ type, "sequence_number": number++, ...data }, type);
  const response = responseOf(asked, answer);
  const started: Record<string, unknown> = { ...response, status: "in_progress", output: [] };
  delete started["usage"];
  started["incomplete_details"] = null;
  const place = { "item_id": "msg_1", "output_index": 0, "content_index": 0 };
  const isRefusal = answer.finish === "refusal";
  const kind = isRefusal ? "response.refusal" : "response.output_text";
  const part = isRefusal ? { type: "refusal", refusal: "" } : partOf("");
  const done = isRefusal ? { refusal: answer.text } : { text: answer.text };
  const texts = pieces(answer.text);
  const parts = [
    named("response.created", { response: started }),
    named("response.in_progress", { response: started }),
    named("response.output_item.added", { "output_index": 0, item: itemOf() }),
    named("response.content_part.added", { ...place, part }),
    ...(answer.breaksDown ? texts.slice(0, texts.length / 2) : texts)
      .map((delta) => named(`${kind}.delta`, { ...place, delta })),
  ];
  if (answer.breaksDown) {
    const error = { code: "server_error", message: "The server had an error while processing your request." };
    parts.push(named("response.failed", { response: { ...started, status: "failed", error } }));
  } else {
    parts.push(
      named(`${kind}.done`, { ...place, ...done }),
      named("response.content_part.done", { ...place, part: { ...part as object, ...done } }),
      named("response.output_item.done", {
        "output_index": 0,
        item: itemOf({ ...part as object, ...done }),
      }),
      named(
        answer.finish === "length" || answer.finish === "content filter"
          ? "response.incomplete"
          : "response.completed",
        {
          response,
        },
      ),
    );
  }
  return { type: "text/event-stream; charset=utf-8", parts };
}
