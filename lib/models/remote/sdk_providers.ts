/**
 * The providers of the AI SDK that several kinds of models share, each with a guarded `fetch` and without a look at the environment.
 * They are loaded when a server is first used.
 */
import type { AzureOpenAIProvider } from "@ai-sdk/azure";
import type { OpenAICompatibleProvider, OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { Fetch } from "./guarded_fetch.ts";
import type { RemoteServer } from "./server.ts";

/** The models of a server with OpenAI's API, such as LM Studio, Ollama, vLLM, OpenAI, SiliconFlow or DashScope. */
export async function openaiCompatible(
  { baseUrl, apiKey }: RemoteServer,
  send: Fetch,
  settings: Pick<OpenAICompatibleProviderSettings, "includeUsage" | "supportsStructuredOutputs"> = {},
): Promise<OpenAICompatibleProvider> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const url = new URL(baseUrl);
  const queryParams = Object.fromEntries(url.searchParams);
  // The SDK appends its path to the end of the URL, so the query is passed separately.
  url.search = "";
  return createOpenAICompatible({
    ...settings,
    name: "server",
    baseURL: url.href,
    fetch: send as typeof globalThis.fetch,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(Object.keys(queryParams).length === 0 ? {} : { queryParams }),
  });
}

/**
 * Returns the deployments of Azure OpenAI. The base URL is that of the resource (`https://NAME.openai.azure.com`) or one that the
 * portal shows, with `/openai/v1` or `/openai/deployments/…?api-version=…`.
 *
 * @param version a version of the API that counts instead of the one in the URL
 */
export async function azure(
  { baseUrl, apiKey }: RemoteServer,
  send: Fetch,
  version?: string,
): Promise<AzureOpenAIProvider> {
  const { createAzure } = await import("@ai-sdk/azure");
  const url = new URL(baseUrl);
  const apiVersion = version ?? url.searchParams.get("api-version");
  const path = url.pathname.replace(/\/deployments\/.*$/, "").replace(/\/+$/, "");
  return createAzure({
    baseURL: `${url.origin}${path === "" ? "/openai" : path}`,
    // Without a key, the SDK would look for one in the environment.
    apiKey: apiKey ?? "",
    fetch: send as typeof globalThis.fetch,
    // API versions that are dates require the deployment in the URL.
    ...(apiVersion === null ? {} : { apiVersion, useDeploymentBasedUrls: apiVersion !== "v1" }),
  });
}
