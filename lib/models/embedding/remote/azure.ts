import { createAzure } from "@ai-sdk/azure";
import type { EmbeddingModel } from "ai";
import type { Fetch } from "#models/remote/mod.ts";
import type { Server } from "./server.ts";

/**
 * Returns a deployment of Azure OpenAI; `model` is its name. The base URL is that of the resource
 * (`https://NAME.openai.azure.com`) or one that the portal shows, with `/openai/v1` or
 * `/openai/deployments/…?api-version=…`.
 */
export function azureModel({ baseUrl, apiKey, model }: Server, send: Fetch): EmbeddingModel {
  const url = new URL(baseUrl);
  const apiVersion = url.searchParams.get("api-version");
  const path = url.pathname.replace(/\/deployments\/.*$/, "").replace(/\/+$/, "");
  return createAzure({
    baseURL: `${url.origin}${path === "" ? "/openai" : path}`,
    // Without a key, the SDK would look for one in the environment.
    apiKey: apiKey ?? "",
    fetch: send as typeof globalThis.fetch,
    // API versions that are dates require the deployment in the URL.
    ...(apiVersion === null ? {} : { apiVersion, useDeploymentBasedUrls: apiVersion !== "v1" }),
  }).embeddingModel(model);
}
