import type { EmbeddingProvider } from "./provider.ts";

/** The vector of a question. Throws as {@linkcode EmbeddingProvider.embed} does. */
export async function embedQuery(
  provider: EmbeddingProvider,
  text: string,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const [vector] = await provider.embed([text], "query", signal);
  return vector!;
}
