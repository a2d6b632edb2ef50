/**
 * The AI SDK for servers with embeddings: opening a model by the server's protocol, and one request, whose answer is checked for its
 * order and its failures.
 */
import { APICallError, type EmbeddingModel, embedMany, InvalidResponseDataError } from "ai";
import { azure, type Fetch, keepFromProxy, oddAnswer, openaiCompatible } from "#models/remote/mod.ts";
import { EmbeddingFailure } from "../provider.ts";
import { inOrder, notNumbers, type Server } from "./server.ts";

/** The vectors of one request, in the order of its texts and not yet checked. */
export type AnsweredVectors = readonly (readonly unknown[])[];

/**
 * Sends one request by the AI SDK, to a model made with a guarded `fetch`. The SDK returns the vectors in the order of the
 * answer; they are sorted by the indices in the answer. Throws {@linkcode EmbeddingFailure}, or the reason of `signal`.
 */
export async function requestVectors(
  server: Server,
  model: EmbeddingModel,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<AnsweredVectors> {
  try {
    const { embeddings, responses = [] } = await embedMany({
      model,
      values: [...texts],
      maxRetries: 0,
      ...(server.dimensions === undefined ? {} : { dimensions: server.dimensions }),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    });
    const places = responses.flatMap((response) => placesIn(response?.body));
    const ordered = places.length === embeddings.length
      ? inOrder(embeddings.map((embedding, at) => ({ embedding, at })), ({ at }) => places[at])
      : embeddings.map((embedding) => ({ embedding }));
    if (ordered === undefined) {
      throw new EmbeddingFailure("bad_answer", { url: server.address, words: "index" });
    }
    return ordered.map(({ embedding }) => embedding);
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(server, texts.length, error);
  }
}

function placesIn(body: unknown): unknown[] {
  const data = (body as { data?: unknown } | null | undefined)?.data;
  return Array.isArray(data) ? data.map((item) => item?.index) : [];
}

function failureOf(server: Server, asked: number, error: unknown): unknown {
  if (InvalidResponseDataError.isInstance(error) && Array.isArray(error.data)) {
    const params = { url: server.address, model: server.model, expected: asked, found: error.data.length };
    return new EmbeddingFailure("wrong_count", params);
  }
  if (!APICallError.isInstance(error)) return error;
  const { responseBody: body = "" } = error;
  return !/^\s*</.test(body) && hasOddNumbers(body) ? notNumbers(server) : oddAnswer(server, body);
}

/**
 * Whether a vector of an answer contains NaN or Infinity, which Python writes although JSON has neither, or null, which
 * other servers write. Takes linear time.
 */
function hasOddNumbers(body: string): boolean {
  for (const [vector] of body.matchAll(/"embedding"\s*:\s*\[[^\]]*/g)) {
    if (/NaN|Infinity|null/.test(vector)) return true;
  }
  return false;
}

/** Loads the SDK of a server's protocol and returns the model. Nothing is sent. */
export async function openModel(server: Server, send: Fetch): Promise<EmbeddingModel> {
  keepFromProxy(server.baseUrl);
  switch (server.kind) {
    case "azure":
      return (await azure(server, send)).embeddingModel(server.model);
    case "openai-compatible":
      return (await openaiCompatible(server, send)).embeddingModel(server.model);
  }
}
