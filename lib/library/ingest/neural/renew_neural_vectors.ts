/** Makes the vectors of neural models for one document again, at the wish of a client. */
import type { NeuralModels } from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { HashSlots, type OpenIndex, type Store } from "#library/store/mod.ts";
import { checkDimensions, vectorsOf } from "./make_neural_vectors.ts";
import { givenTo, textBytes } from "./missing_vectors.ts";

/** Texts that a model gets at once. */
const BATCH_TEXTS = 16;

/** Result of {@linkcode renewNeuralVectors}. */
export interface RenewedVectors {
  /** Ids of the models that made vectors. */
  readonly models: readonly string[];
  /** Vectors made. */
  readonly embedded: number;
  /** Texts that a model refused. They are ranked without it. */
  readonly refused: number;
}

/**
 * Makes the vectors of neural models for one document again. `path`: relative to the folder. The old vectors are replaced at the
 * end, so a run that is stopped changes nothing. Throws as `makeNeuralVectors` does, and `document_not_indexed`.
 */
export async function renewNeuralVectors(
  store: Store,
  models: NeuralModels,
  path: string,
  { signal, onProgress = () => {} }: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  } = {},
): Promise<RenewedVectors> {
  const loaded = await store.open();
  if (loaded.state !== "ready") throw new UserError("document_not_indexed", { path });
  using index = loaded.index;
  await using _lock = await store.lock("vectors");
  const texts = await textsOf(index, path, textBytes(models));
  const work = [...models.providers].map(([language, provider]) => ({
    provider,
    texts: texts.filter(({ text, code }) => givenTo(models, text, code).has(language)),
  })).filter(({ texts }) => texts.length > 0);
  const total = work.reduce((sum, { texts }) => sum + texts.length, 0);
  const made = [];
  let done = 0;
  for (const { provider, texts } of work) {
    const vectors: (Float32Array | undefined)[] = [];
    for (let from = 0; from < texts.length; from += BATCH_TEXTS) {
      signal?.throwIfAborted();
      onProgress({ done, total });
      const batch = texts.slice(from, from + BATCH_TEXTS).map(({ text }) => text);
      let failure: UserError | undefined;
      const found = models.server === undefined
        ? await vectorsOf(provider, batch, signal, (error) => void (failure = error))
        : await provider.embed(batch, "document", signal);
      if (found.every((vector) => vector === undefined)) throw failure;
      vectors.push(...found);
      done += batch.length;
    }
    made.push({ provider, texts, vectors });
  }
  signal?.throwIfAborted();
  for (const { provider, texts, vectors } of made) {
    const first = vectors.find((vector) => vector !== undefined)!;
    const dimensions = await store.vectors.dimensions(provider.id) ?? first.length;
    for (const vector of vectors) if (vector !== undefined) checkDimensions(provider, vector, dimensions);
    await using writer = await store.vectors.write({ id: provider.id, dimensions });
    const renewed = new HashSlots();
    for (const { hash } of texts) renewed.set(hash, 1);
    await writer.compact((hash) => renewed.get(hash) === undefined);
    await writer.append(
      texts.map(({ hash }, i) => ({ hash, vector: vectors[i] ?? new Float32Array(dimensions) })),
    );
    await writer.flush();
  }
  onProgress({ done, total });
  const isRefused = (vector: Float32Array | undefined) => vector?.every((value) => value === 0) ?? true;
  const refused = made.flatMap(({ vectors }) => vectors).filter(isRefused).length;
  return { models: made.map(({ provider }) => provider.id), embedded: total - refused, refused };
}

/** The different texts of a document's chunks, with their hashes and languages. */
async function textsOf(index: OpenIndex, path: string, mostBytes: number) {
  const file = index.files.find((file) => file.path === path && file.status === "indexed");
  if (file === undefined) throw new UserError("document_not_indexed", { path });
  const chunks = Int32Array.from({ length: file.chunkCount }, (_, i) => file.firstChunk + i);
  const texts = await index.texts(chunks, mostBytes);
  const hashes = await index.contentHashes(chunks);
  const codes = await index.languages(chunks);
  const all = hashes.map((hash, i) => ({ hash: hash.slice(), text: texts[i]!, code: codes[i]! }));
  return [...new Map(all.map((one) => [one.hash.toHex(), one])).values()];
}
