import { createAzure } from "@ai-sdk/azure";
import type { EmbeddingModel } from "ai";
import type { Fetch } from "../remote/guarded_fetch.ts";
import type { Server } from "../remote/server.ts";

/**
 * A deployment of Azure OpenAI; `model` is its name. The address may be that of the resource
 * (`https://NAME.openai.azure.com`), or a whole one with `/openai/v1` or `/openai/deployments/…?api-version=…` as the portal
 * shows them.
 */
export function azureModel({ baseUrl, apiKey, model }: Server, send: Fetch): EmbeddingModel {
  const url = new URL(baseUrl);
  const apiVersion = url.searchParams.get("api-version");
  const path = url.pathname.replace(/\/deployments\/.*$/, "").replace(/\/+$/, "");
  return createAzure({
    baseURL: `${url.origin}${path === "" ? "/openai" : path}`,
    // without one the SDK would look for a key in the environment
    apiKey: apiKey ?? "",
    fetch: send as typeof globalThis.fetch,
    // versions by date know the address with the deployment in it alone
    ...(apiVersion === null ? {} : { apiVersion, useDeploymentBasedUrls: apiVersion !== "v1" }),
  }).embeddingModel(model);
}
