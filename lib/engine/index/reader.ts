/**
 * An index that is open for reading: files, chunks, terms, postings and vectors.
 */
import { DamagedIndexError, type IndexKey, OutdatedIndexError } from "./blob/format.ts";
import { aheadPaged, allPaged, eachPaged, MissingBytes } from "./blob/missing.ts";
import type { Numbers } from "./blob/pages.ts";
import { type BlobFile, BlobReader } from "./blob/reader.ts";
import {
  ChunkTable,
  READ_AT_ONCE as CHUNKS_AT_ONCE,
  READ_LATER as CHUNKS_LATER,
  SectionPaths,
  storedPage,
} from "./chunk_table.ts";
import { Dictionary, type ExpectTerm } from "./dictionary.ts";
import { FIELD_SECTIONS, FieldTables, readFieldTable } from "./field_table.ts";
import { decodeGenerated, type Generated, OFFSETS, TEXTS } from "./generated.ts";
import { BLOCK, ChunkLengths, DENSE, type Norms, type Postings } from "./postings/format.ts";
import { TOKENIZER_VERSION } from "./text/tokenizer.ts";
import type { FileRecord, IndexMeta, StoredChunk, StoredFile } from "./types.ts";
import { checkVectorSections, vectorMetaOf } from "./vectors/sections.ts";
import { strideOf, VectorIndex, type VectorMeta, type VectorSource } from "./vectors/vector_index.ts";

/** Options of {@linkcode IndexReader.open}. */
export interface ReadOptions {
  /** The key that the index must have been written with. */
  readonly key: IndexKey;
}

/** Numbers of chunks and of their tokens by the codes of their languages. */
type LanguageCounts = readonly [chunks: Float64Array, tokens: Float64Array];

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
  /** Reads ahead what a search for a term needs of its list. `undefined` for an index of which all bytes are at hand. */
  readonly expectList: ExpectTerm | undefined;
  readonly #blob: BlobReader;
  readonly #decoder = newDecoder();
  #wordOffsets: Numbers | undefined;
  #generatedOffsets: Numbers | undefined;
  #lengths: ChunkLengths | undefined;
  #counts: LanguageCounts | undefined;
  #norms: { average: number; values: Norms } | undefined;
  #fields: FieldTables | undefined;

  private constructor(blob: BlobReader) {
    this.#blob = blob;
    const { damaged } = blob;
    if (blob.isRemote) {
      const along = READ_ALONG.filter((name) => blob.has(name) && blob.length(name) <= SMALL_BYTES);
      aheadPaged(() => blob.expect(along, false));
      blob.expect(READ_AT_ONCE, true);
    }
    this.meta = metaOf(this.#json("meta"));
    if (this.meta.tokenizer !== TOKENIZER_VERSION) {
      throw new OutdatedIndexError(`tokenizer ${this.meta.tokenizer}, wanted ${TOKENIZER_VERSION}`);
    }
    this.chunks = new ChunkTable(blob);
    this.files = filesOf(this.#json("files"), this.chunks.files);
    // Chinese text has millions of terms, pairs of characters, and a search reads the numbers of some twenty.
    this.dictionary = new Dictionary({
      bytes: blob.pages("term.bytes", true),
      offsets: blob.numbers("term.offsets", "u32", true),
      slots: blob.numbers("term.slots", "u32", true),
      ...(!blob.isRemote && { read: (array, from, into) => blob.readInto(`term.${array}`, from, into) }),
    }, damaged);
    const limit = blob.isRemote ? REMOTE_BYTES : cacheLimit(blob.length("postings"));
    const cache = new ListCache(limit, (from, to) => blob.range("postings", from, to));
    this.postings = postingsOf(
      blob,
      this.chunks.length,
      this.dictionary.size,
      (from, to) => cache.get(from, to),
    );
    const { expect } = this.postings;
    this.expectList = expect && ((term, isLong) => aheadPaged(() => expect(term, isLong)));
    const sectionOffsets = blob.numbers("section.offsets", "u32");
    this.sections = new SectionPaths(
      blob.pages("section.bytes"),
      blob.isRemote ? sectionOffsets.all() : sectionOffsets,
      damaged,
    );
    this.pageLists = new SectionPaths(blob.pages("page.bytes"), blob.numbers("page.offsets", "u32"), damaged);
    this.vectors = blob.has("vector.meta")
      ? vectorsOf(blob, vectorMetaOf(this.#json("vector.meta")), this.chunks.length)
      : undefined;
    if (blob.has("words") && blob.length("word.offsets") !== 8 * (this.chunks.length + 1)) {
      throw damaged("length of section word.offsets");
    }
    if (blob.isRemote && blob.has("words")) this.#wordOffsets = blob.numbers("word.offsets", "f64").all();
    if (blob.has(TEXTS) && blob.length(OFFSETS) !== 8 * (this.chunks.length + 1)) {
      throw damaged(`length of section ${OFFSETS}`);
    }
    this.totalTokens = this.chunks.tokens.reduce((sum, tokens) => sum + tokens, 0);
    this.size = blob.size;
    this.textBytes = blob.has("texts") ? blob.length("texts") : 0;
  }

  /** Numbers of chunks and tokens in each language, dead ones included. Counted once for this file, which stays the same in many updates. */
  get countsOfLanguages(): LanguageCounts {
    if (this.#counts === undefined) {
      const { tokens, languages } = this.chunks;
      const counts = [new Float64Array(256), new Float64Array(256)] as const;
      for (let i = 0; i < tokens.length; i++) {
        counts[0][languages[i]!]!++;
        counts[1][languages[i]!]! += tokens[i]!;
      }
      this.#counts = counts;
    }
    return this.#counts;
  }

  /**
   * Takes over a file that is open for reading and opens the index in it. Throws {@linkcode DamagedIndexError},
   * {@linkcode OutdatedIndexError} (another format or tokenizer) or `ForeignIndexError` (another key); the file is closed
   * then, but not for `MissingBytes`.
   */
  static open(file: BlobFile, { key }: ReadOptions): IndexReader {
    const blob = BlobReader.open(file, { key });
    try {
      return new IndexReader(blob);
    } catch (error) {
      if (error instanceof MissingBytes) throw error;
      blob.close();
      // Malformed JSON or an impossible array length. System errors have already been turned into damage.
      if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) {
        throw new DamagedIndexError(error.message, { cause: error });
      }
      throw error;
    }
  }

  /** Whether bytes may have to be fetched, so that every method may throw `MissingBytes`. */
  get isRemote(): boolean {
    return this.#blob.isRemote;
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
    const [row, section] = this.isRemote
      ? allPaged(() => this.chunks.row(chunk), () => this.headings(chunk))
      : [this.chunks.row(chunk), this.headings(chunk)];
    const { file, start, end, startLine, endLine, page, pages, tokens } = row;
    const language = this.chunks.languages[chunk]!;
    const stored = { file, start, end, startLine, endLine, section, tokens, language };
    if (page === 0 && pages === 0) return stored;
    return {
      ...stored,
      ...(page > 0 ? { page } : {}),
      ...(pages > 0 ? { pages: this.pageLists.get(pages).map(storedPage) } : {}),
    };
  }

  /** Returns the text of a chunk, or its beginning if it is longer than `maxBytes`. */
  text(chunk: number, maxBytes = Infinity): string {
    const { textAt, textBytes } = this.chunks.textPlace(chunk);
    const isCut = textBytes > maxBytes;
    const bytes = this.#blob.range("texts", textAt, textAt + (isCut ? maxBytes : textBytes));
    if (!isCut) return this.#decoder.decode(bytes);
    // An incomplete character at the end is left out.
    return newDecoder().decode(bytes, { stream: true });
  }

  /** The data that the embedding stored for a chunk beside its vector; `undefined` if it stores nothing for any chunk. */
  words(chunk: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#blob.has("words")) return undefined;
    const offsets = this.#wordOffsets ??= this.#blob.numbers("word.offsets", "f64");
    return this.#blob.piece("words", offsets.at(chunk)!, offsets.at(chunk + 1)!);
  }

  /** Whether a chunk may have generated texts. */
  get hasGenerated(): boolean {
    return this.#blob.has(TEXTS);
  }

  /** The generated texts of a chunk as they are stored; `undefined` if no chunk has any. */
  generatedBytes(chunk: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.hasGenerated) return undefined;
    const offsets = this.#generatedOffsets ??= this.#blob.numbers(OFFSETS, "f64");
    return this.#blob.range(TEXTS, offsets.at(chunk)!, offsets.at(chunk + 1)!, true);
  }

  /** The generated texts of a chunk; `undefined` if it has none. */
  generated(chunk: number): Generated | undefined {
    const bytes = this.generatedBytes(chunk);
    return bytes && decodeGenerated(bytes);
  }

  /** The tables of what the files say about themselves. Read when a condition asks for them. */
  get fields(): FieldTables {
    return this.#fields ??= new FieldTables(this.files, readFieldTable(this.#blob));
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

  /** Throws `MissingBytes` if a byte of the texts is missing. */
  expectTexts(from: number, to: number): void {
    if (this.isRemote) this.#blob.expectRange("texts", from, to);
  }

  /** The headings above a chunk. */
  headings(chunk: number): readonly string[] {
    return this.sections.get(this.chunks.section(chunk));
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

  /** Reads and checks bytes `from` to `to` (exclusive) of the file. */
  verifyPiece(from: number, to: number): void {
    this.#blob.verifyPiece(from, to);
  }

  close(): void {
    this.#blob.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** The posting lists of `chunks` chunks and `terms` terms. `lists` returns bytes of the section. */
function postingsOf(blob: BlobReader, chunks: number, terms: number, lists: Postings["bytes"]): Postings {
  if (!blob.has("postings")) throw blob.damaged("section postings is missing");
  const skips = blob.pages("skips", true);
  const lengths = { "list.offsets": terms + 1, "list.df": terms, "list.max": terms, "list.skip": terms };
  for (const [name, length] of Object.entries(lengths)) {
    if (blob.length(name) !== 4 * length) throw blob.damaged(`length of section ${name}`);
  }
  const offsets = blob.numbers("list.offsets", "u32", true);
  const documentFrequency = blob.numbers("list.df", "u32", true);
  const maxFrequencyPart = blob.numbers("list.max", "f32", true);
  const skipStart = blob.numbers("list.skip", "u32", true);
  const expect: Postings["expect"] = (term, isWhole) => {
    const numbers = [offsets, documentFrequency, maxFrequencyPart, skipStart];
    const [from, df, , skip] = eachPaged(numbers, (column) => column.at(term)!);
    if (!isWhole) return;
    allPaged(
      () => blob.expectRange("postings", from!, offsets.at(term + 1)!),
      () => skip !== DENSE && blob.expectRange("skips", 4 * skip!, 4 * (skip! + 2 * Math.ceil(df! / BLOCK))),
    );
  };
  return {
    chunks,
    bytes: lists,
    offsets,
    documentFrequency,
    maxFrequencyPart,
    skipStart,
    ...(blob.isRemote && { expect }),
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
  const source: VectorSource = {
    expect: () => blob.expect(["vectors", "vector.scales"], true),
    fill: (rows, scales) => {
      blob.sectionInto("vectors", new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
      blob.sectionInto("vector.scales", new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength));
    },
  };
  if (!blob.isRemote) return new VectorIndex(meta, count, source);
  const scales = blob.numbers("vector.scales", "f32"), stride = strideOf(meta.dimensions);
  const row = (chunk: number) => {
    const [bytes, scale] = allPaged(
      () => blob.range("vectors", chunk * stride, (chunk + 1) * stride, true),
      () => scales.at(chunk)!,
    );
    return { row: new Int8Array(bytes.buffer), scale };
  };
  return new VectorIndex(meta, count, { ...source, row });
}

/** Sections that a remote index is opened with: its columns in memory, the files and their metadata. */
const READ_AT_ONCE = [
  "meta",
  "files",
  "vector.meta",
  "section.offsets",
  "word.offsets",
  ...CHUNKS_AT_ONCE,
  ...FIELD_SECTIONS,
];
/** Sections that come along with them if they are small: nearly every search needs something of them. */
const READ_ALONG = [
  "term.slots",
  "term.offsets",
  "term.bytes",
  "list.offsets",
  "list.df",
  "list.max",
  "list.skip",
  "section.bytes",
  "chunk.hash",
  ...CHUNKS_LATER,
];
const SMALL_BYTES = 2 * 1024 * 1024;

/**
 * Limits of the bytes kept in memory. Between them it is a sixteenth of the section: the lists of common words grow with the
 * index. Of a remote index less is kept, because its lists are in the cache of pages too.
 */
const LEAST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const SHARE = 16;
const REMOTE_BYTES = 4 * 1024 * 1024;

/** Bytes of lists that are kept for a section of `length` bytes. */
function cacheLimit(length: number): number {
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, length / SHARE));
}

/**
 * Keeps the parts of a section that were used last in memory. Most posting lists of an index are never used, and with
 * Chinese text all lists together are a third of the memory that the whole index would take.
 */
class ListCache {
  readonly #read: (from: number, to: number) => Uint8Array<ArrayBuffer>;
  /** By the offset of their first byte, the least recently used first. */
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  readonly #limit: number;
  #bytes = 0;

  /** `read` returns bytes of the section. */
  constructor(limit: number, read: (from: number, to: number) => Uint8Array<ArrayBuffer>) {
    this.#limit = limit;
    this.#read = read;
  }

  /** Bytes `from` to `to` (exclusive); `from` must always come with the same `to`. */
  get(from: number, to: number): Uint8Array<ArrayBuffer> {
    let part = this.#kept.get(from);
    if (part !== undefined) this.#kept.delete(from);
    else {
      part = this.#read(from, to);
      this.#bytes += part.length;
    }
    this.#kept.set(from, part);
    for (const [first, old] of this.#kept) {
      if (this.#bytes <= this.#limit || first === from) break;
      this.#kept.delete(first);
      this.#bytes -= old.length;
    }
    return part;
  }
}

/** A JSON section of more bytes cannot be decoded into one string. */
const MAX_JSON_BYTES = 400 * 1024 * 1024;

const STATUS: ReadonlySet<unknown> = new Set<FileRecord["status"]>(["indexed", "skipped", "failed"]);

/** Returns the metadata of an index from its parsed JSON. Throws {@linkcode DamagedIndexError} for any other JSON. */
function metaOf(json: unknown): IndexMeta {
  const { tokenizer, settings, program, indexedAt, root, leftOut } = objectOf(json) ?? {};
  const isMeta = typeof tokenizer === "number" && typeof settings === "string" &&
    typeof program === "string" && typeof root === "string" && typeof indexedAt === "string" &&
    !Number.isNaN(Date.parse(indexedAt)) && (leftOut === undefined || isCounts(leftOut));
  if (!isMeta) throw new DamagedIndexError("section meta");
  return {
    tokenizer,
    settings,
    program,
    indexedAt,
    root,
    ...(leftOut === undefined ? {} : { leftOut: leftOut as Record<string, number> }),
  };
}

/**
 * Returns the file table of an index from its parsed JSON. Throws {@linkcode DamagedIndexError} if a record is malformed, or
 * if the chunks of the files do not follow one another as `fileOfChunk` says. Paths are not checked.
 */
function filesOf(json: unknown, fileOfChunk: Uint32Array): StoredFile[] {
  if (!Array.isArray(json)) throw new DamagedIndexError("section files");
  let next = 0;
  for (const [file, record] of json.entries()) {
    if (!isStoredFile(record) || record.firstChunk !== next) throw new DamagedIndexError(`file ${file}`);
    const end = next + record.chunkCount;
    if (end > fileOfChunk.length) throw new DamagedIndexError(`chunks of file ${file}`);
    for (; next < end; next++) {
      if (fileOfChunk[next] !== file) throw new DamagedIndexError(`file of chunk ${next}`);
    }
  }
  if (next !== fileOfChunk.length) throw new DamagedIndexError("chunks without a file");
  return json;
}

function isStoredFile(json: unknown): json is StoredFile {
  const { firstChunk, chunkCount } = objectOf(json) ?? {};
  return isFileRecord(json) && isCount(firstChunk) && isCount(chunkCount);
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const orAbsent = (check: Check): Check => (value) => value === undefined || check(value);
const listOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);

const isField: Check = (value) =>
  isText(value) || Number.isFinite(value) || typeof value === "boolean" || listOf(isText)(value);
/** Whether a value is a field of metadata, or the other fields by their names. */
const isFieldOrFields: Check = (value) =>
  isField(value) || Object.values(objectOf(value) ?? { "": undefined }).every(isField);

const isMetadata = orAbsent((value) =>
  Object.values(objectOf(value) ?? { "": undefined }).every(isFieldOrFields)
);

const isUnrecognised = orAbsent(
  listOf((value) => Array.isArray(value) && value.length === 2 && isCount(value[0]) && isText(value[1])),
);

/** The checks of the fields of a file's record, as in {@linkcode FileRecord}. */
const FILE_RECORD: Readonly<Record<keyof FileRecord, Check>> = {
  path: isText,
  size: isCount,
  mtimeMs: Number.isFinite,
  ctimeMs: orAbsent(Number.isFinite),
  sha256: isText,
  status: (value) => STATUS.has(value),
  reason: orAbsent(isText),
  detail: orAbsent((value) => {
    const detail = objectOf(value);
    return detail !== undefined &&
      Object.values(detail).every((one) => typeof one === "string" || typeof one === "number");
  }),
  encoding: orAbsent(isText),
  format: orAbsent(isText),
  title: orAbsent(isText),
  metadata: isMetadata,
  own: orAbsent((value) => {
    const { title, metadata } = objectOf(value) ?? { title: 0 };
    return orAbsent(isText)(title) && isMetadata(metadata);
  }),
  links: orAbsent(listOf(isText)),
  pages: orAbsent(isCount),
  pageUnit: orAbsent(isText),
  emptyPages: orAbsent(listOf(isCount)),
  rows: orAbsent(listOf((value) => isCount(objectOf(value)?.line) && isCount(objectOf(value)?.row))),
  recognised: orAbsent(listOf(isCount)),
  images: orAbsent(listOf(isCount)),
  recognisedImages: orAbsent(
    listOf((value) => Array.isArray(value) && value.length === 3 && value.every(isCount)),
  ),
  recognition: orAbsent((value) => value === "pending"),
  unrecognised: isUnrecognised,
  unrecognisedImages: isUnrecognised,
  leftImages: orAbsent(isCount),
  refined: orAbsent(isText),
  archive: orAbsent(isText),
  failedMs: orAbsent(isCount),
};

/** Whether parsed JSON is the record of a file. */
export function isFileRecord(json: unknown): json is FileRecord {
  const record = objectOf(json);
  return record !== undefined &&
    Object.entries(FILE_RECORD).every(([name, check]) => check(record[name]));
}

function isCounts(json: unknown): boolean {
  const counts = objectOf(json);
  return counts !== undefined && Object.values(counts).every(isCount);
}

function objectOf(json: unknown): Record<string, unknown> | undefined {
  return typeof json === "object" && json !== null && !Array.isArray(json)
    ? json as Record<string, unknown>
    : undefined;
}
