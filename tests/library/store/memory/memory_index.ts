// deno-lint-ignore-file require-await -- all of the data is at hand, only the interface waits
import {
  type ChunkTest,
  type Expression,
  FieldTables,
  type Generated,
  type IndexMeta,
  K1,
  lengthNorm,
  type MarksOf,
  phrasePattern,
  type StoredChunk,
  type StoredFile,
  type StoredVector,
  Tokenizer,
  type VectorMeta,
} from "#engine/index/mod.ts";
import { prefixTest } from "#engine/index/held_words.ts";
import { isGeneratedTerm } from "#engine/index/generated.ts";
import { nearTest } from "#engine/index/near_words.ts";
import { quantizeQuery, strideOf } from "#engine/index/vectors/vector_index.ts";
import type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  OpenIndex,
  ScoredChunk,
  SearchOptions,
  TermGroup,
  TermQuery,
  VectorQuery,
} from "#library/store/mod.ts";

/** A chunk with everything that is stored of it. */
export interface MemoryChunk extends StoredChunk {
  readonly text: string;
  /** Bytes of the text that the chunk before does not have. */
  readonly ownBytes: number;
  readonly contentHash: Uint8Array;
  readonly generated: Generated | undefined;
  /** Term frequencies in text, context and generated texts. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** As the index stores it: numbers that are multiplied by `scale`. */
  readonly vector: Int8Array | undefined;
  readonly scale: number;
  readonly words: Uint8Array | undefined;
}

/** All that an index holds. */
export interface MemoryData {
  readonly meta: IndexMeta;
  readonly files: readonly StoredFile[];
  readonly chunks: readonly MemoryChunk[];
  readonly vectors: VectorMeta | undefined;
}

const tokenizer = new Tokenizer();

/** An index in plain arrays and maps, where every search looks at every chunk. */
export class MemoryIndex implements OpenIndex {
  readonly damage = undefined;
  readonly statistics: IndexStatistics;

  constructor(readonly data: MemoryData) {
    this.statistics = statisticsOf(data);
  }

  get meta(): IndexMeta {
    return this.data.meta;
  }

  get files(): readonly StoredFile[] {
    return this.data.files;
  }

  get vectors(): VectorMeta | undefined {
    return this.data.vectors;
  }

  get hasGenerated(): boolean {
    return this.data.chunks.some(({ generated }) => generated !== undefined);
  }

  fileMarks(marksOf: MarksOf): Uint8Array {
    return marksOf(new FieldTables(this.files));
  }

  async documentFrequencies(terms: readonly string[]): Promise<number[]> {
    return terms.map((term) => this.data.chunks.filter(({ frequencies }) => frequencies.has(term)).length);
  }

  async termsOfLength(least: number, most: number): Promise<string[]> {
    return [...new Set(this.data.chunks.flatMap(({ frequencies }) => [...frequencies.keys()]))]
      .filter((term) => term.length >= least && term.length <= most && !isGeneratedTerm(term));
  }

  async termsWithPrefix(prefix: string): Promise<string[]> {
    return (await this.termsOfLength(prefix.length, Infinity)).filter((term) => term.startsWith(prefix));
  }

  async groupFrequencies(groups: readonly TermGroup[], language: number): Promise<number[]> {
    const ofLanguage = this.data.chunks.filter((chunk) => chunk.language === language);
    return groups.map((group) => ofLanguage.filter((chunk) => groupFrequency(group, chunk) > 0).length);
  }

  async byTerms(query: TermQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#ranked((chunk) => termScore(query, chunk), wanted).slice(0, wanted.limit);
  }

  async byGroups(query: GroupQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    const all = this.#ranked((chunk) => groupScore(query, chunk), wanted);
    const last = all[wanted.limit - 1]?.score ?? 0;
    return all.filter(({ score }) => score >= last);
  }

  async byVector(query: VectorQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    if (!this.#isComparable(query)) return [];
    return this.#ranked((chunk) => ({ score: scanned(query, chunk), covered: 0 }), wanted)
      .slice(0, wanted.limit);
  }

  async byScores(scores: Float64Array, wanted: SearchOptions): Promise<ScoredChunk[]> {
    const score = (chunk: MemoryChunk) => ({ score: scores[this.data.chunks.indexOf(chunk)]!, covered: 0 });
    return this.#ranked(score, wanted).slice(0, wanted.limit);
  }

  async passesAny(filter: ChunkFilter): Promise<boolean> {
    return this.data.chunks.some((chunk) => this.#passes(chunk, { limit: 1, filter }));
  }

  async scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (chunk) => termScore(query, chunk));
  }

  async scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (chunk) => groupScore(query, chunk));
  }

  async cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array> {
    if (!this.#isComparable(query)) return new Float64Array(chunks.length);
    return Float64Array.from(chunks, (chunk) => cosine(query, this.data.chunks[chunk]!));
  }

  async chunks(chunks: Int32Array): Promise<StoredChunk[]> {
    return Array.from(chunks, (chunk) => {
      const { file, start, end, startLine, endLine, section, page, pages, tokens, language } = this.data
        .chunks[chunk]!;
      const place = { file, start, end, startLine, endLine, section };
      const numbered = { ...(page === undefined ? {} : { page }), ...(pages === undefined ? {} : { pages }) };
      return { ...place, ...numbered, tokens, language };
    });
  }

  async texts(chunks: Int32Array, maxBytes: number): Promise<string[]> {
    return Array.from(chunks, (chunk) => {
      const bytes = new TextEncoder().encode(this.data.chunks[chunk]!.text);
      const isCut = bytes.length > maxBytes;
      return new TextDecoder().decode(bytes.subarray(0, isCut ? maxBytes : bytes.length), { stream: isCut });
    });
  }

  async storedVectors(chunks: Int32Array): Promise<StoredVector[]> {
    return Array.from(chunks, (chunk) => {
      const { vector = new Int8Array(this.vectors!.dimensions), scale } = this.data.chunks[chunk]!;
      return { numbers: vector.subarray(0, this.vectors!.dimensions), scale };
    });
  }

  async words(chunks: Int32Array): Promise<(Uint8Array | undefined)[]> {
    const hasWords = this.data.chunks.some(({ words }) => words !== undefined);
    return Array.from(
      chunks,
      (chunk) => this.data.chunks[chunk]!.words ?? (hasWords ? new Uint8Array(0) : undefined),
    );
  }

  async generated(chunks: Int32Array): Promise<(Generated | undefined)[]> {
    return Array.from(chunks, (chunk) => this.data.chunks[chunk]!.generated);
  }

  async identities(chunks: Int32Array): Promise<ChunkIdentity[]> {
    return Array.from(chunks, (number) => {
      const { file, text, section, contentHash } = this.data.chunks[number]!;
      const earlierCopies = this.data.chunks.slice(0, number).filter((other) =>
        other.file === file && other.text === text && other.section.join("\n") === section.join("\n")
      ).length;
      return { contentHash, earlierCopies };
    });
  }

  async contentHashes(chunks: Int32Array): Promise<Uint8Array[]> {
    return Array.from(chunks, (chunk) => this.data.chunks[chunk]!.contentHash);
  }

  async languages(chunks: Int32Array): Promise<number[]> {
    return Array.from(chunks, (chunk) => this.data.chunks[chunk]!.language);
  }

  async verify(): Promise<void> {}

  close(): void {}

  [Symbol.dispose](): void {}

  /** All chunks with a score above 0 that may be found, best first, equal ones by number. */
  #ranked(scoreOf: (chunk: MemoryChunk) => Score, wanted: SearchOptions): ScoredChunk[] {
    return this.data.chunks.map((chunk, number) => ({ chunk, number }))
      .filter(({ chunk }) => this.#passes(chunk, wanted))
      .map(({ chunk, number }) => ({
        chunk: number,
        file: chunk.file,
        language: chunk.language,
        ...scoreOf(chunk),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
  }

  #scores(chunks: Int32Array, scoreOf: (chunk: MemoryChunk) => Score): ChunkScores {
    const all = Array.from(chunks, (chunk) => scoreOf(this.data.chunks[chunk]!));
    return {
      scores: Float64Array.from(all, ({ score }) => score),
      covered: Float64Array.from(all, ({ covered }) => covered),
    };
  }

  #passes(chunk: MemoryChunk, { filter, exceptFiles }: SearchOptions): boolean {
    if (exceptFiles?.has(chunk.file)) return false;
    if (filter === undefined) return true;
    const { files, languages, phrases, excluded, excludedPhrases } = filter;
    return (files === undefined || files[chunk.file] === 1) &&
      (languages === undefined || languages.has(chunk.language)) &&
      phrases.every((phrase) => this.#holds(chunk, phrase, true) !== false) &&
      excluded.every((words) => this.#holds(chunk, words, false) !== true) &&
      excludedPhrases.every((phrase) => this.#holds(chunk, phrase, true) !== true) &&
      (filter.expression === undefined || this.#meets(chunk, filter.expression));
  }

  #meets(chunk: MemoryChunk, expression: Expression<ChunkTest>): boolean {
    switch (expression.kind) {
      case "and":
        return expression.parts.every((part) => this.#meets(chunk, part));
      case "or":
        return expression.parts.some((part) => this.#meets(chunk, part));
      case "not":
        return !this.#meets(chunk, expression.part);
      case "test": {
        const { files, languages } = expression.test;
        return files?.[chunk.file] !== 0 && languages?.has(chunk.language) !== false;
      }
      case "near":
        return this.#texts(chunk).some(nearTest(tokenizer, expression.parts, expression.distance));
      case "words": {
        const { words, form, within } = expression;
        if (within === undefined && form !== "prefix") {
          return this.#holds(chunk, words, form === "exact") === true;
        }
        const { title, path } = this.data.files[chunk.file]!;
        // Titles and names are found by the terms that are indexed with the chunk.
        const terms = form === "prefix" ? [] : tokenizer.queryTerms(words);
        if (!terms.every(({ term }) => chunk.frequencies.has(term))) return false;
        const texts = within === undefined
          ? this.#texts(chunk)
          : within === "heading"
          ? chunk.section
          : [title ?? path.split("/").at(-1)!];
        return texts.some(holdsTest(words, form));
      }
    }
  }

  /** The texts that are indexed with a chunk. */
  #texts({ text, section, file }: MemoryChunk): string[] {
    const { title, path } = this.data.files[file]!;
    return [text, ...section, ...(title === undefined ? [] : [title]), path.split("/").at(-1)!];
  }

  /**
   * Returns whether a chunk contains words, or `undefined` if they have no word. Without `exact`, a single word is compared
   * by its stem.
   */
  #holds(chunk: MemoryChunk, words: string, exact: boolean): boolean | undefined {
    const folded = tokenizer.fold(words).trim();
    const terms = tokenizer.queryTerms(folded).map(({ term }) => term);
    const pattern = phrasePattern(folded);
    if (terms.length === 0 || pattern === undefined) return undefined;
    if (!terms.every((term) => chunk.frequencies.has(term))) return false;
    const isOneWord = /^[a-z\d_'’]+$/i.test(folded);
    if (!exact && isOneWord || /^\p{Script=Han}{1,2}$/u.test(folded)) return true;
    return this.#texts(chunk).some((text) => pattern.test(tokenizer.fold(text)));
  }

  #isComparable({ vector, model }: VectorQuery): boolean {
    const { vectors } = this.data;
    return vectors?.dimensions === vector.length && (model === undefined || vectors.model === model);
  }
}

/** Returns the test whether a text holds words, see `WordCondition`. */
function holdsTest(words: string, form: "stem" | "exact" | "prefix"): (text: string) => boolean {
  const folded = tokenizer.fold(words);
  const isLatin = /^[a-z\d_'’]+$/i.test(folded);
  if (form === "prefix" && isLatin) {
    const begins = prefixTest(folded.toLowerCase());
    return (text) => (text.normalize("NFKC").match(/[\p{L}\p{N}_]+/gu) ?? []).some(begins);
  }
  if (form === "stem" && isLatin) {
    return (text) => tokenizer.tokenize(folded).every((term) => tokenizer.tokenize(text).includes(term));
  }
  const pattern = phrasePattern(folded)!;
  return (text) => pattern.test(tokenizer.fold(text));
}

function statisticsOf({ chunks }: MemoryData): IndexStatistics {
  const sum = (list: readonly MemoryChunk[], of: (chunk: MemoryChunk) => number) =>
    list.reduce((sum, chunk) => sum + of(chunk), 0);
  const languages = [...new Set(chunks.map(({ language }) => language))].sort((a, b) => a - b);
  return {
    chunks: chunks.length,
    terms: new Set(chunks.flatMap(({ frequencies }) => [...frequencies.keys()])).size,
    tokens: sum(chunks, ({ tokens }) => tokens),
    languages: languages.map((language) => {
      const ofLanguage = chunks.filter((chunk) => chunk.language === language);
      return { language, chunks: ofLanguage.length, tokens: sum(ofLanguage, ({ tokens }) => tokens) };
    }),
    textBytes: sum(chunks, ({ ownBytes }) => ownBytes),
    bytes: 0,
  };
}

interface Score {
  readonly score: number;
  readonly covered: number;
}

function termScore({ terms, averageTokens }: TermQuery, { frequencies, tokens }: MemoryChunk): Score {
  let score = 0, covered = 0;
  for (const { term, weight, covers = weight } of terms) {
    const tf = frequencies.get(term);
    if (tf === undefined) continue;
    score += weight * (K1 + 1) * tf / (tf + lengthNorm(tokens, averageTokens));
    covered += covers;
  }
  return { score, covered };
}

function groupScore({ groups, language, averageTokens }: GroupQuery, chunk: MemoryChunk): Score {
  let score = 0, covered = 0;
  for (const { group, weight } of chunk.language === language ? groups : []) {
    const tf = groupFrequency(group, chunk);
    if (tf === 0) continue;
    score += weight * (K1 + 1) * tf / (tf + lengthNorm(chunk.tokens, averageTokens));
    covered += weight;
  }
  return { score, covered };
}

function groupFrequency({ members }: TermGroup, { frequencies }: MemoryChunk): number {
  return members.reduce(
    (sum, { terms, score }) => sum + score * Math.min(...terms.map((term) => frequencies.get(term) ?? 0)),
    0,
  );
}

function cosine({ vector: query }: VectorQuery, { vector, scale }: MemoryChunk): number {
  return vector === undefined ? 0 : scale * query.reduce((sum, value, i) => sum + value * vector[i]!, 0);
}

/** The cosine as a search by vector finds it: the query is rounded as well, to 16 bits. */
function scanned(query: VectorQuery, chunk: MemoryChunk): number {
  const { vector, scale } = chunk;
  if (vector === undefined) return 0;
  const rounded = new Int16Array(strideOf(vector.length));
  const queryScale = quantizeQuery(query.vector, rounded);
  const sum = vector.reduce((sum, value, i) => sum + value * rounded[i]!, 0);
  return Math.fround(Math.fround(Math.fround(sum) * Math.fround(scale)) * queryScale);
}
