import type { Config } from "../config/mod.ts";
import { type RemoteServer, remoteServer } from "../remote/mod.ts";
import { RerankFailure } from "./reranker.ts";

/** Returns the server of the section `rerank`, whose `base_url` must be set. */
export function rerankServer(rerank: Config["rerank"]): RemoteServer {
  return remoteServer(rerank, (kind, params, options) => new RerankFailure(kind, params, options));
}
