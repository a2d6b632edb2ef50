/** Queries to the tables of the store, which are created, or brought to this program's version, before the first of them. */
import type { Database, QueryOptions } from "./database.ts";
import { inSchema, isCurrent, isMissingTable, migrate, schemaVersion } from "./migrations.ts";
import { ownerOf } from "./scoped_database.ts";

/** The tables that were found current, for the process: a query costs no second one for their version. */
const current = new WeakMap<Database, Set<string>>();

/** The tables of a store in a schema. In every query `{name}` stands for a table. */
export class Tables {
  constructor(readonly db: Database, readonly schema: string) {}

  /** Reads rows. Without tables there are none. Throws `store_newer`, and what {@linkcode Database.query} throws. */
  async read<R>(text: string, values: readonly unknown[], options?: QueryOptions): Promise<readonly R[]> {
    if (!this.#isCurrent) {
      const version = await schemaVersion(this.db, this.schema);
      if (version === undefined) return [];
      if (!isCurrent(version, this.schema)) await migrate(ownerOf(this.db), this.schema);
      this.#isCurrent = true;
    }
    try {
      return await this.db.query<R>(inSchema(text, this.schema), values, options);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      this.#isCurrent = false;
      return [];
    }
  }

  /** Writes, and returns the rows that the statement returns. It is not repeated after an error. */
  async write<R>(text: string, values: readonly unknown[]): Promise<readonly R[]> {
    await this.#prepare();
    return await this.#noticing(() => this.db.query<R>(inSchema(text, this.schema), values));
  }

  /** Carries out several statements in one transaction. */
  async transaction<T>(work: (write: Tables["write"]) => Promise<T>): Promise<T> {
    await this.#prepare();
    return await this.#noticing(() =>
      this.db.transaction((tx) =>
        work(<R>(text: string, values: readonly unknown[]) =>
          tx.query<R>(inSchema(text, this.schema), values)
        )
      )
    );
  }

  async #prepare(): Promise<void> {
    if (this.#isCurrent) return;
    await migrate(ownerOf(this.db), this.schema);
    this.#isCurrent = true;
  }

  /** Tables that somebody dropped are created again by the next write. */
  async #noticing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isMissingTable(error)) this.#isCurrent = false;
      throw error;
    }
  }

  get #isCurrent(): boolean {
    return current.get(this.db)?.has(this.schema) === true;
  }

  set #isCurrent(is: boolean) {
    const schemas = current.getOrInsertComputed(this.db, () => new Set());
    if (is) schemas.add(this.schema);
    else schemas.delete(this.schema);
  }
}
