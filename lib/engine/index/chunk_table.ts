/**
 * The table of chunks: where each lies in its file, its hash, headings and page.
 */
import { DamagedIndexError, hashOf } from "./blob/format.ts";
import { eachPaged } from "./blob/missing.ts";
import type { Bytes, Numbers, StoredBytes } from "./blob/pages.ts";
import type { BlobReader } from "./blob/reader.ts";
import { ByteBuffer, type Column, f64, u32 } from "./bytes.ts";
import type { PagePart } from "#engine/chunk/mod.ts";

/**
 * Bytes of a content hash: the first half of a SHA-256. Among 10⁹ texts, the probability that two share a hash is 10⁻²¹.
 */
export const HASH_BYTES = 16;

/** The content hash of a chunk: the first half of the SHA-256 of its text in UTF-8. */
export function contentHash(bytes: Uint8Array): Uint8Array {
  return hashOf(bytes, HASH_BYTES);
}

/** One row of the chunk table. */
interface ChunkRow {
  readonly file: number;
  /** Byte offset of the text in the section `texts`. */
  readonly textAt: number;
  readonly textBytes: number;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: number;
  /** Page, counted from 1; 0 if the format has no pages. */
  readonly page: number;
  /** Number of the list of its pages among the page lists; 0 if `page` is the only one. */
  readonly pages: number;
  /** Tokens of text and context: the length that BM25 uses. */
  readonly tokens: number;
}

type ColumnName = keyof ChunkRow;

/** Names of the columns. Each is a section; only `textAt` needs 64 bits. */
export const CHUNK_COLUMNS: readonly ColumnName[] = [
  "file",
  "textAt",
  "textBytes",
  "start",
  "end",
  "startLine",
  "endLine",
  "section",
  "page",
  "pages",
  "tokens",
];

/** The columns that the table of a remote index has in memory. */
const IN_MEMORY: readonly ColumnName[] = ["file", "tokens", "textAt", "textBytes", "section"];
/** Sections that it is opened with. */
export const READ_AT_ONCE = [...IN_MEMORY.map((name) => `chunk.${name}`), "chunk.language"];
/** The columns that it fetches when they are needed, and their sections. */
const LATER = CHUNK_COLUMNS.filter((name) => !IN_MEMORY.includes(name));
export const READ_LATER = LATER.map((name) => `chunk.${name}`);

/** Columns that {@linkcode ChunkTableBuilder} has. */
type BuiltColumn = Exclude<ColumnName, "tokens">;
const BUILT = CHUNK_COLUMNS.filter((name): name is BuiltColumn => name !== "tokens");

/** The chunk table while it is written, column by column, without tokens, languages and hashes. */
export class ChunkTableBuilder {
  readonly columns = Object.fromEntries(
    BUILT.map((name) => [name, name === "textAt" ? f64() : u32()]),
  ) as Readonly<Record<BuiltColumn, Column<Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>>>;

  /** Rows so far. */
  get length(): number {
    return this.columns.file.length;
  }

  /** Appends a row. */
  add(row: Pick<ChunkRow, BuiltColumn>): void {
    for (const name of BUILT) this.columns[name].push(row[name]);
  }
}

/**
 * The chunk table of an open index. The columns that a search reads for every chunk are in memory. The others, and the
 * hashes, are read when they are needed. Of a remote index the places of texts and headings are in memory too: that saves round trips,
 * and statistics need no fetch.
 */
export class ChunkTable {
  readonly #columns: Readonly<Record<ColumnName, Numbers>>;
  readonly #hashes: StoredBytes;
  readonly #isRemote: boolean;
  /** The file of every chunk. */
  readonly files: Uint32Array;
  /** Tokens of every chunk. */
  readonly tokens: Uint32Array;
  /** The language of every chunk: one of `LANGUAGE_CODES`. */
  readonly languages: Uint8Array;

  /** Throws `DamagedIndexError` if the columns differ in length. */
  constructor(blob: BlobReader) {
    const read = (name: ColumnName) =>
      name === "textAt" ? blob.numbers(`chunk.${name}`, "f64") : blob.numbers(`chunk.${name}`, "u32");
    const columns = Object.fromEntries(CHUNK_COLUMNS.map((name) => [name, read(name)])) as Record<
      ColumnName,
      ReturnType<typeof read>
    >;
    this.#columns = blob.isRemote
      ? { ...columns, ...Object.fromEntries(IN_MEMORY.map((name) => [name, columns[name].all()])) }
      : columns;
    this.#isRemote = blob.isRemote;
    this.#hashes = blob.pages("chunk.hash");
    this.languages = blob.section("chunk.language");
    this.files = columns.file.all() as Uint32Array;
    this.tokens = columns.tokens.all() as Uint32Array;
    for (const name of CHUNK_COLUMNS) {
      if (columns[name].length !== this.length) throw blob.damaged(`length of section chunk.${name}`);
    }
    if (this.#hashes.length !== this.length * HASH_BYTES) throw blob.damaged("length of section chunk.hash");
    if (this.languages.length !== this.length) throw blob.damaged("length of section chunk.language");
  }

  get length(): number {
    return this.files.length;
  }

  /** One row. */
  row(chunk: number): ChunkRow {
    const columns = this.#columns;
    if (this.#isRemote) eachPaged(LATER, (name) => columns[name].at(chunk));
    return {
      file: this.files[chunk]!,
      textAt: columns.textAt.at(chunk)!,
      textBytes: columns.textBytes.at(chunk)!,
      start: columns.start.at(chunk)!,
      end: columns.end.at(chunk)!,
      startLine: columns.startLine.at(chunk)!,
      endLine: columns.endLine.at(chunk)!,
      section: columns.section.at(chunk)!,
      page: columns.page.at(chunk)!,
      pages: columns.pages.at(chunk)!,
      tokens: this.tokens[chunk]!,
    };
  }

  /** Where the text of a chunk lies in the section `texts`. */
  textPlace(chunk: number): Pick<ChunkRow, "textAt" | "textBytes"> {
    const { textAt, textBytes } = this.#columns;
    return { textAt: textAt.at(chunk)!, textBytes: textBytes.at(chunk)! };
  }

  /** The number of the section path of a chunk. */
  section(chunk: number): number {
    return this.#columns.section.at(chunk)!;
  }

  /** Whether two chunks have the same content. */
  sameContent(one: number, other: number): boolean {
    return this.#hashes.isSame(one * HASH_BYTES, other * HASH_BYTES, HASH_BYTES);
  }

  /** The content hash of a chunk. */
  hash(chunk: number): Uint8Array {
    return this.#hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }

  /** Reads the hashes of the chunks `first` to `last` at once if they may have to be fetched. */
  expectHashes(first: number, last: number): void {
    if (this.#isRemote) this.#hashes.subarray(first * HASH_BYTES, (last + 1) * HASH_BYTES);
  }
}

/** Separates the headings of a path. In headings it is replaced by a space. */
const SEPARATOR = "\u001f";

/** Section paths, each stored once. Path 0 is the empty one. */
export class SectionPathsBuilder {
  readonly #ids = new Map<string, number>();
  readonly #bytes = new ByteBuffer();
  readonly #offsets = u32();
  readonly #encoder = new TextEncoder();

  constructor() {
    this.#offsets.push(0);
    this.add([]);
  }

  /** Returns the number of a path. */
  add(path: readonly string[]): number {
    const key = path.map((heading) => heading.replaceAll(SEPARATOR, " ")).join(SEPARATOR);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(key, id);
      this.#bytes.append(this.#encoder.encode(key));
      this.#offsets.push(this.#bytes.length);
    }
    return id;
  }

  /** Returns the arrays to store. */
  finish(): { bytes: Uint8Array; offsets: Uint32Array } {
    return { bytes: this.#bytes.view(), offsets: this.#offsets.view() };
  }
}

/** Stored section paths, decoded when they are needed. */
export class SectionPaths {
  readonly #decoder = new TextDecoder();

  readonly #bytes: Bytes;
  readonly #offsets: Numbers;
  readonly #damaged: (problem: string) => Error;

  constructor(
    bytes: Bytes,
    offsets: Numbers,
    damaged: (problem: string) => Error = (problem) => new DamagedIndexError(problem),
  ) {
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#damaged = damaged;
  }

  /** The headings of path `id`, outermost first. */
  get(id: number): readonly string[] {
    const start = this.#offsets.at(id), end = this.#offsets.at(id + 1);
    if (start === undefined || end === undefined || start > end || end > this.#bytes.length) {
      throw this.#damaged(`place of section path ${id}`);
    }
    const text = this.#decoder.decode(this.#bytes.subarray(start, end));
    return text === "" ? [] : text.split(SEPARATOR);
  }
}

/** Returns pages as a list that is stored like a section path: `number@offset label`. */
export function pageList(pages: readonly PagePart[]): string[] {
  return pages.map(({ number, at, label }) => `${number}@${at}${label === undefined ? "" : ` ${label}`}`);
}

/** Reads an item of {@linkcode pageList}. */
export function storedPage(item: string): PagePart {
  const [, number, at, label] = /^(\d+)@(\d+)(?: (.*))?$/s.exec(item) ?? [];
  if (number === undefined) throw new DamagedIndexError("list of pages");
  return { number: Number(number), at: Number(at), ...(label === undefined ? {} : { label }) };
}
