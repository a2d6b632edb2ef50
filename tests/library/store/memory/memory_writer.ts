import { createHash } from "node:crypto";
import {
  type FileRecord,
  type Generated,
  type GeneratedOf,
  generatedTerms,
  type IndexMeta,
  languageOf,
  type NewChunk,
  type StoredFile,
  Tokenizer,
  type VectorMeta,
} from "#engine/index/mod.ts";
import { isGeneratedTerm } from "#engine/index/generated.ts";
import { quantizeRow } from "#engine/index/vectors/vector_index.ts";
import type { IndexWriter } from "#library/store/mod.ts";
import type { MemoryChunk, MemoryData, MemoryIndex } from "./memory_index.ts";

const tokenizer = new Tokenizer();

/** Collects an index in memory. */
export class MemoryWriter implements IndexWriter {
  readonly #files: StoredFile[] = [];
  readonly #chunks: MemoryChunk[] = [];
  #firstChunk = 0;
  #lastEnd = 0;
  #meta: IndexMeta | undefined;

  constructor(readonly previous: MemoryIndex | undefined, readonly vectors: VectorMeta | undefined) {}

  /** The written index. Absent before the writer has finished. */
  get data(): MemoryData {
    return { meta: this.#meta!, files: this.#files, chunks: this.#chunks, vectors: this.vectors };
  }

  get chunkCount(): number {
    return this.#chunks.length;
  }

  keep(record: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): void {
    const { data } = this.previous!;
    const stored = data.files[file]!;
    const { firstChunk, chunkCount } = stored;
    const place = { firstChunk: this.#chunks.length, chunkCount };
    for (const [number, chunk] of data.chunks.slice(firstChunk, firstChunk + chunkCount).entries()) {
      const generated = generatedOf?.(number);
      this.#chunks.push({
        ...(generated === undefined ? chunk : withGenerated(chunk, generated)),
        file: this.#files.length,
      });
    }
    this.#files.push({ ...(record ?? stored), ...place });
  }

  addEmpty(record: FileRecord): void {
    this.#files.push({ ...record, firstChunk: this.#chunks.length, chunkCount: 0 });
  }

  beginFile(): void {
    this.#firstChunk = this.#chunks.length;
    this.#lastEnd = 0;
  }

  addChunk({ text, context, hasLead, start, end, startLine, endLine, section, page, pages }: NewChunk): void {
    const terms = [...tokenizer.tokenize(text), ...tokenizer.tokenize(context)];
    const shared = hasLead ? 0 : Math.max(0, this.#lastEnd - start);
    this.#lastEnd = end;
    this.#chunks.push({
      ...{ file: this.#files.length, start, end, startLine, endLine, section },
      ...(page === undefined ? {} : { page }),
      ...(pages === undefined ? {} : { pages }),
      tokens: terms.length,
      language: languageOf(text),
      text,
      ownBytes: new TextEncoder().encode(text.slice(shared)).length,
      contentHash: new Uint8Array(createHash("sha256").update(text).digest().subarray(0, 16)),
      generated: undefined,
      frequencies: counted(terms),
      vector: undefined,
      scale: 1,
      words: undefined,
    });
  }

  endFile(record: FileRecord): void {
    const chunkCount = this.#chunks.length - this.#firstChunk;
    this.#files.push({ ...record, firstChunk: this.#firstChunk, chunkCount });
  }

  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void {
    const row = new Int8Array(vector.length);
    const scale = Math.fround(quantizeRow(vector, row, 0));
    this.#chunks[chunk] = { ...this.#chunks[chunk]!, vector: row, scale, words };
  }

  async finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<void> {
    await pause();
    await embedded?.();
    this.#meta = { ...meta, tokenizer: 0 };
  }
}

function withGenerated(chunk: MemoryChunk, generated: Generated | null): MemoryChunk {
  const frequencies = counted(generated === null ? [] : generatedTerms(generated, tokenizer));
  for (const [term, count] of chunk.frequencies) if (!isGeneratedTerm(term)) frequencies.set(term, count);
  return { ...chunk, generated: generated ?? undefined, frequencies };
}

function counted(terms: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}
