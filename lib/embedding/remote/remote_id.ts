import type { Config } from "../../config/mod.ts";
import { modelProfile } from "./model_profile.ts";
import { serverOf } from "./server.ts";

/**
 * Names all that decides what a text's vector is: not the address, where the same model may have moved, and not the key. The
 * instruction of questions is not in it: the stored vectors stay as they are. `embedding.provider` must be that of a server.
 */
export function remoteId(embedding: Config["embedding"]): string {
  const { kind, model, dimensions } = serverOf(embedding);
  const documentPrefix = embedding.document_prefix ?? modelProfile(model).document;
  const params = new URLSearchParams();
  if (dimensions !== undefined) params.set("dimensions", String(dimensions));
  if (documentPrefix !== "") params.set("document_prefix", documentPrefix);
  const name = `${kind}/${model.replace(/[%?]/g, encodeURIComponent)}`;
  return params.size === 0 ? name : `${name}?${params}`;
}
