import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModel } from "ai";
import type { Fetch } from "../remote/guarded_fetch.ts";
import type { Server } from "../remote/server.ts";

/** A model behind `POST {base_url}/embeddings`: LM Studio, Ollama, vLLM, OpenAI, SiliconFlow, DashScope … */
export function openaiCompatibleModel({ baseUrl, apiKey, model }: Server, send: Fetch): EmbeddingModel {
  const url = new URL(baseUrl);
  const queryParams = Object.fromEntries(url.searchParams);
  // the SDK puts its path at the end of what it gets
  url.search = "";
  return createOpenAICompatible({
    name: "server",
    baseURL: url.href,
    fetch: send as typeof globalThis.fetch,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(Object.keys(queryParams).length === 0 ? {} : { queryParams }),
  }).embeddingModel(model);
}
