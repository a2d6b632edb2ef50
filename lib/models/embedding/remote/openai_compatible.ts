import type { EmbeddingModel } from "ai";
import { type Fetch, openaiCompatible } from "#models/remote/mod.ts";
import type { Server } from "./server.ts";

/** Returns a model behind `POST {base_url}/embeddings`. */
export async function openaiCompatibleModel(server: Server, send: Fetch): Promise<EmbeddingModel> {
  return (await openaiCompatible(server, send)).embeddingModel(server.model);
}
