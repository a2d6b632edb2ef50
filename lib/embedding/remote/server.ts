import { type Config, secretForms } from "../../config/mod.ts";

/** The server that embeds: where it is and how it is spoken to. */
export interface Server {
  /** Which protocol it speaks. */
  readonly kind: "openai-compatible" | "azure";
  /** As configured: it may hold secrets. */
  readonly baseUrl: string;
  /** The same without user, password and query: fit to be shown. */
  readonly address: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Numbers in a vector that it is asked for; `undefined` leaves them to the model. */
  readonly dimensions: number | undefined;
  readonly timeoutSeconds: number;
  /** What must not turn up in any message. */
  readonly secrets: readonly string[];
}

/** The server of a configuration whose provider is one. */
export function serverOf(embedding: Config["embedding"]): Server {
  const { provider, model } = embedding;
  if (provider !== "openai-compatible" && provider !== "azure") {
    throw new TypeError(`${provider} is no server`);
  }
  const url = new URL(embedding.base_url ?? "");
  const apiKey = embedding.api_key?.trim() || undefined;
  const inAddress = [url.username, url.password, ...url.searchParams.values()];
  return {
    kind: provider,
    baseUrl: url.href,
    address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    apiKey,
    model: model ?? "",
    dimensions: embedding.dimensions ?? undefined,
    timeoutSeconds: embedding.timeout_seconds,
    secrets: [apiKey ?? "", ...inAddress, ...inAddress.map(decoded)].filter((secret) => secret.length >= 4)
      .flatMap(secretForms),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
