import type { NeuralLanguage, NeuralModels } from "#models/embedding/mod.ts";
import { estimateTokens } from "#models/remote/mod.ts";
import { HashSlots, neuralLanguageOf, type OpenIndex, type VectorWriter } from "#library/store/mod.ts";

/** A text that has no vector by one of its models. */
export interface MissingVector {
  readonly language: NeuralLanguage;
  /** Number of a chunk with the text. */
  readonly chunk: number;
  readonly hash: Uint8Array;
  /** UTF-16 units. */
  readonly length: number;
  /** Estimated number of its tokens, by which the time for its vector goes. */
  readonly tokens: number;
}

/** The vectors that an index needs. A text that several chunks have counts once for each of its models. */
export interface NeededVectors {
  readonly total: number;
  /** Number of vectors that each model has to make. */
  readonly ofLanguage: ReadonlyMap<NeuralLanguage, number>;
  /** Those that do not exist, shortest text first. */
  readonly missing: readonly MissingVector[];
  /** Returns whether any chunk of the index has a text with this hash and this model. */
  readonly needs: (language: NeuralLanguage, hash: Uint8Array) => boolean;
}

/** Remembers by content hash which models a text is given to, so that a text is read once for several runs. */
export type KnownRoutes = HashSlots;

/** Bytes of a text that are read for a model in this program. Each of them cuts texts off long before. */
const MOST_TEXT_BYTES = 16_384;
/** Chunks that are read at once. */
const PIECE = 256;

/** Returns the bytes of a text that are read for models. The window of a model on a server can be long. */
export function textBytes({ server }: NeuralModels): number {
  return server === undefined ? MOST_TEXT_BYTES : Infinity;
}

/**
 * Returns the languages whose models make vectors of a chunk's text: those of its scripts, and that of the chunk (`code` of
 * `LANGUAGE_CODES`), by which searches expect one.
 */
export function givenTo(models: NeuralModels, text: string, code: number): ReadonlySet<NeuralLanguage> {
  const ofChunk = neuralLanguageOf(code, models.providers);
  return new Set([...ofChunk === undefined ? [] : [ofChunk], ...models.routesOf(text)]);
}

/** Compares the texts of an index with the vectors that exist. `pause` is awaited now and then, and may throw to stop it. */
export async function neededVectors(
  index: OpenIndex,
  models: NeuralModels,
  known: ReadonlyMap<NeuralLanguage, Pick<VectorWriter, "has">>,
  routes: KnownRoutes,
  pause: () => Promise<void>,
): Promise<NeededVectors> {
  const languages = [...models.providers.keys()];
  const maskOf = (text: string, code: number) => {
    const given = givenTo(models, text, code);
    return languages.reduce((mask, language, bit) => mask | (given.has(language) ? 1 << bit : 0), 0);
  };
  const seen = new HashSlots();
  const counts = languages.map(() => 0);
  const missing: MissingVector[] = [];
  const count = index.statistics.chunks;
  for (let from = 0; from < count; from += PIECE) {
    const chunks = Int32Array.from({ length: Math.min(PIECE, count - from) }, (_, i) => from + i);
    const hashes = await index.contentHashes(chunks);
    const codes = await index.languages(chunks);
    const isNew = hashes.map((hash) => seen.get(hash) === undefined);
    const has = await Promise.all(languages.map((language) => known.get(language)!.has(hashes)));
    const isUnknown = (i: number) =>
      isNew[i]! &&
      (routes.get(hashes[i]!) === undefined ||
        languages.some((_, bit) => (routes.get(hashes[i]!)! & 1 << bit) !== 0 && !has[bit]![i]!));
    const read = chunks.filter((_, i) => isUnknown(i));
    const texts = new Map((await index.texts(read, textBytes(models))).map((text, i) => [read[i]!, text]));
    for (const [i, hash] of hashes.entries()) {
      if (seen.get(hash) !== undefined) continue;
      const chunk = from + i;
      const text = texts.get(chunk);
      const mask = routes.get(hash) ?? maskOf(text!, codes[i]!);
      routes.set(hash, mask);
      seen.set(hash, mask);
      for (const [bit, language] of languages.entries()) {
        if ((mask & 1 << bit) === 0) continue;
        counts[bit]!++;
        if (text === undefined || has[bit]![i]!) continue;
        missing.push({
          language,
          chunk,
          hash: hash.slice(),
          length: text.length,
          tokens: estimateTokens(text),
        });
      }
    }
    await pause();
  }
  return {
    total: counts.reduce((sum, count) => sum + count, 0),
    ofLanguage: new Map(languages.map((language, bit) => [language, counts[bit]!])),
    missing: missing.sort((a, b) => a.length - b.length || a.chunk - b.chunk),
    needs: (language, hash) => ((seen.get(hash) ?? 0) & 1 << languages.indexOf(language)) !== 0,
  };
}
