/**
 * The connection to a PostgreSQL database: statements and transactions, over connections that are shared by the process.
 *
 * Statements have no names, so that they work through pgbouncer in transaction mode. Each begins and ends in the protocol by itself;
 * those of a batch are sent at once and cost one round trip. A statement that only reads is repeated once where the connection was
 * lost. All connections of a pool are given up then, because a server that was restarted has closed them all.
 */
import { type DatabaseAddress, databaseAddress } from "#foundation/configuration/database_address.ts";
import { readNamed } from "#foundation/boundary/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { type ConnectionNames, connectionNames, explained, isTransient } from "./database_errors.ts";

/** The settings of a connection, a part of `Config["store"]`. */
export interface StoreSettings {
  /** `postgres://USER@HOST:PORT/DATABASE`. */
  readonly url: string | null;
  readonly password: string | null;
  /** The schema with the program's tables. */
  readonly schema: string;
  /** Most connections of this process. */
  readonly pool: number;
  readonly tls: {
    /** Path of a PEM file with certificates that are trusted beside those of the runtime. */
    readonly ca: string | null;
    readonly verify: boolean;
  };
}

/** A statement with the values of its parameters `$1`, `$2` … */
export interface Statement {
  readonly text: string;
  /** A `Uint8Array` is a `bytea`, and an array is an array. */
  readonly values?: readonly unknown[] | undefined;
}

export interface QueryOptions {
  /** Ends the work: the server is asked to stop, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the work is done once more if the connection is lost. Default: if it only reads (`select`, `show`). */
  readonly retry?: boolean | undefined;
}

/** Numbers of `bigint` are numbers, `bytea` are `Uint8Array`s, `jsonb` is parsed. */
export interface Queries {
  /** The rows of a statement. */
  query<R>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** The rows of statements that are sent at once on one connection. Rejects if one fails; the others are done all the same. */
  batch(statements: readonly Statement[]): Promise<readonly (readonly unknown[])[]>;
}

export interface Database extends Queries {
  /** For messages. */
  readonly names: ConnectionNames;
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<readonly R[]>;
  batch(statements: readonly Statement[], options?: QueryOptions): Promise<readonly (readonly unknown[])[]>;
  /** Does the work between `begin` and `commit`. What it throws is thrown after a `rollback`. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds after which a connection without work is closed. */
const IDLE_MS = 10_000;

/** Milliseconds until a connection must be there. */
const CONNECT_MS = 10_000;

/** Seconds that a server has for statements that only read. */
const READ_SECONDS = 30;

/** Bytes of a file of certificates; that of a whole system has 250 kB. */
const MAX_CA_BYTES = 2_000_000;

/** The open databases of this process by their settings, so that all stores of a database share its connections. */
const OPEN = new Map<string, PostgresDatabase>();

/** Returns the database with these settings. Nothing is connected before its first statement. */
export function databaseOf({ url, password, schema, pool, tls }: StoreSettings): Database {
  const key = JSON.stringify([url, password, schema, pool, tls.ca, tls.verify]);
  return OPEN.getOrInsertComputed(
    key,
    () => new PostgresDatabase({ url, password, schema, pool, tls }, () => OPEN.delete(key)),
  );
}

class PostgresDatabase implements Database {
  readonly names: ConnectionNames;
  readonly #settings: StoreSettings;
  readonly #address: DatabaseAddress;
  readonly #closed: () => void;
  #pool: Promise<Pool> | undefined;

  constructor(settings: StoreSettings, closed: () => void) {
    const address = databaseAddress(settings.url ?? "");
    if (address === undefined) throw new TypeError("store.url was not checked");
    this.names = connectionNames(address, settings.schema);
    this.#settings = settings;
    this.#address = address;
    this.#closed = closed;
  }

  async query<R>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) {
    const [rows] = await this.batch([{ text, values }], options);
    return rows as readonly R[];
  }

  async batch(
    statements: readonly Statement[],
    { signal, retry = statements.every(isRead) }: QueryOptions = {},
  ) {
    const deadline = retry ? AbortSignal.timeout(READ_SECONDS * 1000) : undefined;
    const signals = [signal, deadline].filter((one) => one !== undefined);
    const ends = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      return await this.#again(retry, async (pool) => {
        const client = await checkedOut(pool, ends);
        return await this.#held(client, () => sent(client, statements), ends);
      });
    } catch (error) {
      if (deadline === undefined || error !== deadline.reason) throw error;
      throw new UserError("store_slow", { address: this.names.address, seconds: READ_SECONDS });
    }
  }

  async transaction<T>(work: (tx: Queries) => Promise<T>) {
    // Nothing is lost if the first statement fails, so that it may be repeated.
    const client = await this.#again(true, async (pool) => {
      const client = await checkedOut(pool);
      await sent(client, [{ text: "begin" }]).catch((error) => {
        client.release(true);
        throw error;
      });
      return client;
    });
    const inTransaction = async () => {
      try {
        const result = await work(new Transaction(client));
        await sent(client, [{ text: "commit" }]);
        return result;
      } catch (error) {
        await sent(client, [{ text: "rollback" }]).catch(() => {});
        throw error;
      }
    };
    try {
      return await this.#held(client, inTransaction);
    } catch (error) {
      throw explained(error, this.names);
    }
  }

  async close(): Promise<void> {
    this.#closed();
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool?.catch(() => undefined))?.end();
  }

  /** Does work that needs a connection, and once more with new connections if the connection is lost. */
  async #again<T>(retry: boolean, work: (pool: Pool) => Promise<T>): Promise<T> {
    for (let isFirst = true;; isFirst = false) {
      const opened = this.#pool ??= this.#newPool();
      try {
        return await work(await opened);
      } catch (error) {
        const isLost = isTransient(error);
        // Another statement may have given the pool up already.
        if (isLost && this.#pool === opened) this.#forget(opened);
        if (!isLost || !retry || !isFirst) throw explained(error, this.names);
      }
    }
  }

  #forget(pool: Promise<Pool>): void {
    this.#pool = undefined;
    pool.then((pool) => pool.end()).catch(() => {});
  }

  /** Does work on a connection and gives it back. One that was lost, or whose work was ended, is closed. */
  async #held<T>(client: PooledClient, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let isUsable = false;
    try {
      const result = await endedBy(signal, work());
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = !signal?.aborted && client._txStatus === "I" && !isTransient(error);
      if (signal?.aborted) this.#cancel(client);
      throw error;
    } finally {
      client.release(!isUsable);
      if (signal?.aborted && !isUsable) client.connection.stream.destroy();
    }
  }

  /** Asks the server to stop what it does for a connection. It does not matter whether that succeeds. */
  #cancel({ processID, secretKey }: Client): void {
    const ask = async () => {
      const { Connection } = await library();
      const { host, port, ssl } = await this.#clientOptions();
      const connection = new Connection({ ssl });
      connection.on("error", () => {});
      const send = () => {
        connection.cancel(processID, secretKey);
        connection.stream.end();
      };
      connection.on("connect", () => ssl === false ? send() : connection.requestSsl());
      connection.on("sslconnect", send);
      connection.stream.setTimeout(CONNECT_MS, () => connection.stream.destroy());
      connection.connect(port, host);
    };
    ask().catch(() => {});
  }

  async #newPool(): Promise<Pool> {
    const { Pool } = await library();
    const pool = new Pool({
      ...await this.#clientOptions(),
      max: this.#settings.pool,
      idleTimeoutMillis: IDLE_MS,
      allowExitOnIdle: hasUnref(),
    });
    // The pool removes a connection that is lost while it is idle. One that is in use tells its statements.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }

  async #clientOptions(): Promise<ClientOptions> {
    const { hostname, port, user, database } = this.#address;
    return {
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      user,
      database,
      // Without a password the client would look for a file with passwords.
      password: this.#settings.password ?? "none",
      ssl: await this.#tls(),
      types: (await library()).types,
      "application_name": "muxue_rag",
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    };
  }

  async #tls(): Promise<TlsOptions | false> {
    const { ca: path, verify } = this.#settings.tls;
    const { isLocal } = this.#address;
    if (isLocal && path === null) return false;
    const options = { rejectUnauthorized: verify || !isLocal };
    if (path === null) return options;
    try {
      return { ...options, ca: new TextDecoder().decode(await readNamed(path, MAX_CA_BYTES)) };
    } catch (error) {
      throw new UserError("store_ca_unreadable", { path, reason: reasonOf(error) });
    }
  }
}

/** Whether timers are objects as in Node. In Deno 2.6, the runtime of some executables, they are numbers, and the pool cannot unref them. */
function hasUnref(): boolean {
  const timer: unknown = setTimeout(() => {});
  clearTimeout(timer as ReturnType<typeof setTimeout>);
  return typeof timer === "object";
}

/** The statements of a transaction, on its connection. */
class Transaction implements Queries {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async query<R>(text: string, values: readonly unknown[] = []) {
    const [rows] = await this.batch([{ text, values }]);
    return rows as readonly R[];
  }

  batch(statements: readonly Statement[]) {
    return sent(this.#client, statements);
  }
}

/** Whether a statement only reads. */
export function isRead({ text }: Statement): boolean {
  return /^\s*(?:select|show)\b/i.test(text);
}

/** Sends statements at once, and returns their rows. */
async function sent(client: Client, statements: readonly Statement[]): Promise<(readonly unknown[])[]> {
  const results = await Promise.allSettled(
    statements.map(({ text, values = [] }) => client.query(text, values)),
  );
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value.rows;
  });
}

/** A connection from the pool; one that comes after the signal goes back unused. */
async function checkedOut(pool: Pool, signal?: AbortSignal): Promise<PooledClient> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  try {
    return await endedBy(signal, connecting);
  } catch (error) {
    if (signal?.aborted) connecting.then((client) => client.release(), () => {});
    throw error;
  }
}

/** The result of `work`; rejects with the signal's reason as soon as it aborts. The work goes on unobserved. */
function endedBy<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener("abort", abort));
}

/** A name in a statement, as it is. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The part of `pg` that is used here; the package has no types. */
interface Library {
  readonly Client: new (options: ClientOptions) => Client;
  readonly Pool: new (
    options: ClientOptions & { max: number; idleTimeoutMillis: number; allowExitOnIdle: boolean },
  ) => Pool;
  readonly Connection: new (options: { ssl: TlsOptions | false }) => Connection;
  readonly types: Types;
}

interface Types {
  getTypeParser(oid: number, format?: string): (text: string) => unknown;
}

interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
}

interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string;
  readonly ssl: TlsOptions | false;
  readonly types: Types;
  readonly "application_name": string;
  readonly pipeline: boolean;
  readonly keepAlive: boolean;
  readonly connectionTimeoutMillis: number;
}

interface Client {
  readonly processID: number;
  readonly secretKey: unknown;
  /** State of the transaction after the last statement: `I` none, `T` open, `E` failed. */
  readonly _txStatus: string | null;
  readonly connection: Connection;
  connect(): Promise<unknown>;
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error" | "end", heard: () => void): void;
  end(): Promise<void>;
}

interface PooledClient extends Client {
  release(close?: boolean): void;
}

interface Pool {
  connect(): Promise<PooledClient>;
  on(event: "error", heard: () => void): void;
  on(event: "connect", heard: (client: Client) => void): void;
  end(): Promise<void>;
}

interface Connection {
  readonly stream: { end(): void; destroy(): void; setTimeout(ms: number, passed: () => void): void };
  on(event: string, heard: () => void): void;
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: unknown): void;
}

/** The types whose values are numbers here and texts in `pg`: `bigint`, and arrays of it. */
const BIGINT = 20;
const BIGINTS = 1016;

/** The client of PostgreSQL. It takes 40 ms to load. */
async function library(): Promise<Library> {
  const pg = (await import("pg")).default as Library;
  const { getTypeParser } = pg.types;
  const types: Types = {
    getTypeParser: (oid, format) => {
      if (oid === BIGINT) return Number;
      const parse = getTypeParser(oid, format);
      return oid === BIGINTS ? (text) => (parse(text) as string[]).map(Number) : parse;
    },
  };
  const { Client, Pool, Connection } = pg;
  return { Client, Pool, Connection, types };
}
