import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import type { Fetch } from "./guarded_fetch.ts";
import type { RemoteServer } from "./server.ts";

/** Returns the models of a server with OpenAI's API, such as LM Studio, Ollama, vLLM, OpenAI, SiliconFlow or DashScope. */
export async function openaiCompatible(
  { baseUrl, apiKey }: RemoteServer,
  send: Fetch,
): Promise<OpenAICompatibleProvider> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
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
  });
}
