import type { Config } from "../config/mod.ts";
import { BUILTIN_ID } from "./builtin/mod.ts";
import { remoteId } from "./remote/remote_id.ts";

/** The id of what a configuration makes vectors by; nothing for `none`. Loads neither the table nor the SDK. */
export function modelOf(embedding: Config["embedding"]): string | undefined {
  if (embedding.provider === "none") return undefined;
  return embedding.provider === "builtin" ? BUILTIN_ID : remoteId(embedding);
}
