/**
 * A database of which only some collections are seen. They are set in each transaction and end with it, so that a connection of the pool
 * never carries them over, also through pgbouncer.
 */
import {
  type Database,
  isRead,
  type Queries,
  type QueryOptions,
  quotedName,
  type Statement,
} from "./database.ts";

/** The names of the collections that may be seen, and of those that may be changed. */
export interface Scope {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

/** The scoped databases of each database, so that stores with the same scope share what they keep of it in memory. */
const scoped = new WeakMap<Database, Map<string, Database>>();

/** Returns a database that sees the rows of some collections only, in a schema with the policies of `definitions.ts`. */
export function scopedDatabase(database: Database, schema: string, scope: Scope): Database {
  const known = scoped.getOrInsertComputed(database, () => new Map<string, Database>());
  const key = JSON.stringify([schema, scope.readable, scope.writable]);
  return known.getOrInsertComputed(key, () => new ScopedDatabase(database, schema, scope));
}

/** Returns the whole database of a scoped one, which may change the tables. Any other database is returned as it is. */
export function ownerOf(database: Database): Database {
  return database instanceof ScopedDatabase ? database.owner : database;
}

/** The names of the roles beside that of the owner. They have no password: the owner takes them on for a transaction. */
export function roleNames(schema: string): { readonly reader: string; readonly writer: string } {
  return { reader: `${schema}_reader`, writer: `${schema}_writer` };
}

class ScopedDatabase implements Database {
  readonly names;
  readonly owner: Database;
  readonly #scope: Scope;
  readonly #role: string;
  #bound: Promise<readonly Statement[]> | undefined;

  constructor(database: Database, schema: string, scope: Scope) {
    this.names = database.names;
    this.owner = database;
    this.#scope = scope;
    const { reader, writer } = roleNames(schema);
    this.#role = scope.writable.length > 0 ? writer : reader;
  }

  async query<R>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) {
    const [rows] = await this.batch([{ text, values }], options);
    return rows as readonly R[];
  }

  /** All of them are one transaction: if one fails, none is done. */
  async batch(
    statements: readonly Statement[],
    { signal, retry = statements.every(isRead) }: QueryOptions = {},
  ) {
    const bound = await this.#statements();
    const all = [{ text: "begin" }, ...bound, ...statements, { text: "commit" }];
    const rows = await this.owner.batch(all, { signal, retry });
    return rows.slice(1 + bound.length, -1);
  }

  async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    const bound = await this.#statements();
    return await this.owner.transaction(async (tx) => {
      await tx.batch(bound);
      return await work(tx);
    });
  }

  /** The connections belong to the whole database. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The statements that bind a transaction to the scope. */
  #statements(): Promise<readonly Statement[]> {
    return this.#bound ??= this.#bind().catch((error) => {
      this.#bound = undefined;
      throw error;
    });
  }

  async #bind(): Promise<readonly Statement[]> {
    const { readable, writable } = this.#scope;
    const settings: Statement = {
      text: "select set_config('muxue_rag.readable', $1, true), set_config('muxue_rag.writable', $2, true)",
      values: [JSON.stringify(readable), JSON.stringify(writable)],
    };
    // Without the roles, the owner of the tables, whom the policies do not bind, asks with these settings.
    const known = await this.owner.query(
      "select 1 from pg_roles where rolname = $1 and pg_has_role(current_user, oid, 'member') and rolname <> current_user",
      [this.#role],
    );
    return known.length > 0 ? [{ text: `set local role ${quotedName(this.#role)}` }, settings] : [settings];
  }
}
