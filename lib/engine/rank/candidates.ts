/**
 * The candidates of a question: what the indexes say about them, asked for all at the same time, and which of them all legs score.
 */
import type { StoredChunk } from "#engine/index/mod.ts";
import type { FoundChunk } from "#engine/segments.ts";
import type { ExactForms } from "./exact_forms.ts";
import { counts, type PreparedQuery } from "./prepared_query.ts";
import { standings } from "./standing.ts";

/** The facts of the indexes about a chunk. */
export interface ChunkFacts {
  readonly stored: StoredChunk;
  /** BM25 of the question and of its translation, 0 without one. */
  readonly score: number;
  readonly translatedScore: number;
  /** Shares of the question's idf that its terms cover, those of its translation, and those of generated texts. */
  readonly coverage: number;
  readonly translatedCoverage: number;
  readonly generatedCoverage: number;
  /** Cosine of the built-in vectors; 0 if they are not compared. */
  readonly cosine: number;
  /** The words that were stored with its vector, if they are compared. */
  readonly words: Uint8Array | undefined;
  /** Factor for tests and lists of links. */
  readonly standing: number;
}

/** Whether the words of candidates are compared with those of the question. */
export function comparesWords(query: PreparedQuery): boolean {
  return query.legs.has("maxsim") || query.translated !== undefined || counts(query, "sentence");
}

/** The facts of all chunks that were candidates of a question. */
export class CandidateFacts {
  readonly #query: PreparedQuery;
  readonly #exactForms: ExactForms | undefined;
  readonly #known = new Map<number, ChunkFacts>();

  /** `exactForms`: is prepared for the same chunks. */
  constructor(query: PreparedQuery, exactForms: ExactForms | undefined) {
    this.#query = query;
    this.#exactForms = exactForms;
  }

  /** The facts of a chunk that was asked for, by its number. */
  of(id: number): ChunkFacts {
    return this.#known.get(id)!;
  }

  /** Asks for the facts of chunks that are not known. `found` may name a chunk twice. */
  async ask(found: readonly FoundChunk[]): Promise<void> {
    const missing = eachOnce(found.filter(({ id }) => !this.#known.has(id)));
    if (missing.length === 0) return;
    const { terms, translated, legs, vector, request } = this.#query;
    const { segments, model, text } = request;
    const ids = Int32Array.from(missing, ({ id }) => id);
    const [stored, own, foreign, generated, cosines, words, standing] = await Promise.all([
      segments.chunks(ids),
      segments.scoreTerms(terms, ids),
      translated && segments.scoreGroups(translated.groups, ids),
      terms.generated && segments.scoreTerms(terms.generated, ids),
      legs.has("vector") ? segments.cosines(vector, ids) : undefined,
      comparesWords(this.#query) ? segments.words(ids, model) : undefined,
      standings(text, missing, segments),
      this.#exactForms?.prepare(ids),
    ]);
    for (const [i, id] of ids.entries()) {
      this.#known.set(id, {
        stored: stored[i]!,
        score: own.scores[i]!,
        translatedScore: foreign?.scores[i] ?? 0,
        coverage: own.coverage[i]!,
        translatedCoverage: foreign?.coverage[i] ?? 0,
        generatedCoverage: generated?.coverage[i] ?? 0,
        cosine: cosines?.[i] ?? 0,
        words: words?.[i],
        standing: standing[i]!,
      });
    }
  }
}

/** Chunks that all legs score, sorted by number. All arrays have one entry per chunk. */
export interface Candidates {
  readonly length: number;
  readonly found: readonly FoundChunk[];
  /** Their numbers over all indexes. */
  readonly ids: Int32Array;
  readonly facts: readonly ChunkFacts[];
  /** Ranks in the lists of the keyword and the vector leg, counted from 1; 0 for a chunk that is not in the list. */
  readonly keywordRanks: Int32Array;
  readonly vectorRanks: Int32Array;
}

/** Returns the rank of a chunk in the list of a leg by its number; 0 if the chunk is not in the list. */
type RankOf = (id: number) => number;

/** Returns chunks, each once, as candidates. */
export function candidatesOf(
  found: readonly FoundChunk[],
  facts: CandidateFacts,
  ranks: { readonly keyword: RankOf; readonly vector: RankOf },
): Candidates {
  const once = eachOnce(found);
  const ids = Int32Array.from(once, ({ id }) => id);
  return {
    length: once.length,
    found: once,
    ids,
    facts: once.map(({ id }) => facts.of(id)),
    keywordRanks: ids.map(ranks.keyword),
    vectorRanks: ids.map(ranks.vector),
  };
}

/**
 * Returns the `limit` best chunks by the sum of BM25 of the question and BM25 of its translation. `own`, `byTranslation`: the best by
 * each of them, whose facts are known.
 */
export function bestByWords(
  { translated, foreignFactor }: PreparedQuery,
  own: readonly FoundChunk[],
  byTranslation: readonly FoundChunk[],
  facts: CandidateFacts,
  limit: number,
): readonly FoundChunk[] {
  if (translated === undefined) return own;
  // A chunk that is among the best of neither list cannot be near the top of their sum.
  const ranked = eachOnce([...own, ...byTranslation]).map((found) => {
    const factor = found.language === translated.language ? foreignFactor : 1;
    const { score, translatedScore } = facts.of(found.id);
    return { ...found, score: (score + translatedScore) * factor };
  }).sort((a, b) => b.score - a.score || a.id - b.id);
  // Many translations must not push out the chunks that hold the words themselves.
  const verbatim = own.filter(({ coverage }) => coverage >= VERBATIM).slice(0, Math.ceil(limit / 2));
  const kept = new Set(verbatim.map(({ id }) => id));
  for (const { id } of ranked) if (kept.size < limit) kept.add(id);
  return ranked.filter(({ id }) => kept.has(id));
}

/** Returns the distinct chunks, sorted by number. */
function eachOnce(found: readonly FoundChunk[]): FoundChunk[] {
  return [...new Map(found.map((chunk) => [chunk.id, chunk])).values()].sort((a, b) => a.id - b.id);
}

/** Returns whether a candidate is in the language into which the question was translated. */
export function isForeign({ translated }: PreparedQuery, { found }: Candidates, i: number): boolean {
  return translated !== undefined && found[i]!.language === translated.language;
}

/** Returns the factor for BM25 of a candidate, see {@linkcode PreparedQuery.foreignFactor}. */
export function liftOf(query: PreparedQuery, candidates: Candidates, i: number): number {
  return isForeign(query, candidates, i) ? query.foreignFactor : 1;
}

/** A candidate that has this share of the question's idf by its own words holds the question's rare words. */
export const VERBATIM = 0.75;

/** A candidate that has less than this share holds only translations of the question's words, or words like them. */
export const NOT_VERBATIM = VERBATIM / 2;
