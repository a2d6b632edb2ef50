/** The vectors of neural models that a folder lacks: which they are, how many, and in which order they are made. */
import type { NeuralLanguage, NeuralModels } from "#models/embedding/mod.ts";
import { estimateTokens } from "#models/remote/mod.ts";
import {
  HashSlots,
  neuralLanguageOf,
  type OpenIndex,
  type Store,
  type VectorWriter,
} from "#library/store/mod.ts";

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
        const [length, tokens] = [text.length, estimateTokens(text)];
        missing.push({ language, chunk, hash: hash.slice(), length, tokens });
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

/** The estimated tokens of texts. */
export function tokensOf(missing: readonly MissingVector[]): number {
  return missing.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** How many of the vectors of neural models a folder has. */
export interface NeuralShare {
  /** Ids of the models. */
  readonly models: readonly string[];
  /** Names of the models for people. */
  readonly names: readonly string[];
  readonly done: number;
  readonly total: number;
  /** Estimated number of tokens in the texts without a vector. */
  readonly tokensLeft: number;
}

/**
 * Compares the texts of a folder's index with the vectors that neural models have made. Returns `undefined` without an index.
 * Writes nothing.
 */
export async function neuralShare(store: Store, models: NeuralModels): Promise<NeuralShare | undefined> {
  const loaded = await store.open();
  if (loaded.state !== "ready") return undefined;
  using index = loaded.index;
  using resources = new DisposableStack();
  const known = new Map<NeuralLanguage, Pick<VectorWriter, "has">>();
  for (const [language, { id, dimensions: ofModel }] of models.providers) {
    const stored = await store.vectors.dimensions(id);
    const dimensions = models.server === undefined ? ofModel ?? stored : stored;
    const vectors = dimensions === undefined
      ? undefined
      : resources.use(store.vectors.read({ id, dimensions }));
    await vectors?.refresh();
    const has = async (hashes: readonly Uint8Array[]) =>
      vectors === undefined
        ? hashes.map(() => false)
        : Array.from(await vectors.rowsOf(hashes), (row) => row >= 0);
    known.set(language, { has });
  }
  const { total, missing } = await neededVectors(index, models, known, new HashSlots(), async () => {});
  const providers = [...models.providers.values()];
  return {
    models: providers.map(({ id }) => id),
    names: providers.map(({ id, name = id }) => name),
    done: total - missing.length,
    total,
    tokensLeft: Math.round(tokensOf(missing)),
  };
}

/** Most texts of a batch, and most UTF-16 units, for a model in this program, whose batches take some seconds. */
const LOCAL_LIMITS = { texts: 16, chars: 4096 };

/** Texts that wait for their vectors, in the order in which they were given, except those that were asked for meanwhile. */
export class EmbeddingQueue {
  readonly #missing: readonly MissingVector[];
  readonly #limits: typeof LOCAL_LIMITS;
  readonly #byHash = new Map<string, number[]>();
  readonly #taken: Uint8Array;
  /** Places of texts that were asked for, the latest first. */
  #wanted: number[] = [];
  #next = 0;

  constructor(missing: readonly MissingVector[], limits = LOCAL_LIMITS) {
    this.#missing = missing;
    this.#limits = limits;
    this.#taken = new Uint8Array(missing.length);
    for (const [i, { hash }] of missing.entries()) {
      const name = hash.toHex();
      const places = this.#byHash.get(name) ?? [];
      places.push(i);
      this.#byHash.set(name, places);
    }
  }

  /**
   * Returns the next texts of one model; empty when all were taken. `wanted`: hashes of texts to take before others. Those that
   * do not fit are first in the next batch.
   */
  take(wanted: Iterable<Uint8Array> = []): MissingVector[] {
    const batch: MissingVector[] = [];
    let chars = 0;
    const add = (place: number): boolean => {
      const one = this.#missing[place]!;
      if (this.#taken[place] === 1 || batch.length > 0 && one.language !== batch[0]!.language) return true;
      const { texts, chars: most } = this.#limits;
      if (batch.length === texts || batch.length > 0 && chars + one.length > most) return false;
      this.#taken[place] = 1;
      chars += one.length;
      batch.push(one);
      return true;
    };
    const latest = Array.from(wanted, (hash) => this.#byHash.get(hash.toHex()) ?? []).flat();
    this.#wanted = [...new Set([...latest, ...this.#wanted])].filter((place) => this.#taken[place] === 0);
    this.#wanted.every(add);
    if (batch.length > 0) return batch;
    while (this.#next < this.#missing.length && this.#taken[this.#next] === 1) this.#next++;
    for (let place = this.#next; place < this.#missing.length; place++) if (!add(place)) break;
    return batch;
  }
}
