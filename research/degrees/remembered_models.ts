/** Local models whose vectors are kept in a folder, so that a text is embedded once for all collections and runs. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { EmbeddingProvider, LocalModels, NeuralModels } from "#models/embedding/mod.ts";

/** Returns the models with their vectors kept in `folder`. Close the file handles with the process. */
export function rememberedModels(local: LocalModels, folder: string): NeuralModels {
  Deno.mkdirSync(folder, { recursive: true });
  const providers = new Map(
    local.providers.entries().map(([language, provider]) =>
      [language, remembered(provider, join(folder, `${language}.vec`))] as const
    ),
  );
  return { providers, routesOf: local.routesOf };
}

const HASH_BYTES = 16;

/** The file holds one record for each text: a hash of model, kind and text, and the numbers of the vector. */
function remembered(provider: EmbeddingProvider, path: string): EmbeddingProvider {
  const { id, dimensions = 0 } = provider;
  const length = HASH_BYTES + 4 * dimensions;
  const known = new Map<string, Float32Array>();
  const file = Deno.openSync(path, { read: true, append: true, create: true });
  const bytes = Deno.readFileSync(path);
  for (let at = 0; at + length <= bytes.length; at += length) {
    const numbers = bytes.slice(at + HASH_BYTES, at + length);
    known.set(bytes.subarray(at, at + HASH_BYTES).toHex(), new Float32Array(numbers.buffer));
  }
  const embedOne = async (text: string, kind: "document" | "query", signal?: AbortSignal) => {
    const hash = createHash("sha256").update(`${id}\n${kind}\n${text}`).digest().subarray(0, HASH_BYTES);
    const name = hash.toString("hex");
    let vector = known.get(name);
    if (vector === undefined) {
      vector = (await provider.embed([text], kind, signal))[0]!;
      known.set(name, vector);
      const record = new Uint8Array(length);
      record.set(hash);
      record.set(new Uint8Array(vector.buffer, vector.byteOffset, 4 * dimensions), HASH_BYTES);
      file.writeSync(record);
    }
    return vector;
  };
  return {
    id,
    dimensions,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text, kind, signal));
      return vectors;
    },
  };
}
