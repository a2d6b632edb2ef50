/**
 * The locks of a collection: rows that end with the process that holds them. A lock of the database's session would be lost behind a
 * pooler that gives each transaction another session.
 */
import { UserError } from "#foundation/errors.ts";
import type { StoreLock, StoreWork } from "../store.ts";
import type { Tables } from "./tables.ts";

/** Seconds that a lock lasts unless it is renewed, also after its process was killed, and the time after which it is renewed. */
export const LEASE_SECONDS = 20;
export const RENEWAL_MS = 5000;

/**
 * A lock that this process renews until it is disposed of. It may be lost, to another process, if renewing failed for too long; so
 * whatever it guards names {@linkcode Lease.token} in the transaction that publishes it.
 */
export class Lease implements StoreLock {
  readonly takenAway = [];
  readonly #timer: ReturnType<typeof setInterval>;
  #renewing: Promise<void> = Promise.resolve();

  private constructor(
    readonly tables: Tables,
    readonly collection: string,
    readonly token: string,
    readonly ended: () => void,
  ) {
    this.#timer = setInterval(() => this.#renewing = this.#renew(), RENEWAL_MS);
    // A program that has nothing else to do ends.
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Takes the lock for a kind of work, and begins the collection if there is none. `key`: seals the index of a new one. `path`: for
   * messages. `ended` is called when it is disposed of. Throws `index_busy`, or `vectors_busy`.
   */
  static async take(
    tables: Tables,
    { name, work, key, path, ended }: {
      readonly name: string;
      readonly work: StoreWork;
      readonly key: Uint8Array;
      readonly path: string;
      readonly ended: () => void;
    },
  ): Promise<Lease> {
    const token = crypto.randomUUID();
    const collection = await tables.transaction(async (write) => {
      await write("insert into {collection} (name, key) values ($1, $2) on conflict (name) do nothing", [
        name,
        key,
      ]);
      // Only a lock whose time is over is taken from its holder.
      const taken = await write<{ collection: string }>(
        `insert into {lease} as held (collection, work, token, holder, until)
         select id, $2, $3, $4 || coalesce(' @ ' || host(inet_client_addr()), ''), clock_timestamp() + make_interval(secs => $5)
         from {collection} where name = $1
         on conflict (collection, work) do update
         set token = excluded.token, holder = excluded.holder, until = excluded.until
         where held.until < clock_timestamp()
         returning collection`,
        [name, work, token, String(Deno.pid), LEASE_SECONDS],
      );
      return taken[0]?.collection;
    });
    if (collection !== undefined) return new Lease(tables, collection, token, ended);
    const [held] = await tables.read<{ holder: string }>(
      `select holder from {lease} where work = $2 and collection = (select id from {collection} where name = $1)`,
      [name, work],
    );
    throw new UserError(work === "vectors" ? "vectors_busy" : "index_busy", {
      pid: held?.holder ?? "?",
      path,
    });
  }

  /**
   * Keeps the lock until the transaction of `write` ends. Throws `store_lock_lost` if another process has it by now.
   */
  async check(write: Tables["write"]): Promise<void> {
    const held = await write("select 1 from {lease} where token = $1 for update", [this.token]);
    if (held.length === 0) throw new UserError("store_lock_lost");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.ended();
    await this.#renewing;
    try {
      await this.tables.write("delete from {lease} where token = $1", [this.token]);
    } catch {
      // It ends by itself after a while.
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.tables.write(
        "update {lease} set until = clock_timestamp() + make_interval(secs => $2) where token = $1",
        [this.token, LEASE_SECONDS],
      );
    } catch {
      // The next one tries again, as long as the lock lasts.
    }
  }
}
