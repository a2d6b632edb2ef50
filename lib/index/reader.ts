import { createHash } from "node:crypto";
import { BlobReader, DamagedBlobError, OutdatedBlobError } from "./blob/mod.ts";
import { ChunkTable, HASH_BYTES } from "./chunk_table.ts";
import { Dictionary } from "./dictionary.ts";
import { ListCache } from "./list_cache.ts";
import { lengthNorm, type Postings, Scores } from "./postings/mod.ts";
import { SectionPaths } from "./section_paths.ts";
import { TOKENIZER_VERSION } from "./text/mod.ts";
import type { IndexMeta, StoredChunk, StoredFile } from "./types.ts";
import { checkVectorSections, VectorIndex, type VectorMeta, vectorMetaOf } from "./vectors/mod.ts";

/**
 * An index loaded from its blob. Texts, words and vectors are read from the file when they are wanted, and so are posting
 * lists unless it was opened `resident`. Close it when done.
 */
export class IndexReader {
  readonly meta: IndexMeta;
  readonly files: readonly StoredFile[];
  readonly chunks: ChunkTable;
  readonly dictionary: Dictionary;
  readonly postings: Postings;
  readonly sections: SectionPaths;
  /** Nothing where the index was made without vectors. */
  readonly vectors: VectorIndex | undefined;
  /** Σ tokens over the chunks. */
  readonly totalTokens: number;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes of the section `texts`. */
  readonly textBytes: number;
  readonly #blob: BlobReader;
  #scores: Scores | undefined;
  #wordOffsets: Float64Array | undefined;
  #norms: { average: number; values: Float64Array } | undefined;

  private constructor(blob: BlobReader, resident: boolean) {
    this.#blob = blob;
    const section = (name: string) => blob.section(name);
    const u32 = (name: string) => new Uint32Array(section(name).buffer);
    const json = (name: string) => JSON.parse(new TextDecoder().decode(section(name)));
    this.meta = json("meta");
    if (this.meta.tokenizer !== TOKENIZER_VERSION) {
      throw new OutdatedBlobError(`tokenizer ${this.meta.tokenizer}, wanted ${TOKENIZER_VERSION}`);
    }
    this.files = json("files");
    this.chunks = new ChunkTable(section);
    this.dictionary = new Dictionary({
      bytes: section("term.bytes"),
      offsets: u32("term.offsets"),
      slots: u32("term.slots"),
    });
    const lists = sectionParts(blob, "postings", resident);
    const skips = sectionParts(blob, "skips", resident);
    this.postings = {
      bytes: lists,
      offsets: u32("list.offsets"),
      documentFrequency: u32("list.df"),
      maxFrequencyPart: new Float32Array(section("list.max").buffer),
      skipStart: u32("list.skip"),
      skips: (from, to) => {
        const bytes = skips(4 * from, 4 * to);
        return new Uint32Array(bytes.buffer, bytes.byteOffset, to - from);
      },
    };
    this.sections = new SectionPaths(section("section.bytes"), u32("section.offsets"));
    this.vectors = blob.has("vector.meta")
      ? vectorsOf(blob, vectorMetaOf(json("vector.meta")), this.chunks.length)
      : undefined;
    if (blob.has("words") && blob.length("word.offsets") !== 8 * (this.chunks.length + 1)) {
      throw new DamagedBlobError("length of section word.offsets");
    }
    this.totalTokens = this.chunks.tokens.reduce((sum, tokens) => sum + tokens, 0);
    this.size = blob.size;
    this.textBytes = blob.has("texts") ? blob.length("texts") : 0;
  }

  /**
   * Takes over a file that is open for reading, loads the index in it and checks the checksum of all but texts, words and
   * vectors. `resident`: whether the posting lists are loaded, too, as is best if all of them will be wanted; else each is read
   * when it is. Throws {@linkcode DamagedBlobError} or {@linkcode OutdatedBlobError} (another format or tokenizer); the file is
   * closed then.
   */
  static open(file: Deno.FsFile, { resident = false }: { readonly resident?: boolean } = {}): IndexReader {
    const blob = BlobReader.open(file);
    try {
      return new IndexReader(blob, resident);
    } catch (error) {
      blob.close();
      if (error instanceof SyntaxError) throw new DamagedBlobError(error.message, { cause: error });
      throw error;
    }
  }

  /** What was found damaged since it was opened, in English: it threw a {@linkcode DamagedBlobError}. */
  get damage(): string | undefined {
    return this.#blob.damage;
  }

  /** Mean tokens of a chunk. */
  get averageTokens(): number {
    return this.chunks.length === 0 ? 0 : this.totalTokens / this.chunks.length;
  }

  /** Room for the scores of one search at a time. */
  get scores(): Scores {
    return this.#scores ??= new Scores(this.chunks.length);
  }

  /** k1 (1 - b + b length / average) of every chunk, for an average that may be that of several indexes. */
  norms(average: number): Float64Array {
    if (this.#norms?.average !== average) {
      const values = new Float64Array(this.chunks.length);
      const tokens = this.chunks.tokens;
      for (let i = 0; i < values.length; i++) values[i] = lengthNorm(tokens[i]!, average);
      this.#norms = { average, values };
    }
    return this.#norms.values;
  }

  /** A chunk without its text. */
  chunk(chunk: number): StoredChunk {
    const { file, start, end, startLine, endLine, section, page } = this.chunks.row(chunk);
    return {
      file,
      start,
      end,
      startLine,
      endLine,
      section: this.sections.get(section),
      ...(page > 0 ? { page } : {}),
    };
  }

  /**
   * The text of a chunk; of one longer than `maxBytes` the beginning, unchecked. Throws {@linkcode DamagedBlobError} where
   * it is not what was written.
   */
  text(chunk: number, maxBytes = Infinity): string {
    const { textAt, textBytes } = this.chunks.row(chunk);
    if (textBytes > maxBytes) {
      const part = this.#blob.range("texts", textAt, textAt + maxBytes);
      // a character that is cut at the end is left out
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(part, { stream: true });
    }
    const bytes = this.#blob.range("texts", textAt, textAt + textBytes);
    if (!sameBytes(contentHash(bytes), this.chunks.hash(chunk))) {
      throw this.#blob.damaged(`text of chunk ${chunk}`);
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** What the embedding kept of a chunk beside its vector; nothing where it keeps nothing. */
  words(chunk: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#blob.has("words")) return undefined;
    const offsets = this.#wordOffsets ??= new Float64Array(this.#blob.section("word.offsets").buffer);
    return this.#blob.range("words", offsets[chunk]!, offsets[chunk + 1]!);
  }

  /** Bytes of the texts as they lie in the blob. */
  textRange(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#blob.range("texts", from, to);
  }

  /** Bytes of the file as they are. */
  bytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#blob.bytes(from, to);
  }

  /** Checks every byte; throws {@linkcode DamagedBlobError}. */
  verify(): void {
    this.#blob.verify();
  }

  close(): void {
    this.#blob.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Parts of a section, from memory or from the file; its checksum is checked now. */
function sectionParts(
  blob: BlobReader,
  name: string,
  resident: boolean,
): (from: number, to: number) => Uint8Array<ArrayBuffer> {
  if (resident) {
    const bytes = blob.section(name);
    return (from, to) => bytes.subarray(from, to);
  }
  blob.verifySection(name);
  const cache = new ListCache((from, to) => blob.range(name, from, to));
  return (from, to) => cache.get(from, to);
}

function vectorsOf(blob: BlobReader, meta: VectorMeta, count: number): VectorIndex {
  checkVectorSections(blob, meta, count);
  const bytes = 4 * meta.dimensions;
  return new VectorIndex(meta, count, {
    load(rows, scales) {
      blob.sectionInto("vectors", new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
      blob.sectionInto("vector.scales", new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength));
    },
    exact: (chunk) => new Float32Array(blob.range("vector.exact", chunk * bytes, (chunk + 1) * bytes).buffer),
  });
}

/** The first half of the SHA-256 of `bytes`: names a chunk's content and shows whether it was damaged. */
export function contentHash(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest().subarray(0, HASH_BYTES);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
