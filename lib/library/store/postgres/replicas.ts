/**
 * Replicas of a database, which pages of indexes are read from so that the database itself has less to do. Pages never change, so a
 * replica that has a page has the right one; what it does not have yet, the database has. The state of a collection always comes from
 * the database.
 */
import { UserError } from "#foundation/errors.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Milliseconds for which a replica that failed is not asked again. */
const RETRY_MS = 30_000;

/** A replica, and whether it answers. */
interface Replica {
  readonly tables: Tables;
  failedAt: number;
  /** Rejected if it is no replica of the database. */
  checked: Promise<void> | undefined;
}

export class Replicas {
  readonly #database: Database;
  readonly #replicas: readonly Replica[];
  #next = 0;

  constructor(database: Database, replicas: readonly Tables[]) {
    this.#database = database;
    this.#replicas = replicas.map((tables) => ({ tables, failedAt: -Infinity, checked: undefined }));
  }

  /**
   * Reads from the next replica; `undefined` if there is none that answers. Throws `store_reader_foreign`, and the reason of a signal
   * that has ended the work.
   */
  async read<T>(
    ask: (tables: Tables) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    const usable = this.#replicas.filter(({ failedAt }) => performance.now() - failedAt >= RETRY_MS);
    const replica = usable[this.#next++ % Math.max(1, usable.length)];
    if (replica === undefined) return undefined;
    try {
      await (replica.checked ??= this.#check(replica.tables.db));
      return await ask(replica.tables);
    } catch (error) {
      signal?.throwIfAborted();
      replica.checked = undefined;
      if (error instanceof UserError && error.key === "store_reader_foreign") throw error;
      replica.failedAt = performance.now();
      return undefined;
    }
  }

  /** Throws `store_reader_foreign` unless a database is a copy of ours. */
  async #check(replica: Database): Promise<void> {
    const [ours, theirs] = await Promise.all([this.#database, replica].map(systemOf));
    if (ours === theirs) return;
    throw new UserError("store_reader_foreign", {
      reader: replica.names.address,
      address: this.#database.names.address,
    });
  }
}

/** The number that a server got when it was made, and that its replicas have, too. */
async function systemOf(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    "select system_identifier::text as id from pg_control_system()",
  );
  return row?.id;
}
