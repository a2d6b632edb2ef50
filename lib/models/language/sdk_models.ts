/**
 * The models of the AI SDK by the protocol of their server. Only the parts of the SDK that speak the protocols are used: no retries,
 * no telemetry, no look at the environment.
 */
import { azure, type Fetch, openaiCompatible, type RemoteServer } from "#models/remote/mod.ts";
import type { Preset } from "./presets.ts";
import type { SdkModel, SdkRequest } from "./sdk_types.ts";

/** Options for single requests that only some protocols have. */
export const PROVIDER_OPTIONS: NonNullable<SdkRequest["providerOptions"]> = {
  // Without it, OpenAI keeps requests and answers for 30 days. Azure's models take the options of OpenAI's.
  openai: { store: false },
};

/** Settings of the server that the protocols need. */
export interface SdkSettings {
  readonly apiVersion: string | undefined;
  /** The tokens of the window that Ollama is asked for. */
  readonly window: () => number;
}

/** Loads the part of the SDK for a protocol and returns the model. Nothing is sent. */
export async function sdkModel(
  protocol: Preset["protocol"] | "openai chat",
  server: RemoteServer,
  guarded: Fetch,
  { apiVersion, window }: SdkSettings,
): Promise<SdkModel> {
  const send = withoutEmptyKey(server, guarded);
  const { baseUrl, model } = server;
  // Without a key, the SDK would look for one in the environment.
  const apiKey = server.apiKey ?? "";
  switch (protocol) {
    case "openai":
    case "openai chat": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI({ baseURL: baseUrl, apiKey, fetch: send as typeof globalThis.fetch });
      return protocol === "openai" ? openai.responses(model) : openai.chat(model);
    }
    case "azure":
      return (await azure(versioned(server, apiVersion), send, apiVersion)).chat(model);
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({
        baseURL: baseUrl,
        apiKey,
        fetch: send as typeof globalThis.fetch,
        ...(apiVersion !== undefined && { headers: { "anthropic-version": apiVersion } }),
      })(model);
    }
    case "ollama":
      return (await import("./ollama.ts")).ollamaModel(server, guarded, window);
    case "compatible": {
      const settings = { includeUsage: true, supportsStructuredOutputs: true };
      return (await openaiCompatible(server, send, settings)).chatModel(model);
    }
  }
}

/** Returns Azure's server with the path of its newest API where no version is given, behind a proxy as well. */
function versioned(server: RemoteServer, apiVersion: string | undefined): RemoteServer {
  const url = new URL(server.baseUrl);
  if (apiVersion !== undefined || url.searchParams.has("api-version")) return server;
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "") || "/openai"}/v1`;
  return { ...server, baseUrl: url.href };
}

/** Headers with which the protocols send a key. */
const KEY_HEADERS = ["authorization", "api-key", "x-api-key"];

/** Returns a `fetch` that sends no header for a key where there is none. */
function withoutEmptyKey({ apiKey }: RemoteServer, send: Fetch): Fetch {
  if (apiKey !== undefined) return send;
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    for (const name of KEY_HEADERS) headers.delete(name);
    return send(input, { ...init, headers });
  };
}
