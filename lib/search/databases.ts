import { Collection, type IndexReader, OramaDatabase, type Tokenizer } from "../index/mod.ts";

/** How many sets of folders are remembered. */
const MAX_REMEMBERED = 8;

/** Databases over sets of indexes, made when they are first asked for and dropped when an index is replaced. */
export class Databases {
  readonly #tokenizer: Tokenizer;
  #remembered: { readonly readers: readonly IndexReader[]; readonly database: OramaDatabase }[] = [];

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** The database over these readers. */
  over(readers: readonly IndexReader[]): OramaDatabase {
    const same = this.#remembered.find((entry) =>
      entry.readers.length === readers.length && entry.readers.every((reader, i) => reader === readers[i])
    );
    if (same !== undefined) return same.database;
    const database = new OramaDatabase(new Collection(readers), this.#tokenizer);
    this.#remembered = [{ readers, database }, ...this.#remembered].slice(0, MAX_REMEMBERED);
    return database;
  }

  /** Drops every database whose readers are not all among those given: they have been closed. */
  retain(open: ReadonlySet<IndexReader>): void {
    this.#remembered = this.#remembered.filter(({ readers }) => readers.every((reader) => open.has(reader)));
  }
}
