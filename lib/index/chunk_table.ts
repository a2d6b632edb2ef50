import { ByteBuffer, type Column, f64, u32 } from "./bytes.ts";

/**
 * Bytes of a content hash, the first half of a SHA-256: two of a thousand million texts are alike with a chance of 10⁻²¹.
 */
export const HASH_BYTES = 16;

/** One row of the chunk table. */
export interface ChunkRow {
  readonly file: number;
  /** Place of the text in the section `texts`, in bytes. */
  readonly textAt: number;
  readonly textBytes: number;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: number;
  /** 0 where there are no pages. */
  readonly page: number;
  /** Tokens, context included: the length that BM25 means. */
  readonly tokens: number;
}

type ColumnName = keyof ChunkRow;

/** Name of each column with the section it is stored in; `textAt` alone needs 64 bits. */
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
  "tokens",
];

/** The chunk table while it is written, column by column. */
export class ChunkTableBuilder {
  readonly columns: Readonly<Record<ColumnName, Column<Uint32Array | Float64Array>>> = {
    file: u32(),
    textAt: f64(),
    textBytes: u32(),
    start: u32(),
    end: u32(),
    startLine: u32(),
    endLine: u32(),
    section: u32(),
    page: u32(),
    tokens: u32(),
  };
  readonly hashes = new ByteBuffer();
  readonly languages = new ByteBuffer();

  /** Rows so far. */
  get length(): number {
    return this.columns.file.length;
  }

  /** Appends a row; `language`: one of `LANGUAGE_CODES`. */
  add(row: ChunkRow, hash: Uint8Array, language: number): void {
    for (const name of CHUNK_COLUMNS) this.columns[name].push(row[name]);
    this.hashes.append(hash);
    this.languages.append(Uint8Array.of(language));
  }
}

/** The chunk table of a loaded index. */
export class ChunkTable {
  readonly #columns: Readonly<Record<ColumnName, Uint32Array | Float64Array>>;
  readonly #hashes: Uint8Array;
  /** The language of every chunk: one of `LANGUAGE_CODES`. */
  readonly languages: Uint8Array;

  constructor(section: (name: string) => Uint8Array<ArrayBuffer>) {
    const read = (name: ColumnName) => {
      const bytes = section(`chunk.${name}`);
      return name === "textAt" ? new Float64Array(bytes.buffer) : new Uint32Array(bytes.buffer);
    };
    this.#columns = Object.fromEntries(CHUNK_COLUMNS.map((name) => [name, read(name)])) as Record<
      ColumnName,
      Uint32Array | Float64Array
    >;
    this.#hashes = section("chunk.hash");
    this.languages = section("chunk.language");
  }

  get length(): number {
    return this.#columns.file.length;
  }

  /** Tokens of every chunk. */
  get tokens(): Uint32Array {
    return this.#columns.tokens as Uint32Array;
  }

  /** The file of every chunk. */
  get files(): Uint32Array {
    return this.#columns.file as Uint32Array;
  }

  /** One row. */
  row(chunk: number): ChunkRow {
    const columns = this.#columns;
    return {
      file: columns.file[chunk]!,
      textAt: columns.textAt[chunk]!,
      textBytes: columns.textBytes[chunk]!,
      start: columns.start[chunk]!,
      end: columns.end[chunk]!,
      startLine: columns.startLine[chunk]!,
      endLine: columns.endLine[chunk]!,
      section: columns.section[chunk]!,
      page: columns.page[chunk]!,
      tokens: columns.tokens[chunk]!,
    };
  }

  /** Whether two chunks have the same content. */
  sameContent(one: number, other: number): boolean {
    const hashes = this.#hashes;
    for (let i = 0; i < HASH_BYTES; i++) {
      if (hashes[one * HASH_BYTES + i] !== hashes[other * HASH_BYTES + i]) return false;
    }
    return true;
  }

  /** The content hash of a chunk. */
  hash(chunk: number): Uint8Array {
    return this.#hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }
}
