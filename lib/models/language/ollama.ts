/**
 * Ollama by its own API, as a model of the AI SDK. Its API in OpenAI's form ignores the size of the window and cuts what does not fit
 * without a word (ollama/ollama#5902).
 */
import { type Fetch, oddAnswer, type RemoteServer } from "#models/remote/mod.ts";
import type { SdkAnswer, SdkModel, SdkPart, SdkRequest } from "./sdk_types.ts";

/** An answer, or a part of one. */
interface Said {
  readonly message?: { readonly content?: unknown };
  readonly done?: unknown;
  readonly "done_reason"?: unknown;
  readonly "prompt_eval_count"?: unknown;
  readonly "eval_count"?: unknown;
}

/** Returns the model of a server, whose address may end in `/api` or `/v1`. `window`: the tokens of the window to ask for. */
export function ollamaModel(server: RemoteServer, send: Fetch, window: () => number): SdkModel {
  const ask = async (request: SdkRequest, stream: boolean): Promise<Response> => {
    const { baseUrl, apiKey, model } = server;
    return await send(ollamaUrl(baseUrl, "chat"), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(bodyOf(model, request, window(), stream)),
      signal: request.abortSignal ?? null,
    });
  };
  return {
    async doGenerate(request) {
      const body = await (await ask(request, false)).text();
      const said = saidIn(server, body);
      const text = textOf(said);
      if (text === undefined) throw oddAnswer(server, body);
      return { content: [{ type: "text", text }], ...endOf(said) };
    },
    async doStream(request) {
      const response = await ask(request, true);
      return { stream: ReadableStream.from(partsOf(server, response)) };
    },
  };
}

/** Returns the address of a call below the configured one. */
export function ollamaUrl(baseUrl: string, call: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/(?:api|v1)\/*$|\/+$/, "")}/api/${call}`;
  return url;
}

function bodyOf(model: string, request: SdkRequest, window: number, stream: boolean): object {
  const { prompt, responseFormat, temperature, maxOutputTokens } = request;
  const isJson = responseFormat?.type === "json";
  return {
    model,
    messages: prompt.map(messageOf),
    stream,
    ...(isJson && { format: responseFormat.schema ?? "json" }),
    // Thoughts take minutes on a machine without a fast accelerator. Models that cannot leave them ignore this.
    think: false,
    options: {
      "num_ctx": window,
      "num_predict": maxOutputTokens,
      ...(temperature !== undefined && { temperature }),
    },
  };
}

function messageOf({ role, content }: SdkRequest["prompt"][number]): object {
  if (typeof content === "string") return { role, content };
  const images = content.flatMap((part) =>
    part.type === "file" && part.data.type === "data" && part.data.data instanceof Uint8Array
      ? [part.data.data.toBase64()]
      : []
  );
  const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  return { role, content: text, ...(images.length > 0 && { images }) };
}

function saidIn(server: RemoteServer, body: string): Said {
  try {
    const said: unknown = JSON.parse(body);
    if (typeof said === "object" && said !== null && !("error" in said)) return said as Said;
  } catch {
    // Not JSON.
  }
  throw oddAnswer(server, body);
}

function textOf({ message }: Said): string | undefined {
  return typeof message?.content === "string" ? message.content : undefined;
}

function endOf(said: Said): Pick<SdkAnswer, "finishReason" | "usage"> {
  const raw = typeof said.done_reason === "string" ? said.done_reason : undefined;
  const unified = raw === "length" ? raw : said.done === true ? "stop" : "error";
  const count = (value: unknown) => typeof value === "number" ? value : undefined;
  return {
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: count(said.prompt_eval_count) },
      outputTokens: { total: count(said.eval_count) },
    },
  };
}

/** Returns the parts of an answer that comes as lines of JSON. */
async function* partsOf(server: RemoteServer, response: Response): AsyncGenerator<SdkPart> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  const read = function* (line: string): Generator<SdkPart> {
    if (line.trim() === "") return;
    const said = saidIn(server, line);
    const delta = textOf(said);
    if (delta) yield { type: "text-delta", delta };
    if (said.done === true) yield { type: "finish", ...endOf(said) };
  };
  for await (const bytes of response.body ?? []) {
    const [first = "", ...lines] = decoder.decode(bytes, { stream: true }).split("\n");
    rest.push(first);
    for (const line of lines) {
      yield* read(rest.join(""));
      rest = [line];
    }
  }
  yield* read(rest.join("") + decoder.decode());
}
