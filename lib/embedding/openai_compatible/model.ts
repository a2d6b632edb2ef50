import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModel } from "ai";
import type { Fetch } from "../../remote/mod.ts";
import type { Server } from "../remote/server.ts";

/** Returns a model behind `POST {base_url}/embeddings`, as of LM Studio, Ollama, vLLM, OpenAI, SiliconFlow or DashScope. */
export function openaiCompatibleModel({ baseUrl, apiKey, model }: Server, send: Fetch): EmbeddingModel {
  const url = new URL(baseUrl);
  const queryParams = Object.fromEntries(url.searchParams);
  // The SDK appends its path to the end of the URL, so the query is passed separately.
  url.search = "";
  return createOpenAICompatible({
    name: "server",
    baseURL: url.href,
    fetch: send as typeof globalThis.fetch,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(Object.keys(queryParams).length === 0 ? {} : { queryParams }),
  }).embeddingModel(model);
}
