import { createHash } from "node:crypto";
import {
  type BlobFile,
  BlobReader,
  DamagedIndexError,
  type IndexKey,
  type Numbers,
  OutdatedIndexError,
  PagedNumbers,
} from "./blob/mod.ts";
import { ChunkTable, HASH_BYTES } from "./chunk_table.ts";
import { Dictionary } from "./dictionary.ts";
import { filesOf, MAX_JSON_BYTES, metaOf } from "./files_of.ts";
import { ListCache } from "./list_cache.ts";
import { ChunkLengths, type Norms, type Postings } from "./postings/mod.ts";
import { SectionPaths, storedPage } from "./section_paths.ts";
import { TOKENIZER_VERSION } from "./text/mod.ts";
import type { IndexMeta, StoredChunk, StoredFile } from "./types.ts";
import { checkVectorSections, VectorIndex, type VectorMeta, vectorMetaOf } from "./vectors/mod.ts";

/** Options of {@linkcode IndexReader.open}. */
export interface ReadOptions {
  /** The key that the index must have been written with. */
  readonly key: IndexKey;
}

/**
 * An open index in its blob. The file table and the columns that a search reads for every chunk are in memory. Everything
 * else is read and checked when it is needed. Close it when done.
 *
 * Reading throws {@linkcode DamagedIndexError} if the bytes differ from those that were written, or are malformed.
 */
export class IndexReader {
  readonly meta: IndexMeta;
  readonly files: readonly StoredFile[];
  readonly chunks: ChunkTable;
  readonly dictionary: Dictionary;
  readonly postings: Postings;
  readonly sections: SectionPaths;
  /** Lists of pages as {@linkcode pageList} writes them. */
  readonly pageLists: SectionPaths;
  /** `undefined` if the index was made without vectors. */
  readonly vectors: VectorIndex | undefined;
  /** Σ tokens over the chunks. */
  readonly totalTokens: number;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes of the section `texts`. */
  readonly textBytes: number;
  readonly #blob: BlobReader;
  #wordOffsets: Numbers | undefined;
  #lengths: ChunkLengths | undefined;
  #norms: { average: number; values: Norms } | undefined;

  private constructor(blob: BlobReader) {
    this.#blob = blob;
    const { damaged } = blob;
    this.meta = metaOf(this.#json("meta"));
    if (this.meta.tokenizer !== TOKENIZER_VERSION) {
      throw new OutdatedIndexError(`tokenizer ${this.meta.tokenizer}, wanted ${TOKENIZER_VERSION}`);
    }
    this.chunks = new ChunkTable(blob);
    this.files = filesOf(this.#json("files"), this.chunks.files);
    this.dictionary = new Dictionary({
      bytes: blob.pages("term.bytes"),
      offsets: blob.numbers("term.offsets", 4),
      slots: blob.numbers("term.slots", 4),
    }, damaged);
    const cache = new ListCache(blob.length("postings"), (from, to) => blob.range("postings", from, to));
    this.postings = postingsOf(
      blob,
      this.chunks.length,
      this.dictionary.size,
      (from, to) => cache.get(from, to),
    );
    this.sections = new SectionPaths(
      blob.pages("section.bytes"),
      blob.numbers("section.offsets", 4),
      damaged,
    );
    this.pageLists = new SectionPaths(blob.pages("page.bytes"), blob.numbers("page.offsets", 4), damaged);
    this.vectors = blob.has("vector.meta")
      ? vectorsOf(blob, vectorMetaOf(this.#json("vector.meta")), this.chunks.length)
      : undefined;
    if (blob.has("words") && blob.length("word.offsets") !== 8 * (this.chunks.length + 1)) {
      throw damaged("length of section word.offsets");
    }
    this.totalTokens = this.chunks.tokens.reduce((sum, tokens) => sum + tokens, 0);
    this.size = blob.size;
    this.textBytes = blob.has("texts") ? blob.length("texts") : 0;
  }

  /**
   * Takes over a file that is open for reading and opens the index in it. Throws {@linkcode DamagedIndexError},
   * {@linkcode OutdatedIndexError} (another format or tokenizer) or `ForeignIndexError` (another key); the file is closed
   * then.
   */
  static open(file: BlobFile, { key }: ReadOptions): IndexReader {
    const blob = BlobReader.open(file, { key });
    try {
      return new IndexReader(blob);
    } catch (error) {
      blob.close();
      // Malformed JSON or an impossible array length. System errors have already been turned into damage.
      if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) {
        throw new DamagedIndexError(error.message, { cause: error });
      }
      throw error;
    }
  }

  /** The seal in hexadecimal. Only copies of an index have the same. */
  get id(): string {
    return this.#blob.id;
  }

  /** The first damage found since it was opened, in English. */
  get damage(): string | undefined {
    return this.#blob.damage;
  }

  /** Mean tokens of a chunk. */
  get averageTokens(): number {
    return this.chunks.length === 0 ? 0 : this.totalTokens / this.chunks.length;
  }

  /** Returns the length norms of all chunks. `average`: mean tokens of a chunk in all indexes searched. */
  norms(average: number): Norms {
    this.#lengths ??= new ChunkLengths(this.chunks.tokens);
    if (this.#norms?.average !== average) this.#norms = { average, values: this.#lengths.norms(average) };
    return this.#norms.values;
  }

  /** Returns a chunk without its text. */
  chunk(chunk: number): StoredChunk {
    const { file, start, end, startLine, endLine, section, page, pages, tokens } = this.chunks.row(chunk);
    return {
      file,
      start,
      end,
      startLine,
      endLine,
      section: this.sections.get(section),
      ...(page > 0 ? { page } : {}),
      ...(pages > 0 ? { pages: this.pageLists.get(pages).map(storedPage) } : {}),
      tokens,
      language: this.chunks.languages[chunk]!,
    };
  }

  /** Returns the text of a chunk, or its beginning if it is longer than `maxBytes`. */
  text(chunk: number, maxBytes = Infinity): string {
    const { textAt, textBytes } = this.chunks.row(chunk);
    const isCut = textBytes > maxBytes;
    const bytes = this.#blob.range("texts", textAt, textAt + (isCut ? maxBytes : textBytes));
    // An incomplete character at the end is left out.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: isCut });
  }

  /** The data that the embedding stored for a chunk beside its vector; `undefined` if it stores nothing for any chunk. */
  words(chunk: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#blob.has("words")) return undefined;
    const offsets = this.#wordOffsets ??= this.#blob.numbers("word.offsets", 8);
    return this.#blob.range("words", offsets.at(chunk)!, offsets.at(chunk + 1)!, true);
  }

  /** Loads all posting lists at once, which is faster than {@linkcode postings} where all of them are needed. */
  allPostings(): Postings {
    const bytes = this.#blob.section("postings");
    return {
      ...this.postings,
      bytes: (from, to) => {
        if (from >= 0 && to >= from && to <= bytes.length) return bytes.subarray(from, to);
        throw this.#blob.damaged("range outside of section postings");
      },
    };
  }

  /** Bytes of the texts as they lie in the blob. */
  textRange(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#blob.range("texts", from, to);
  }

  /** Returns bytes of the file without checking them, for copying a verified index. */
  bytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#blob.bytes(from, to);
  }

  /** A section that the caller of {@linkcode IndexWriter} added, as parsed JSON; `undefined` if there is none. */
  extra(name: string): unknown {
    return this.#blob.has(name) ? this.#json(name) : undefined;
  }

  #json(name: string): unknown {
    return JSON.parse(new TextDecoder().decode(this.#blob.section(name, MAX_JSON_BYTES)));
  }

  /** Reads and checks every byte. */
  verify(): void {
    this.#blob.verify();
  }

  /** Reads and checks every byte, in pieces of at most `bytes`. Yields after each. */
  verifyPieces(bytes: number): Generator<void> {
    return this.#blob.verifyPieces(bytes);
  }

  close(): void {
    this.#blob.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The posting lists of `chunks` chunks and `terms` terms. `lists` returns bytes of the section. */
function postingsOf(blob: BlobReader, chunks: number, terms: number, lists: Postings["bytes"]): Postings {
  if (!blob.has("postings")) throw blob.damaged("section postings is missing");
  const skips = blob.pages("skips");
  const ofTerms = (name: string, more = 0) => {
    if (blob.length(name) !== 4 * (terms + more)) throw blob.damaged(`length of section ${name}`);
    return blob.pages(name);
  };
  const u32 = (name: string, more?: number) => {
    const pages = ofTerms(name, more);
    return new PagedNumbers(pages, new Uint32Array(pages.bytes.buffer));
  };
  const greatest = ofTerms("list.max");
  return {
    chunks,
    bytes: lists,
    offsets: u32("list.offsets", 1),
    documentFrequency: u32("list.df"),
    maxFrequencyPart: new PagedNumbers(greatest, new Float32Array(greatest.bytes.buffer)),
    skipStart: u32("list.skip"),
    skips: (from, to) => {
      if (!(to >= from && 4 * to <= skips.length)) throw blob.damaged("range outside of section skips");
      const bytes = skips.subarray(4 * from, 4 * to) as Uint8Array<ArrayBuffer>;
      return new Uint32Array(bytes.buffer, bytes.byteOffset, to - from);
    },
    damaged: blob.damaged,
  };
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

/** The content hash of a chunk: the first half of the SHA-256 of its text in UTF-8. */
export function contentHash(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest().subarray(0, HASH_BYTES);
}
