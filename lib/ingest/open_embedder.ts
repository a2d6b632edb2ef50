import { LazyTable } from "../embedding/mod.ts";
import { BuiltinEmbedder, workersFor } from "./builtin_embedder.ts";
import type { ChunkEmbedder } from "./chunk_embedder.ts";
import type { RemoteEmbedderInput } from "./remote_embedder.ts";

/** Input of {@linkcode openEmbedder}. */
export interface EmbedderInput extends RemoteEmbedderInput {
  readonly table: LazyTable | undefined;
  /** Bytes of the files to read. */
  readonly bytes: number;
}

/** Opens the embedder that the configuration names. Returns nothing for the provider `none`. */
export async function openEmbedder(input: EmbedderInput): Promise<ChunkEmbedder | undefined> {
  const { config: { provider }, table = new LazyTable(), bytes } = input;
  if (provider === "none") return undefined;
  if (provider === "builtin" || provider === "local") {
    return new BuiltinEmbedder(table.get(), workersFor(bytes));
  }
  // the module of a provider is loaded only where it is used
  const { openRemoteEmbedder } = await import("./remote_embedder.ts");
  return await openRemoteEmbedder(input);
}
