/** The places on vector servers in which the vectors of a store lie. */
import { basename } from "node:path";
import { createHash } from "node:crypto";
import type { Config } from "#foundation/configuration/mod.ts";
import { HASH_BYTES, type IndexKey, sealOf } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Store, VectorModel, VectorPlace } from "../store.ts";
import { ChromaVectors } from "./chroma.ts";
import type { VectorProposer } from "./proposer.ts";
import { QdrantVectors } from "./qdrant.ts";
import { setName } from "./vector_server.ts";

const SERVERS = { qdrant: QdrantVectors, chroma: ChromaVectors } as const;
/** Hexadecimal digits that tell sets of the same name apart. */
const ID_DIGITS = 16;

/**
 * Returns the vectors of a model of a store on the configured server. The set of a folder belongs to this installation; that of a store
 * which several machines share is the same for all of them.
 */
export function openVectors(
  { root, location, isShared = false }: Pick<Store, "root" | "location" | "isShared">,
  { provider, url, api_key: apiKey }: Config["vectors"],
  model: VectorModel,
  key: IndexKey,
): VectorProposer | undefined {
  if (provider === "store" || url === null) return undefined;
  const place = new TextEncoder().encode(
    JSON.stringify([isShared ? location : root, model.id, model.dimensions]),
  );
  const id = isShared ? createHash("sha256").update(place).digest() : sealOf(key, "vector set", place);
  const name = setName(basename(root), model.id, new Uint8Array(id).toHex().slice(0, ID_DIGITS));
  return new SERVERS[provider]({ url, apiKey }, name, model);
}

/** Asks the server of a store. */
export async function serverPlace(
  store: Parameters<typeof openVectors>[0],
  settings: Config["vectors"],
  key: IndexKey,
): Promise<VectorPlace | undefined> {
  const vectors = openVectors(store, settings, { id: "", dimensions: 1 }, key);
  if (vectors === undefined) return undefined;
  try {
    await vectors.has([new Uint8Array(HASH_BYTES)]);
    return {
      phrase: { key: "vectors_on_server", params: { address: new URL(settings.url!).origin } },
      isWell: true,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { phrase: { key: error.key, params: error.params }, isWell: false };
  }
}
